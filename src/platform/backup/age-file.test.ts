import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeAgeFile } from './age-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-age-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a backup file that cannot be written', () => {
  it('because its folder does not exist is explained in one line with its path', async () => {
    const path = join(folder, 'none', 'x')
    const written = writeAgeFile(path, { key: 'ab'.repeat(32) }, async function* () {})
    await expect(written).rejects.toMatchObject({
      name: 'StartupError',
      message: `${path} cannot be written: no such file or directory`,
    })
  })

  it('because the disk is full midway is explained as well, and leaves nothing', async () => {
    const path = join(folder, 'x')
    // The error of the file, which a full disk gives; the content is the nearest place where a test can raise it.
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    })
    const written = writeAgeFile(path, { key: 'ab'.repeat(32) }, async function* () {
      yield Buffer.alloc(100_000)
      throw full
    })
    await expect(written).rejects.toThrow(`${path} cannot be written: no space left on device`)
    expect(await readdir(folder)).toEqual([])
  })

  it('because another backup was finished there meanwhile leaves that one as it is', async () => {
    const path = join(folder, 'x')
    await writeFile(path, 'another backup')
    const written = writeAgeFile(path, { key: 'ab'.repeat(32) }, async function* () {})
    await expect(written).rejects.toMatchObject({ name: 'StartupError', message: `${path} already exists` })
    expect(await readFile(path, 'utf8')).toBe('another backup')
    expect(await readdir(folder)).toEqual(['x'])
  })
})
