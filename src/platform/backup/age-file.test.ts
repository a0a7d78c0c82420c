import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
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
    const written = writeAgeFile(path, { key: 'ab'.repeat(32) }, async function* () {
      await writeFile(path, 'another backup')
      yield Buffer.alloc(10)
    })
    await expect(written).rejects.toMatchObject({ name: 'StartupError', message: `${path} already exists` })
    expect(await readFile(path, 'utf8')).toBe('another backup')
    expect(await readdir(folder)).toEqual(['x'])
  })

  it('because there is one is refused before anything is read', async () => {
    const path = join(folder, 'x')
    await writeFile(path, 'another backup')
    const written = writeAgeFile(path, { key: 'ab'.repeat(32) }, () => {
      throw new Error('read')
    })
    await expect(written).rejects.toMatchObject({ name: 'StartupError', message: `${path} already exists` })
  })
})

describe('a backup file', () => {
  it('is written where a backup was killed a moment ago, and what was left an hour ago is removed', async () => {
    const path = join(folder, 'nightly')
    const killed: { goOn: () => void; end: Promise<unknown> }[] = []
    // A backup that stands still, as a killed one does.
    const leave = () =>
      new Promise<void>((left) => {
        const content = async function* () {
          yield Buffer.alloc(10)
          left()
          await new Promise<void>((goOn) => killed.push({ goOn, end }))
        }
        const end = writeAgeFile(path, { key: 'ab'.repeat(32) }, content).catch(() => {})
      })
    await leave()
    const [old = ''] = await readdir(folder)
    const before = new Date(Date.now() - 61 * 60_000)
    await utimes(join(folder, old), before, before)
    await leave()
    const [recent] = (await readdir(folder)).filter((name) => name !== old)
    await writeAgeFile(path, { key: 'ab'.repeat(32) }, async function* () {
      yield Buffer.alloc(10)
    })
    expect((await readdir(folder)).sort()).toEqual(['nightly', recent].sort())
    for (const { goOn, end } of killed) {
      goOn()
      await end
    }
  })
})
