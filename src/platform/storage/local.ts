import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unavailable } from '../../contract/errors.ts'
import { createFairShare, firstCome } from '../fair-share.ts'
import { StatedReason } from '../stated-reason.ts'
import { explainedStream } from './derived-stream.ts'
import { type FileStorage, requireKey } from './storage.ts'

const INCOMING = 'incoming'
/** What a folder holds that was never used: files that are not complete yet, and what a new file system begins with. */
const UNUSED: readonly string[] = [INCOMING, 'lost+found']

/**
 * A folder that every process of the service can reach, readable by its account only. It is created with the first
 * file. A folder without files, although files were stored (`isUsed`), is the place of a disk that is not mounted: it takes no
 * files, which the disk would hide, and a file that is not found there is not called missing.
 */
export function openLocalStorage(folder: string, isUsed = async () => false, sync = flush): FileStorage {
  // A sync waits for the disk in one of the four threads in which all files are read and passwords are hashed: hundreds of uploads would take all.
  const syncs = createFairShare({ places: 1, maxWaiting: Number.POSITIVE_INFINITY, waitingRule: firstCome })
  const pathOf = (key: string) => join(folder, requireKey(key))
  const isEmpty = async () => {
    const names = await readdir(folder).catch(ignoreAbsence)
    return !names?.some((name) => !UNUSED.includes(name))
  }
  const requireFolder = async () => {
    // Read again, because another upload may have stored the first file meanwhile.
    if ((await isEmpty()) && (await isUsed()) && (await isEmpty())) {
      throw new StatedReason(`the folder of the images is empty: ${folder}`)
    }
  }
  return {
    incomingFolder: join(folder, INCOMING),
    async keep(key, file) {
      const path = pathOf(key)
      let isNew = false
      try {
        await requireFolder()
        isNew = (await stat(path).catch(ignoreAbsence)) === undefined
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const syncInTurn = (each: string) => syncs.pass(dirname(key), undefined, () => sync(each))
        await syncInTurn(file.path)
        await rename(file.path, path)
        // A rename is durable once the folders on its path are on disk too.
        for (const each of [dirname(path), folder]) await syncInTurn(each)
      } catch (error) {
        // One that was there, as at a re-encryption, stays.
        if (isNew) await rm(path, { force: true }).catch(() => {})
        throw unavailable('the image cannot be kept right now', error)
      }
    },
    async open(key) {
      const path = pathOf(key)
      try {
        const file = await open(path, 'r').catch(ignoreAbsence)
        if (!file) await requireFolder()
        return file && explainedStream(file.createReadStream(), unreadable)
      } catch (error) {
        throw unreadable(error)
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}

const unreadable = (cause: unknown) => unavailable('the image cannot be read right now', cause)

/** Undefined for a file or folder that does not exist. @throws every other error. */
function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
