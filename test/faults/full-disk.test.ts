// A data folder on a small disk of its own that fills up, and one that cannot be written at all.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { pngOf } from '../support/image-samples.ts'
import { newClonePlace, newDataFolder, runCommand, startServer } from '../support/started-server.ts'
import { killPostgres } from './embedded-harness.ts'
import { firstClient, newClient } from './own-cluster.ts'
import { expectNothingLost } from './reckoning.ts'
import { newToken, startWriters } from './writers.ts'

/** A cluster takes 100 MB with what it writes ahead. */
const DISK_MEGABYTES = 256

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

/** A disk in memory mounted at a new folder; undefined, with the reason printed, where this user may not mount. */
async function newDisk(options: string): Promise<string | undefined> {
  const folder = await newDataFolder()
  const { status, stderr } = run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder.path)
  closers.push(async () => {
    await killPostgres(folder.path)
    if (status === 0) run('umount', '-l', folder.path)
    await folder.remove()
  })
  if (status === 0) return folder.path
  console.warn(`full-disk.test.ts: no disk can be mounted here (${stderr?.trim()}), so a limit on files stands for it`)
  return undefined
}

/** Leaves no room on the disk of a folder; `free` makes it again. */
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

/** Where nothing can be mounted: no file of PostgreSQL may grow any more, as if the disk were full. */
function limitFiles(dataDir: string): { free(): Promise<void> } {
  const pids = run('pgrep', '-f', dataDir).stdout.trim().split('\n')
  const limit = (bytes: string) => {
    for (const pid of pids) run('prlimit', '--pid', pid, `--fsize=${bytes}`)
  }
  limit('8192:')
  return { free: async () => limit('unlimited:') }
}

test('a full disk loses no acknowledged write, refuses others with 503, and the service goes on once there is room', {
  timeout: 120_000,
}, async () => {
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
    await expectNothingLost(database, writers, 'a full disk')
  } finally {
    await database.close()
    await embedded.stop()
  }
})

test('a data folder that cannot be written is told in one line at the start', async () => {
  const disk = await newDisk('size=1m,ro')
  if (!disk) return expect((await runCommand(['serve'], { DATA_DIR: '/proc/anteroom' })).code).toBe(1)
  const { code, stderr, stdout } = await runCommand(['serve'], { DATA_DIR: disk, LOG_LEVEL: 'silent' })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(disk)
})

test('images that cannot be kept are refused with 503, leave nothing behind, and everything else goes on', async () => {
  const place = await newClonePlace()
  closers.push(place.remove)
  const disk = (await newDisk('size=64k,mode=755')) ?? '/dev/full'
  const ENCRYPTION_KEY = randomBytes(32).toString('hex')
  const server = await startServer({ ...place.settings, DATA_DIR: disk, ENCRYPTION_KEY, LOG_LEVEL: 'silent' })
  closers.push(server.kill)
  const token = await newToken(server.url, await newClient({ connectionString: place.settings.DATABASE_URL }))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({
    file_name: 'card.png',
    display_name: 'Card',
    file_type: 'image/png',
    status: 'PENDING',
  })
  const image = (await (await fetch(`${server.url}/images/v1`, { method: 'POST', headers, body })).json()) as {
    id: string
    signed_url: string
  }
  const upload = (bytes: Buffer) => fetch(image.signed_url, { method: 'PUT', body: new Uint8Array(bytes) })
  const refused = await upload(pngOf(1024 * 1024))
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ errorName: 'InternalError' })
  const note = await fetch(`${server.url}/notes/v1`, { method: 'POST', headers, body: '{"value":"x"}' })
  expect(note.status).toBe(200)
  if (disk.startsWith('/dev')) return
  expect(await readdir(join(disk, 'images', 'incoming')).catch(() => [])).toEqual([])
  expect((await upload(pngOf(1024))).status).toBe(200)
})
