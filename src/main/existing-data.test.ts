import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { refuseLostDatabase } from './existing-data.ts'
import { openMigratedDatabase } from './open-database.ts'
import { startProcesses } from './supervisor.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-lost-'))
})
afterAll(() => rm(folder, { recursive: true }))

const log = pino({ level: 'silent' })
const starts = {
  'a server or anteroom migrate': (DATA_DIR: string) =>
    openMigratedDatabase(readConfig({ DATA_DIR }), log, { role: 'server', data: 'existing or new' }),
  'a service of several processes': (DATA_DIR: string) =>
    startProcesses(readConfig({ DATA_DIR, PORT: '0', CORE_PORT: '0' }), log, {
      count: 2,
      stopping: new AbortController().signal,
      onFirst() {},
    }),
}

it.each(Object.entries(starts))(
  'where a database was, %s makes no empty one in its place, and says what to do',
  async (what, start) => {
    const dataDir = join(folder, what)
    await mkdir(join(dataDir, 'images'), { recursive: true })
    await writeFile(join(dataDir, 'encryption-key'), `${'a'.repeat(64)}\n`)
    await expect(start(dataDir)).rejects.toThrow(
      `the database of ${dataDir} is missing, which has encryption-key and images left: put ${dataDir}/postgresql back`,
    )
    expect((await readdir(dataDir)).sort()).toEqual(['encryption-key', 'images'])
  },
)

it('a new data folder, and one whose keys and images belong to DATABASE_URL, have lost none', async () => {
  const dataDir = join(folder, 'kept')
  const start = (settings = {}) => refuseLostDatabase(readConfig({ DATA_DIR: dataDir, ...settings }))
  expect(() => start()).not.toThrow()
  await mkdir(join(dataDir, 'images'), { recursive: true })
  expect(() => start()).toThrow('is missing')
  expect(() => start({ DATABASE_URL: 'postgres://db.example/anteroom' })).not.toThrow()
  await mkdir(join(dataDir, 'postgresql', 'cluster'), { recursive: true })
  expect(() => start()).not.toThrow()
})

it('a disk for the images, mounted before the first start, holds none until there are any', async ({ skip }) => {
  const dataDir = join(folder, 'mounted')
  await mkdir(dataDir)
  const disk = await mkdtemp('/dev/shm/anteroom-images-').catch(() => folder)
  try {
    if ((await stat(disk)).dev === (await stat(dataDir)).dev) return skip('there is no second disk at /dev/shm')
    await symlink(disk, join(dataDir, 'images'))
    await mkdir(join(disk, 'lost+found'))
    const start = () => refuseLostDatabase(readConfig({ DATA_DIR: dataDir }))
    expect(start).not.toThrow()
    await mkdir(join(disk, 'incoming'))
    expect(start).toThrow('is missing')
  } finally {
    if (disk !== folder) await rm(disk, { recursive: true })
  }
})
