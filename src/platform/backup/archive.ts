// Format 2 of a backup: a tar archive of plain files. decisions/0018-open-backups.md
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { StartupError } from '../startup-error.ts'
import { type Entry, Level, readSmall, Table } from './entries.ts'
import { readmeText } from './readme-text.ts'
import { damagedBackup, unknownFormat } from './refusals.ts'
import { readTar, type TarFile, writeTar } from './tar.ts'

const Count = Type.Integer({ minimum: 0 })
const FORMAT = 2

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  created_at: Type.String(),
  has_keys: Type.Boolean(),
  ...Level.properties,
  tables: Type.Array(
    Type.Object({ ...Table.properties, rows: Count, bytes: Count, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
})
export type Manifest = Static<typeof Manifest>
export type DescribedTable = Manifest['tables'][number]

/** The last file: without it the archive is incomplete. */
const Completion = Type.Object({ images: Count, images_missing: Count, bytes_of_images: Count })
type Completion = Static<typeof Completion>

const README = 'README.txt'
const MANIFEST = 'manifest.json'
const KEYS = 'encryption-key'
const COMPLETION = 'complete.json'
const fileOfTable = (name: string) => `tables/${name}.copy`
const IMAGES = 'images/'
const MAX_SMALL_BYTES = 4 * 1024 * 1024

export interface ArchiveSource {
  manifest: Manifest
  /** The text of the key file, when the keys are in the backup. */
  keys: string | undefined
  /** The output of COPY for a table: as many bytes as the manifest states. */
  copyTable(table: DescribedTable): AsyncIterable<Buffer>
  /** In ascending order of keys. */
  images(): AsyncIterable<{ key: string; size: number; data: AsyncIterable<Buffer> }>
  /** Called once every image has been written. */
  completion(): Completion
}

/** The archive of all data. */
export function writeArchive(source: ArchiveSource): AsyncGenerator<Buffer> {
  return writeTar(filesOf(source), new Date(source.manifest.created_at))
}

async function* filesOf({ manifest, keys, copyTable, images, completion }: ArchiveSource): AsyncGenerator<TarFile> {
  yield textFile(README, readmeText)
  yield textFile(MANIFEST, jsonText(manifest))
  if (keys !== undefined) yield textFile(KEYS, keys)
  for (const table of manifest.tables) {
    yield { name: fileOfTable(table.name), size: table.bytes, data: copyTable(table) }
  }
  for await (const { key, size, data } of images()) yield { name: `${IMAGES}${key}`, size, data }
  yield textFile(COMPLETION, jsonText(completion()))
}

/**
 * The entries of an archive. Every file must be the next one in the manifest, with the stated bytes.
 * @throws StartupError otherwise.
 */
export async function* readArchive(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  for await (const { head, data } of explained(entriesFrom(readTar(bytes)))) yield { head, data: explained(data) }
}

/**
 * Errors of the decryption and of the archive reader get the same message, because the difference does not help a
 * person.
 */
async function* explained<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw error instanceof StartupError ? error : damagedBackup({ cause: error })
  }
}

async function* entriesFrom(files: AsyncGenerator<TarFile>): AsyncGenerator<Entry> {
  const next = async (name: string): Promise<TarFile> => {
    const { done, value } = await files.next()
    if (done || value.name !== name) throw damagedBackup()
    return value
  }
  try {
    await readSmall((await next(README)).data, MAX_SMALL_BYTES)
    const manifest = parseManifest(await readSmall((await next(MANIFEST)).data, MAX_SMALL_BYTES))
    const { migrations, sequences } = manifest
    yield { head: { type: 'state', migrations, sequences }, data: nothing() }
    if (manifest.has_keys) yield { head: { type: 'keys' }, data: (await next(KEYS)).data }
    for (const table of manifest.tables) {
      const { size, data } = await next(fileOfTable(table.name))
      if (size !== table.bytes) throw damagedBackup()
      const { name, columns, rows } = table
      yield { head: { type: 'table', name, columns, rows }, data: proven(data, table.sha256) }
    }
    yield* imagesFrom(files)
  } finally {
    await files.return(undefined)
  }
}

async function* imagesFrom(files: AsyncGenerator<TarFile>): AsyncGenerator<Entry> {
  let [images, bytes] = [0, 0]
  for await (const { name, size, data } of files) {
    if (name === COMPLETION) {
      const completion = parse(Completion, await readSmall(data, MAX_SMALL_BYTES))
      if (completion.images !== images || completion.bytes_of_images !== bytes) throw damagedBackup()
      if (!(await files.next()).done) throw damagedBackup()
      return
    }
    if (!name.startsWith(IMAGES)) throw damagedBackup()
    images += 1
    bytes += size
    yield { head: { type: 'image', key: name.slice(IMAGES.length) }, data }
  }
  throw damagedBackup()
}

/** @throws StartupError at the end when the bytes do not have this hash. */
async function* proven(data: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of data) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw damagedBackup()
}

function parseManifest(text: Buffer): Manifest {
  const { format } = parse(Type.Object({ format: Type.Integer() }), text)
  if (format !== FORMAT) {
    throw unknownFormat(format)
  }
  return parse(Manifest, text)
}

function parse<T extends typeof Manifest | typeof Completion | ReturnType<typeof Type.Object>>(
  schema: T,
  text: Buffer,
): Static<T> {
  const value = JSON.parse(text.toString('utf8'))
  if (!Value.Check(schema, value)) throw damagedBackup()
  return value as Static<T>
}

function textFile(name: string, text: string): TarFile {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, data: once(bytes) }
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function* nothing(): AsyncGenerator<Buffer> {}
