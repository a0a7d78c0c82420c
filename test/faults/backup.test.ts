// `anteroom backup` during writes, and `anteroom restore` into an empty installation: completely or not at all.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { MIGRATION_LOCK } from '../../src/platform/database/leases/advisory-locks.ts'
import { changeSchema } from '../../src/platform/database/migrate.ts'
import type { Body } from '../support/bodies.ts'
import { cloneDatabase } from '../support/database.ts'
import { digestTables, findInconsistencies } from '../support/database-contents.ts'
import { type Desk, openDesk, SSN } from '../support/desk.ts'
import { runHere } from '../support/finished-command.ts'
import {
  type Credentials,
  newClonePlace,
  newDataFolder,
  runCommand,
  type Settings,
  type StartedServer,
  startServer,
} from '../support/started-server.ts'
import { openLossyProxy } from './lossy-proxy.ts'

const PASSPHRASE = 'a passphrase of several words'
const SILENT: Settings = { WORKER_CONCURRENCY: '0' }

let files = ''
let identity = ''
let recipient = ''
let identityFile: string[] = []
let place: Awaited<ReturnType<typeof newClonePlace>>
let settings: Settings
let server: StartedServer
let credentials: Credentials
let desk: Desk
const closers: (() => unknown)[] = []
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'anteroom-backups-'))
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  identityFile = ['--identity-file', join(files, 'identity.txt')]
  await writeFile(join(files, 'identity.txt'), `${identity}\n`)
  place = await newClonePlace()
  settings = { ...place.settings, ...SILENT, BACKUP_PASSPHRASE: PASSPHRASE }
  server = await startServer(settings)
  credentials = await server.newCredentials()
  desk = await openDesk(server.url, credentials)
})
afterAll(async () => {
  await server?.kill()
  for (const close of closers.toReversed()) await close()
  await place?.remove()
  await rm(files, { recursive: true, force: true })
})

let backups = 0
/** A backup for the recipient, because a passphrase takes seconds each time. */
const backUp = (run = runHere) => backUpWith(['--recipient', recipient], run)
async function backUpWith(flags: string[] = [], run = runHere): Promise<string> {
  const path = join(files, `${++backups}.backup`)
  const { code, stderr } = await run(['backup', path, ...flags], settings)
  expect(code, stderr).toBe(0)
  return path
}

let underPassphrase: Promise<string> | undefined
/** One backup with the keys under the passphrase, for all tests that need one. */
const backUpUnderPassphrase = () => {
  underPassphrase ??= backUpWith()
  return underPassphrase
}

/** The same backup under the passphrase with the smallest work factor: with the program's own, each refusal takes two seconds. */
async function quicklyUnderPassphrase(path: string): Promise<Buffer> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(PASSPHRASE)
  encrypter.setScryptWorkFactor(1)
  return Buffer.from(await encrypter.encrypt(await decrypter.decrypt(await readFile(path))))
}

/** An empty database and an empty folder, like a new installation. */
async function newPlace(): Promise<{
  settings: Settings
  folder: string
  database(): SystemDatabase
}> {
  const [clone, folder] = await Promise.all([cloneDatabase('anteroom_empty'), newDataFolder()])
  closers.push(clone.drop, folder.remove)
  const open = () => {
    const database = openDatabase({ connectionString: clone.url }, { onError() {} })
    closers.push(database.close)
    return database.systemDatabase
  }
  const own = { DATABASE_URL: clone.url, DATA_DIR: folder.path, BACKUP_PASSPHRASE: PASSPHRASE, ...SILENT }
  return { settings: own, folder: folder.path, database: open }
}

/** The pause of a writer, so that the backup gets most of the machine. */
const PAUSE_MS = 50

/** Writes until it is stopped; the lists contain all acknowledged writes. */
function keepWriting(): { patients: Body[]; images: { image: Body; bytes: Buffer }[]; stop(): Promise<void> } {
  let goesOn = true
  const [patients, images]: [Body[], { image: Body; bytes: Buffer }[]] = [[], []]
  const writers = Array.from({ length: 4 }, async () => {
    while (goesOn) {
      const patient = await desk.newPatient()
      patients.push(patient)
      const { id, version } = patient as { id: string; version: number }
      await desk.call('PUT', `/patients/v1/${id}/${version + 1}`, { ...patient, language: 'en' })
      if (patients.length % 5 === 0) images.push(await desk.newImage(100_000))
      await delay(PAUSE_MS)
    }
  })
  const stop = async () => {
    goesOn = false
    await Promise.all(writers)
  }
  return { patients, images, stop }
}

test('a backup made during writes restores completely, and a server runs on it', async () => {
  const writing = keepWriting()
  while (writing.patients.length < 20) await delay(20)
  const [patients, images] = [[...writing.patients], [...writing.images]]
  const path = await backUp(runCommand)
  const written = writing.patients.length
  await writing.stop()
  expect(written, 'writes went on during the backup').toBeGreaterThan(patients.length)

  // Into an empty DATA_DIR, with the embedded database.
  const folder = await newDataFolder()
  closers.push(folder.remove)
  const target = { DATA_DIR: folder.path, BACKUP_PASSPHRASE: PASSPHRASE, ...SILENT }
  const restored = await runCommand(['restore', path, ...identityFile, '--json'], target)
  expect(restored.code, restored.stderr).toBe(0)
  expect(JSON.parse(restored.stdout).images).toBeGreaterThanOrEqual(images.length)
  const other = await startServer(target)
  closers.push(other.kill)
  const otherDesk = await openDesk(other.url, credentials)
  for (const { id } of patients) {
    const { status, body } = await otherDesk.call('GET', `/patients/v1/${id}`)
    expect([status, body.social_security_number]).toEqual([200, SSN])
  }
  for (const { image, bytes } of images) {
    const { body } = await otherDesk.call('GET', `/images/v1/${image.id}`)
    const content = Buffer.from(await (await fetch(String(body.signed_url))).arrayBuffer())
    expect(content.equals(bytes)).toBe(true)
  }
  await otherDesk.newPatient()
  await other.stop()
})

test('a snapshot is consistent: no head without history, no wrong count, no upload without its version', async () => {
  const writing = keepWriting()
  while (writing.patients.length < 10) await delay(20)
  const path = await backUp(runCommand)
  await writing.stop()
  const target = await newPlace()
  const restored = await runCommand(['restore', path, ...identityFile], target.settings)
  expect(restored.code, restored.stderr).toBe(0)
  expect(await findInconsistencies(target.database())).toEqual([])
})

test('every table and every file is restored unchanged, also with the keys of the settings', async () => {
  await desk.newImage(1_000_000)
  const key = (await readFile(join(settings.DATA_DIR ?? '', 'encryption-key'), 'utf8')).trim()
  const source = openDatabase({ connectionString: settings.DATABASE_URL ?? '' }, { onError() {} })
  closers.push(source.close)
  const head = await verifyTrails(settings)
  const withKeys = await backUpUnderPassphrase()
  const withoutKeys = await backUpWith(['--without-keys'])
  const before = besideTrail(await digestTables(source.systemDatabase))
  expect(Object.keys(before).length).toBeGreaterThan(30)
  for (const path of [withKeys, withoutKeys]) {
    const target = await newPlace()
    const own: Settings = path === withKeys ? {} : { ENCRYPTION_KEY: key, BACKUP_PASSPHRASE: PASSPHRASE }
    const restored = await runHere(['restore', path], { ...target.settings, ...own })
    expect(restored.code, restored.stderr).toBe(0)
    expect(besideTrail(await digestTables(target.database()))).toEqual(before)
    await expectTrail({ ...target.settings, ...own }, head)
    const kept = async (folder: string) =>
      (await readdir(join(folder, 'images'), { recursive: true })).filter((name) => name.includes('/')).sort()
    expect(await kept(target.folder)).toEqual(await kept(settings.DATA_DIR ?? ''))
    expect(existsSync(join(target.folder, 'encryption-key'))).toBe(path === withKeys)
  }
})

/** The digests without the audit trail, which backup and restore extend. */
function besideTrail(digests: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(digests).filter(([table]) => !/^audit_(block|head|pending)$/.test(table)))
}

/** The hash that the organization's trail ends with. */
async function verifyTrails(own: Settings, ...flags: string[]): Promise<string> {
  expect((await runHere(['audit', 'verify'], own)).code).toBe(0)
  const named = ['audit', 'verify', '--organization', credentials.organization_id, '--json', ...flags]
  const { code, stdout, stderr } = await runHere(named, own)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)[0].head
}

/** The restored trails verify, contain the events before the backup, and end with the restore. */
async function expectTrail(own: Settings, head: string): Promise<void> {
  expect(head).not.toBe('')
  const { stdout } = await runHere(['audit', 'list', '--json'], own)
  const operations = JSON.parse(stdout).map(({ operation }: { operation: string }) => operation)
  expect(operations.slice(0, 2)).toEqual(['command.restore', 'command.backup'])
  await verifyTrails(own, '--expect', head)
}

test('users are restored with their passwords, but no session that was live at the backup', async () => {
  const source = openDatabase({ connectionString: settings.DATABASE_URL ?? '' }, { onError() {} })
  closers.push(source.close)
  const made = [
    'user',
    'create',
    'ana.backup',
    '--organization',
    credentials.organization_id,
    '--role',
    'billing',
    '--json',
  ]
  const { one_time_password: password } = JSON.parse((await runHere(made, settings)).stdout)
  const signedIn = await fetch(`${server.url}/anteroom/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ana.backup', password }),
  })
  expect(signedIn.status).toBe(200)
  const path = await backUp()
  const target = await newPlace()
  const restored = await runHere(['restore', path, ...identityFile], target.settings)
  expect(restored.code, restored.stderr).toBe(0)
  const people = (database: SystemDatabase) => database.rows('select username, password_hash from user_account')
  const sessions = (database: SystemDatabase) => database.rows('select id from user_session')
  const database = target.database()
  expect(await people(database)).toEqual(await people(source.systemDatabase))
  expect(await sessions(source.systemDatabase)).toHaveLength(1)
  expect(await sessions(database)).toEqual([])
  await source.systemDatabase.rows('delete from user_session')
})

describe('a backup file', () => {
  let path = ''
  let withWords = ''
  beforeAll(async () => {
    await desk.newPatient()
    path = await backUp()
    withWords = await backUpUnderPassphrase()
  })

  test('reveals nothing of its content', async () => {
    const bytes = Buffer.concat([await readFile(path), await readFile(withWords)])
    for (const text of ['Rivera', 'signing_key', 'sealed:', 'encrypted:', PASSPHRASE])
      expect(bytes.includes(text), text).toBe(false)
  })

  test('that was truncated or altered, is another file or has another passphrase is refused in one line, and nothing is restored', async () => {
    const bytes = await readFile(path)
    const words = await quicklyUnderPassphrase(path)
    const flipped = (at: number, bytes: Buffer) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      return changed
    }
    const damaged: [string, Buffer, RegExp, Settings?][] = [
      ['half of it', bytes.subarray(0, bytes.length / 2), /is damaged/],
      ['its last byte', bytes.subarray(0, -1), /is damaged/],
      ['its header', bytes.subarray(0, 50), /altered or truncated/],
      ['a bit in the middle', flipped(Math.floor(bytes.length / 2), bytes), /is damaged/],
      ['a bit at the end', flipped(bytes.length - 1, bytes), /is damaged/],
      ['a byte more', Buffer.concat([bytes, Buffer.from('\n')]), /is damaged/],
      [
        'a bit of the salt',
        flipped(words.indexOf('scrypt ') + 10, words),
        /none of the given secrets decrypts the backup/,
      ],
      ['another file', Buffer.from('hello'), /is not a backup of Anteroom/],
      ['nothing', Buffer.alloc(0), /is not a backup of Anteroom/],
      ['its last byte under a passphrase', words.subarray(0, -1), /is damaged/],
      ['the passphrase', words, /none of the given secrets/, { BACKUP_PASSPHRASE: 'another passphrase' }],
      ['no secret', words, /the backup cannot be decrypted: give its passphrase/, { BACKUP_PASSPHRASE: '' }],
    ]
    const folder = await newDataFolder()
    closers.push(folder.remove)
    for (const [what, content, message, own] of damaged) {
      const file = join(files, 'damaged.backup')
      await writeFile(file, content)
      const target = { DATA_DIR: folder.path, BACKUP_PASSPHRASE: PASSPHRASE, ...own }
      const secret = content.includes('X25519') ? identityFile : []
      const { code, stdout, stderr } = await runHere(['restore', file, ...secret], target)
      expect([code, stdout], what).toEqual([1, ''])
      expect(stderr, what).toMatch(message)
      expect(stderr.trim().split('\n'), what).toHaveLength(1)
      expect(await readdir(folder.path), what).toEqual([])
    }
  })

  test('that cannot be opened is refused with the reason', async () => {
    const says = async (what: string) => (await runHere(['restore', what], settings)).stderr
    expect(await says(files)).toBe(`anteroom: ${files} cannot be read: it is a folder, and a backup is a file\n`)
    expect(await says(join(files, 'none'))).toBe(`anteroom: there is no file ${join(files, 'none')}\n`)
  })

  test('is not restored over anything: a database in use, or other keys', async () => {
    const used = await newClonePlace()
    closers.push(used.remove)
    const own = { ...used.settings, BACKUP_PASSPHRASE: PASSPHRASE }
    const into = await runHere(['restore', path, ...identityFile], own)
    expect([into.code, into.stderr]).toEqual([1, expect.stringContaining('the database is not empty')])
    expect(await readdir(used.settings.DATA_DIR ?? '')).toEqual([])
    const target = await newPlace()
    const other = await runHere(['restore', path, ...identityFile], {
      ...target.settings,
      ENCRYPTION_KEY: 'a'.repeat(64),
    })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('ENCRYPTION_KEY holds')])
    expect(await digestTables(target.database())).toEqual({})
  })

  test('without keys is not restored with another key, under which its images could not be read beside its rows', async () => {
    await desk.newImage(1000)
    const withoutKeys = await backUpWith(['--without-keys', '--recipient', recipient])
    const target = await newPlace()
    const { code, stderr } = await runHere(['restore', withoutKeys, ...identityFile], {
      ...target.settings,
      ENCRYPTION_KEY: 'a'.repeat(64),
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/written with encryption key \w+, and ENCRYPTION_KEY holds \w+: /),
    ])
    expect(await digestTables(target.database())).toEqual({})
    const left = await readdir(target.folder, { recursive: true, withFileTypes: true })
    expect(left.filter((each) => each.isFile())).toEqual([])
  })

  test.each([
    ['without keys', ['--without-keys']],
    ['with keys', []],
  ])(
    '%s is refused under a wrong key before anything is opened: not after all rows and images were restored',
    async (_, flags) => {
      const backup = await backUpWith([...flags, '--recipient', recipient])
      const { settings: own } = await newPlace()
      const unreachable = {
        ...own,
        DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
        ENCRYPTION_KEY: 'a'.repeat(64),
      }
      const { code, stderr } = await runHere(['restore', backup, ...identityFile], unreachable)
      expect([code, stderr]).toEqual([1, expect.stringContaining('ENCRYPTION_KEY holds')])
    },
  )

  test('is not restored into a database that a server is making at that moment', async () => {
    const target = await newPlace()
    const database = target.database()
    const restoring = await changeSchema(database, async (server) => {
      await server.rows('create table migration (name text)')
      const command = runHere(['restore', path, ...identityFile], target.settings)
      const waiting = `select from pg_locks where not granted and locktype = 'advisory' and objid = ${MIGRATION_LOCK}`
      await vi.waitFor(async () => expect(await server.rows(waiting)).toHaveLength(1), { timeout: 60_000 })
      return { command }
    })
    const { code, stderr } = await restoring.command
    expect([code, stderr]).toEqual([1, expect.stringContaining('the database is not empty')])
    expect(await readdir(target.folder)).toEqual([])
  })

  test('that fails while it is restored leaves nothing, and can be restored after that', async () => {
    const target = await newPlace()
    // A file in place of the folder prevents storing the images.
    await writeFile(join(target.folder, 'images'), '')
    await desk.newImage(1000)
    const withImage = await backUp()
    const failed = await runHere(['restore', withImage, ...identityFile], target.settings)
    expect(failed.code).toBe(1)
    expect(await digestTables(target.database())).toEqual({})
    expect(await readdir(target.folder)).toEqual(['images'])
    await rm(join(target.folder, 'images'))
    expect((await runHere(['restore', withImage, ...identityFile], target.settings)).code).toBe(0)
  })

  test.each([
    ['before it arrives: nothing is left', 'request', [1, /a connection was lost/], false],
    ['after it: the restore succeeds with keys and images', 'answer', [0, /^$/], true],
    [
      'and finds no database afterwards: it says that the backup is restored, and what is left to do',
      'afterwards',
      [1, /^anteroom: the backup was restored, but what follows failed: .*run anteroom migrate\n$/],
      true,
    ],
  ] as const)('whose restore loses the connection at the commit, %s', async (_, part, [code, says], isRestored) => {
    await desk.newImage(1000)
    const withImage = await backUp()
    const target = await newPlace()
    const proxy = await openLossyProxy(String(target.settings.DATABASE_URL), part)
    closers.push(proxy.close)
    const restored = await runHere(['restore', withImage, ...identityFile], {
      ...target.settings,
      DATABASE_URL: proxy.url,
    })
    expect(restored).toMatchObject({ code, stderr: expect.stringMatching(says) })
    expect(Object.keys(await digestTables(target.database())).length > 0).toBe(isRestored)
    expect((await readdir(target.folder)).includes('encryption-key')).toBe(isRestored)
    const images = await readdir(join(target.folder, 'images'), { recursive: true, withFileTypes: true })
    expect(images.some((each) => each.isFile())).toBe(isRestored)
    if (!isRestored) return
    expect((await runHere(['migrate'], target.settings)).code).toBe(0)
    const events = `select from audit_pending where act::jsonb ->> 'operation' = 'command.restore'`
    expect(await target.database().rows(events)).toHaveLength(1)
  })

  test('that fails while it is restored into a new data folder leaves no database there', async () => {
    const { folder } = await newPlace()
    await writeFile(join(folder, 'images'), '')
    const failed = await runHere(['restore', path, ...identityFile], { DATA_DIR: folder })
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('images')])
    expect(await readdir(join(folder, 'postgresql'))).not.toContain('cluster')
  })

  test('is created with a passphrase or without keys, never over another file, and never without data', async () => {
    const refused = async (args: string[], own: Settings) => {
      const { code, stderr } = await runHere(['backup', ...args], own)
      expect(code).toBe(1)
      return stderr
    }
    const bare = { ...place.settings }
    expect(await refused([join(files, 'new')], bare)).toContain('--passphrase-file or BACKUP_PASSPHRASE')
    expect(await refused([path], settings)).toContain('already exists')
    const folder = await newDataFolder()
    closers.push(folder.remove)
    expect(await refused([join(files, 'new')], { DATA_DIR: folder.path })).toContain('there is no data in')
    const words = join(files, 'passphrase')
    await writeFile(words, `${PASSPHRASE}\n`)
    const { stdout } = await runHere(['backup', files, '--passphrase-file', words, '--json'], bare)
    expect(JSON.parse(stdout)).toMatchObject({ has_keys: true, has_audit_event: true, images_missing: 0 })
    expect(JSON.parse(stdout).file).toMatch(/anteroom-\d{4}-.*\.tar\.age$/)
    expect((await readdir(files)).filter((name) => name.includes('.unfinished'))).toEqual([])
  })
})
