// A backup is a tar archive of plain files inside age: the standard commands open it, and a crafted one is validated.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { extract, type Header, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBackup } from '../../src/platform/backup/open-backup.ts'
import { restoreBackup, verifyBackup } from '../../src/platform/backup/restore-backup.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import { fixedRing, KEY_BYTES } from '../../src/platform/crypto/key-ring.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { StartupError } from '../../src/platform/startup-error.ts'
import { encryptFiles } from '../../src/platform/storage/encrypted-files.ts'
import { openLocalStorage } from '../../src/platform/storage/local.ts'
import { cloneDatabase } from '../support/database.ts'
import { digestTables } from '../support/database-contents.ts'
import { openDesk } from '../support/desk.ts'
import { runHere } from '../support/finished-command.ts'
import { newClonePlace, newDataFolder, runCommand, type Settings, startServer } from '../support/started-server.ts'
import { writeFormat1 } from './format-1-writer.ts'

const PASSPHRASE = 'a passphrase of several words'
const SILENT: Settings = { WORKER_CONCURRENCY: '0' }
/** The organization and the upload of an image that no backup names. */
const NO_KEY = '00000000-0000-4000-8000-000000000001/00000000-0000-4000-8000-000000000002'

interface Table {
  name: string
  columns: string[]
  rows: number
}

/** The parts of a manifest that tests change. */
interface ManifestText {
  tables: [Table, Table, Table, Table]
  migrations: object
  sequences: object
}

interface File {
  header: Pick<Header, 'name' | 'type'> & { linkname?: string | null }
  bytes: Buffer
}

let folder = ''
let settings: Settings = {}
let image: { bytes: Buffer }
let identity = ''
let recipient = ''
let backup = ''
const closers: (() => unknown)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-formats-'))
  const place = await newClonePlace()
  closers.push(place.remove)
  settings = { ...place.settings, ...SILENT }
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  await writeFile(join(folder, 'identity.txt'), `# created: today\n${identity}\n`)
  const server = await startServer(settings)
  closers.push(server.kill)
  const desk = await openDesk(server.url, await server.newCredentials())
  await desk.newPatient()
  image = await desk.newImage(100_000)
  backup = join(folder, 'whole.tar.age')
  const { code, stderr } = await runCommand(['backup', backup, '--recipient', recipient], settings)
  expect(code, stderr).toBe(0)
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  await rm(folder, { recursive: true, force: true })
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Installs Debian's age if possible; otherwise returns the reason. */
function ageOrReason(): string | undefined {
  const isThere = () => spawnSync('age', ['--version']).status === 0
  if (isThere()) return undefined
  if (process.getuid?.() !== 0) return 'age is not installed, and only root can install it'
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'age'], { stdio: 'ignore' })
  // Reading the lists of packages takes far longer than all tests of this file.
  if (install().status !== 0) {
    spawnSync('apt-get', ['update'], { stdio: 'ignore' })
    install()
  }
  return isThere() ? undefined : 'age is not installed, and apt-get could not install it'
}

describe('the standard commands age and tar', () => {
  const reason = ageOrReason()
  if (reason) console.warn(`backup-format.test.ts: ${reason}, so what concerns it is left out`)

  test.skipIf(reason)('open a backup for a recipient, with every table and image in plain form', async () => {
    const place = join(folder, 'opened')
    await mkdir(place)
    const script = 'set -o pipefail; age -d -i "$1" "$2" | tar -x -C "$3"'
    execFileSync('bash', ['-c', script, 'bash', join(folder, 'identity.txt'), backup, place])
    const manifest = JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ format: 2, has_keys: true })
    const source = openDatabase({ connectionString: settings.DATABASE_URL ?? '' }, { onError() {} })
    closers.push(source.close)
    for (const { name, columns, rows, bytes, sha256 } of manifest.tables) {
      const text = await readFile(join(place, 'tables', `${name}.copy`))
      const lines = text.toString('utf8').split('\n').slice(0, -1)
      expect([text.length, digest(text), lines.length], name).toEqual([bytes, sha256, rows])
      for (const line of lines) expect(line.split('\t'), name).toHaveLength(columns.length)
    }
    const [patient] = (await readFile(join(place, 'tables', 'patient.copy'), 'utf8')).split('\n')
    const row = await source.systemDatabase.row('select id, body from patient')
    expect(patient?.split('\t')).toEqual(expect.arrayContaining(row ?? []))
    const names = await readdir(join(place, 'images'), { recursive: true })
    const [name] = names.filter((each) => each.includes('/'))
    expect((await readFile(join(place, 'images', name ?? ''))).equals(image.bytes)).toBe(true)
    expect(await readFile(join(place, 'README.txt'), 'utf8')).toContain('age -d')
    expect(await readFile(join(place, 'encryption-key'), 'utf8')).toBe(
      await readFile(join(settings.DATA_DIR ?? '', 'encryption-key'), 'utf8'),
    )
  })

  // age reads a passphrase only from a terminal, which `script` of util-linux provides.
  const noTerminal = reason ?? (spawnSync('script', ['--version']).status === 0 ? undefined : 'there is no `script`')
  test.skipIf(noTerminal)(
    'open one under a passphrase, and one without keys with the encryption key as it',
    async () => {
      const withoutKeys = join(folder, 'without-keys.tar.age')
      const made = await runCommand(['backup', withoutKeys, '--without-keys'], settings)
      expect(made.code, made.stderr).toBe(0)
      const withWords = join(folder, 'words.tar.age')
      const other = await runCommand(['backup', withWords], { ...settings, BACKUP_PASSPHRASE: PASSPHRASE })
      expect(other.code, other.stderr).toBe(0)
      const key = (await readFile(join(settings.DATA_DIR ?? '', 'encryption-key'), 'utf8')).trim()
      for (const [file, passphrase] of [
        [withoutKeys, key],
        [withWords, PASSPHRASE],
      ] as const) {
        const opened = `${file}.tar`
        const command = `sleep 1; printf '%s\\n' '${passphrase}'`
        const script = `(${command}) | script -qec "age -d -o '${opened}' '${file}'" /dev/null`
        const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
        expect(status, stdout).toBe(0)
        const listed = execFileSync('tar', ['-tf', opened], { encoding: 'utf8' }).split('\n')
        expect(listed).toEqual(expect.arrayContaining(['manifest.json', 'tables/patient.copy', 'complete.json']))
        expect(listed.includes('encryption-key')).toBe(file === withWords)
      }
    },
  )
})

/** The files of a backup for the recipient. */
async function filesOf(path: string): Promise<File[]> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const archive = extract()
  Readable.from([Buffer.from(await decrypter.decrypt(await readFile(path)))]).pipe(archive)
  const files: File[] = []
  for await (const entry of archive) {
    files.push({ header: entry.header, bytes: await buffer(entry as unknown as Readable) })
  }
  return files
}

async function archiveOf(files: File[]): Promise<Buffer> {
  const archive = pack()
  for (const { header, bytes } of files) {
    const { name, type, linkname } = header
    archive.entry({ name, type: type ?? 'file', ...(linkname && { linkname }), size: bytes.length }, bytes)
  }
  archive.finalize()
  return buffer(archive as unknown as Readable)
}

async function encrypted(archive: Buffer): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return Buffer.from(await encrypter.encrypt(archive))
}

/** Where the crafted backups name files; a machine may have such files already. */
const ROOTS = ['/x', '/tmp/x']

/** An empty database and folder, with files beside and above it that must not change. */
async function newTarget(): Promise<{ own: Settings; expectUntouched(what: string): Promise<void> }> {
  const [clone, outer] = await Promise.all([cloneDatabase('anteroom_empty'), newDataFolder()])
  closers.push(clone.drop, outer.remove)
  const data = join(outer.path, 'data')
  const images = join(data, 'images')
  await mkdir(join(images, 'incoming'), { recursive: true })
  const sentinels = [join(outer.path, 'x'), join(data, 'x'), join(images, 'x'), join(images, 'incoming', 'x')]
  for (const path of sentinels) await writeFile(path, 'untouched')
  const before = (await readdir(outer.path, { recursive: true })).sort()
  const existing = ROOTS.filter(existsSync)
  const own = { DATABASE_URL: clone.url, DATA_DIR: data, BACKUP_PASSPHRASE: PASSPHRASE, ...SILENT }
  return {
    own,
    async expectUntouched(what) {
      expect((await readdir(outer.path, { recursive: true })).sort(), what).toEqual(before)
      for (const path of sentinels) expect(await readFile(path, 'utf8'), what).toBe('untouched')
      expect(ROOTS.filter(existsSync), what).toEqual(existing)
      expect(await digestTables(clone.database.systemDatabase), what).toEqual({})
    },
  }
}

/** Runs the command's code without a process for each file; returns the reason of a refusal, or undefined. */
async function refusalOf(path: string, own: Settings): Promise<unknown> {
  try {
    const file = await openBackup(path, { passphrase: PASSPHRASE, identities: [identity], ring: undefined })
    const { ring } = await verifyBackup(file, async () => {})
    const keys = ring ?? fixedRing([Buffer.alloc(KEY_BYTES, 1)])
    const storage = encryptFiles(openLocalStorage(join(own.DATA_DIR ?? '', 'images')), createVault(keys))
    await restoreBackup(file, { connection: { connectionString: own.DATABASE_URL ?? '' }, storage })
    return undefined
  } catch (error) {
    return error
  }
}

const named = (name: string, bytes: Buffer | string = 'x', type: Header['type'] = 'file'): File => ({
  header: { name, type },
  bytes: Buffer.from(bytes),
})

/** The files, with one replaced by the result of `change`. */
const changed = (files: File[], name: RegExp, change: (file: File) => File[]) => {
  expect(files.some(({ header }) => name.test(header.name))).toBe(true)
  return files.flatMap((file) => (name.test(file.header.name) ? change(file) : [file]))
}

const json = (change: (value: ManifestText) => void) => (file: File) => {
  const value = JSON.parse(file.bytes.toString())
  change(value)
  return [{ ...file, bytes: Buffer.from(JSON.stringify(value)) }]
}

const renamed = (name: string) => (file: File) => [{ ...file, header: { ...file.header, name } }]

const OUTSIDE = ['/x', '../../x', 'images/../../x', 'images/..\\..\\x', './x']

describe('a backup from another source', () => {
  const crafted: [string, (files: File[]) => File[]][] = [
    ...OUTSIDE.map((name): [string, (files: File[]) => File[]] => [
      `an image with the name ${name}`,
      (files) => changed(files, /^images\//, renamed(name)),
    ]),
    ...OUTSIDE.map((name): [string, (files: File[]) => File[]] => [
      `one more file with the name ${name}`,
      (files) => changed(files, /^complete/, (file) => [named(name), file]),
    ]),
    ['a NUL in a name', (files) => changed(files, /^images\//, renamed(`images/${NO_KEY}\0x`))],
    ['an image that no row names', (files) => changed(files, /^images\//, renamed(`images/${NO_KEY}`))],
    ['an image twice', (files) => changed(files, /^images\//, (file) => [file, file])],
    [
      'an image that is longer',
      (files) => changed(files, /^images\//, (f) => [{ ...f, bytes: Buffer.alloc(200_000) }]),
    ],
    ['an image that is missing', (files) => changed(files, /^images\//, () => [])],
    ...(['symlink', 'link', 'fifo', 'directory', 'character-device'] as const).map(
      (type): [string, (files: File[]) => File[]] => [
        `a ${type}`,
        (files) =>
          changed(files, /^images\//, (file) => [
            { header: { name: file.header.name, type, linkname: '/tmp/x' }, bytes: Buffer.alloc(0) },
            file,
          ]),
      ],
    ),
    ['no completion', (files) => changed(files, /^complete/, () => [])],
    ['something behind its end', (files) => [...files, named('x')]],
    ['no manifest', (files) => changed(files, /^manifest/, () => [])],
    ['a manifest that is no JSON', (files) => changed(files, /^manifest/, () => [named('manifest.json', '{')])],
    [
      'a manifest of 5 MB',
      (files) => changed(files, /^manifest/, () => [named('manifest.json', ' '.repeat(5_000_000))]),
    ],
    [
      'a format of later',
      (files) =>
        changed(
          files,
          /^manifest/,
          json((value) => Object.assign(value, { format: 9 })),
        ),
    ],
    [
      'a table that does not exist',
      (files) =>
        changed(
          changed(
            files,
            /^manifest/,
            json(({ tables }) => Object.assign(tables[3], { name: 'no_such_table' })),
          ),
          new RegExp(`^tables/${tableNameAt(files, 3)}.copy`),
          renamed('tables/no_such_table.copy'),
        ),
    ],
    [
      'a table that is a path',
      (files) =>
        changed(
          changed(
            files,
            /^manifest/,
            json(({ tables }) => Object.assign(tables[3], { name: '../../x' })),
          ),
          new RegExp(`^tables/${tableNameAt(files, 3)}.copy`),
          renamed('tables/../../x.copy'),
        ),
    ],
    [
      'a table that is missing',
      (files) =>
        changed(
          changed(
            files,
            /^manifest/,
            json(({ tables }) => tables.splice(3, 1)),
          ),
          new RegExp(`^tables/${tableNameAt(files, 3)}.copy`),
          () => [],
        ),
    ],
    ['a table twice', (files) => changed(files, /^tables\/patient.copy/, (file) => [file, file])],
    [
      'a column that is SQL',
      (files) =>
        changed(
          files,
          /^manifest/,
          json(({ tables }) => tables[3].columns.push("x) from program 'touch /tmp/x' --")),
        ),
    ],
    [
      'fewer rows than it says',
      (files) =>
        changed(
          files,
          /^manifest/,
          json(({ tables }) => {
            tables[3].rows += 1
          }),
        ),
    ],
    [
      'other bytes than it says',
      (files) =>
        changed(files, /^tables\/patient.copy/, (f) => [
          { ...f, bytes: Buffer.from(f.bytes.toString().replace('USUAL', 'MAIDN')) },
        ]),
    ],
    [
      'an unknown migration',
      (files) =>
        changed(
          files,
          /^manifest/,
          json(({ migrations }) => Object.assign(migrations, { '9999_x.sql': 'x' })),
        ),
    ],
    [
      'an unknown sequence',
      (files) =>
        changed(
          files,
          /^manifest/,
          json(({ sequences }) => Object.assign(sequences, { pg_class: ['1', true] })),
        ),
    ],
  ]

  test('is refused in one line for anything that a backup cannot contain, and nothing is created or removed', async () => {
    const files = await filesOf(backup)
    const { own, expectUntouched } = await newTarget()
    const path = join(folder, 'crafted.tar.age')
    for (const [what, change] of crafted) {
      await writeFile(path, await encrypted(await archiveOf(change(files))))
      const refusal = await refusalOf(path, own)
      expect(refusal, what).toBeInstanceOf(StartupError)
      expect(String(refusal).split('\n'), what).toHaveLength(1)
      await expectUntouched(what)
    }
    const archive = await archiveOf(files)
    for (const bytes of [archive.subarray(0, archive.length / 2), Buffer.concat([archive, Buffer.alloc(512, 'x')])]) {
      await writeFile(path, await encrypted(bytes))
      expect(String(await refusalOf(path, own))).toContain('is damaged')
      await expectUntouched('an archive that was cut off or goes on')
    }
    // Unchanged, the same archive is accepted.
    await writeFile(path, await encrypted(archive))
    const good = await runHere(['restore', path, '--identity-file', join(folder, 'identity.txt')], own)
    expect(good.code, good.stderr).toBe(0)
  })

  test('is refused in the earlier format too, and nothing is created or removed', async () => {
    const { own, expectUntouched } = await newTarget()
    const state = { type: 'state', migrations: {}, sequences: {} }
    const heads: [string, object[]][] = [
      ...OUTSIDE.map((key): [string, object[]] => [
        `an image ${key}`,
        [state, { type: 'image', key, content_type: 'x' }],
      ]),
      ['an image without a row', [state, { type: 'image', key: NO_KEY, content_type: 'image/png' }]],
      ['an unknown table', [state, { type: 'table', name: 'no_such_table', columns: ['a'] }]],
      ['a table of the system', [state, { type: 'table', name: 'pg_authid', columns: ['rolname'] }]],
      ['SQL for a name', [state, { type: 'table', name: "a\" (b) from program 'touch /tmp/x'--", columns: ['a'] }]],
      ['no state', [{ type: 'image', key: NO_KEY, content_type: 'image/png' }]],
      ['two states', [state, state]],
      ['an unknown kind', [state, { type: 'link', key: '/tmp/x' }]],
      ['no head', [null as unknown as object]],
      ['nothing', []],
    ]
    const path = join(folder, 'crafted.backup')
    for (const [what, entries] of heads) {
      await writeFile(path, await writeFormat1(entries, PASSPHRASE))
      const refusal = await refusalOf(path, own)
      expect(refusal, what).toBeInstanceOf(StartupError)
      expect(String(refusal).split('\n'), what).toHaveLength(1)
      await expectUntouched(what)
    }
    const { code, stdout, stderr } = await runHere(['restore', path], own)
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.any(String)]])
    await expectUntouched('the command itself')
  })

  test('that fails removes no image that was in the storage before', async () => {
    const files = await filesOf(backup)
    const { own, expectUntouched } = await newTarget()
    const good = join(folder, 'good.tar.age')
    await writeFile(good, await encrypted(await archiveOf(files)))
    const identityFile = ['--identity-file', join(folder, 'identity.txt')]
    expect((await runHere(['restore', good, ...identityFile], own)).code).toBe(0)
    const names = (await readdir(join(own.DATA_DIR ?? '', 'images'), { recursive: true })).sort()
    const key = (await readFile(join(own.DATA_DIR ?? '', 'encryption-key'), 'utf8')).trim()
    // Into another database with the same images: equal bytes are accepted, other bytes are not replaced.
    const second = await newTarget()
    const again = { ...own, DATABASE_URL: second.own.DATABASE_URL ?? '', ENCRYPTION_KEY: key }
    const other = changed(files, /^images\//, (file) => [{ ...file, bytes: Buffer.from(file.bytes).fill(7) }])
    await writeFile(join(folder, 'other.tar.age'), await encrypted(await archiveOf(other)))
    const refused = await runHere(['restore', join(folder, 'other.tar.age'), ...identityFile], again)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is already in the storage')])
    expect((await readdir(join(own.DATA_DIR ?? '', 'images'), { recursive: true })).sort()).toEqual(names)
    await second.expectUntouched('the second database')
    const taken = await runHere(['restore', good, ...identityFile], again)
    expect(taken.code, taken.stderr).toBe(0)
    expect((await readdir(join(own.DATA_DIR ?? '', 'images'), { recursive: true })).sort()).toEqual(names)
    void expectUntouched
  })
})

function tableNameAt(files: File[], index: number): string {
  const manifest = files.find(({ header }) => header.name === 'manifest.json')
  return JSON.parse(String(manifest?.bytes)).tables[index].name
}

test('a backup of an earlier release is restored with its keys, its patients and its images', async () => {
  const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)
  const expected = JSON.parse(await readFile(fixture('backup-format-1.json'), 'utf8'))
  for (const [name, own] of [
    ['backup-format-1.backup', { BACKUP_PASSPHRASE: PASSPHRASE }],
    ['backup-format-1-without-keys.backup', { ENCRYPTION_KEY: expected.encryption_key }],
  ] as const) {
    const { own: empty } = await newTarget()
    const { BACKUP_PASSPHRASE: _, ...elsewhere } = empty
    const target = { ...elsewhere, ...own }
    const { code, stderr } = await runHere(['restore', fixture(name)], target)
    expect(code, stderr).toBe(0)
    const server = await startServer(target)
    closers.push(server.kill)
    const desk = await openDesk(server.url, expected.credentials)
    for (const [index, id] of expected.patients.entries()) {
      const { status, body } = await desk.call('GET', `/patients/v1/${id}`)
      expect([status, body.version, body.social_security_number]).toEqual([200, index + 1, '123-45-6789'])
    }
    const { body } = await desk.call('GET', `/images/v1/${expected.image}`)
    const content = Buffer.from(await (await fetch(String(body.signed_url))).arrayBuffer())
    expect(digest(content)).toBe(expected.image_sha256)
    await server.stop()
  }
})

test('a read-only database can be backed up, and the command reports that the trail has no event', async () => {
  const clone = await newClonePlace()
  closers.push(clone.remove)
  const started = await startServer({ ...clone.settings, ...SILENT })
  await started.stop()
  const admin = openDatabase({ connectionString: clone.settings.DATABASE_URL ?? '' }, { onError() {} })
  closers.push(admin.close)
  const [name] = (await admin.systemDatabase.row('select current_database()')) ?? []
  await admin.systemDatabase.rows(`alter database ${name} set default_transaction_read_only = on`)
  const path = join(folder, 'replica.tar.age')
  const made = await runHere(['backup', path, '--recipient', recipient, '--json'], clone.settings)
  expect(made.code, made.stderr).toBe(0)
  expect(JSON.parse(made.stdout)).toMatchObject({ has_audit_event: false })
  expect(made.stderr).toContain('its audit trail has no event for this backup')
  const { own } = await newTarget()
  const restored = await runHere(['restore', path, '--identity-file', join(folder, 'identity.txt')], own)
  expect(restored.code, restored.stderr).toBe(0)
})
