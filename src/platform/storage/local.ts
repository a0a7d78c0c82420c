import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unavailable } from '../../contract/errors.ts'
import { type FileStorage, requireKey } from './storage.ts'

/**
 * A folder that every process of the service can reach, readable by its account only. It is created with the first
 * file.
 */
export function openLocalStorage(folder: string): FileStorage {
  const pathOf = (key: string) => join(folder, requireKey(key))
  return {
    incomingFolder: join(folder, 'incoming'),
    async keep(key, file) {
      const path = pathOf(key)
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await flush(file.path)
        await rename(file.path, path)
        // A rename is durable once the folders on its path are on disk too.
        for (const each of [dirname(path), folder]) await flush(each)
      } catch (error) {
        throw unavailable('the image cannot be kept right now', error)
      }
    },
    async open(key) {
      const path = pathOf(key)
      try {
        const file = await open(path, 'r')
        return file.createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw unavailable('the image cannot be read right now', error)
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
