// A data folder on a small separate disk that fills up, and one that cannot be written.
import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { newDataFolder, runCommand, startServer } from '../support/started-server.ts'
import { killPostgres } from './embedded-harness.ts'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { firstClient } from './own-cluster.ts'
import { startWriters } from './writers.ts'

/** A cluster takes 100 MB including its write-ahead log. */
const DISK_MEGABYTES = 256

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

/** A disk in memory mounted at a new folder; undefined, with the reason printed, if this user may not mount. */
async function newDisk(options: string): Promise<string | undefined> {
  const folder = await newDataFolder()
  const { status, stderr } = run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder.path)
  closers.push(async () => {
    await killPostgres(folder.path)
    if (status === 0) run('umount', '-l', folder.path)
    await folder.remove()
  })
  if (status === 0) return folder.path
  console.warn(
    `full-disk.test.ts: no disk can be mounted here (${stderr?.trim()}), so a limit on file sizes replaces it`,
  )
  return undefined
}

/** Fills the disk of a folder; `free` frees the space again. */
async function fill(folder: string): Promise<{ free(): Promise<void> }> {
  const path = join(folder, 'ballast')
  const file = await open(path, 'w')
  const megabyte = Buffer.alloc(1024 * 1024)
  try {
    for (const piece of [megabyte, megabyte.subarray(0, 4096)]) {
      for (;;) await file.writeFile(piece)
    }
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    await file.close()
  }
  return { free: () => rm(path) }
}

/** The replacement for a mount: no file of PostgreSQL may grow, as if the disk were full. */
function limitFiles(dataDir: string): { free(): Promise<void> } {
  const pids = run('pgrep', '-f', dataDir).stdout.trim().split('\n')
  const limit = (bytes: string) => {
    for (const pid of pids) run('prlimit', '--pid', pid, `--fsize=${bytes}`)
  }
  limit('8192:')
  return { free: async () => limit('unlimited:') }
}

test('a full disk loses no acknowledged write, refuses others with 503, and the service continues once there is space', async () => {
  const disk = await newDisk(`size=${DISK_MEGABYTES}m,mode=755`)
  const folder = disk ?? (await newDataFolder()).path
  const server = await startServer({ DATA_DIR: folder, LOG_LEVEL: 'error', WORKER_CONCURRENCY: '2' })
  closers.push(server.kill)
  const writers = startWriters(server.url, firstClient(server.output()))
  await writers.untilWriting()
  const full = disk ? await fill(folder) : limitFiles(folder)
  const before = writers.unanswered()
  while (writers.unanswered() < before + 20) await delay(20)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await full.free()
  await writers.untilWriting()
  await writers.stop()
  await server.stop()

  const embedded = await openEmbedded({ dataDir: folder, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    await expectNothingLost(database.systemDatabase, writers, 'a full disk')
  } finally {
    await database.close()
    await embedded.stop()
  }
})

test('a data folder that cannot be written is reported in one line at the start', async () => {
  const disk = await newDisk('size=1m,ro')
  if (!disk) return expect((await runCommand(['serve'], { DATA_DIR: '/proc/anteroom' })).code).toBe(1)
  const { code, stderr, stdout } = await runCommand(['serve'], { DATA_DIR: disk, LOG_LEVEL: 'silent' })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(`The data folder ${disk} cannot be written: its disk is mounted read-only`)
})
