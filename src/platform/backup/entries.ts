// The contents of a backup of any format, and the rules that its entries must satisfy before they are used.
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isStorageKey } from '../storage/storage.ts'
import { damagedBackup } from './refusals.ts'

/** The PostgreSQL names that Anteroom uses: they need no quotes and cannot be a path. */
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

export const Level = Type.Object({
  /** The name and SHA-256 of each migration that the database has. */
  migrations: Type.Record(Type.String({ pattern: '^[0-9]{4}_[a-z0-9_]+\\.sql$' }), Type.String(), {
    additionalProperties: false,
  }),
  /** The state of each sequence: its value, and whether that value was used. */
  sequences: Type.Record(Name, Type.Tuple([Type.String({ pattern: '^[0-9]{1,19}$' }), Type.Boolean()]), {
    additionalProperties: false,
  }),
})

export const Table = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1, maxItems: 1600, uniqueItems: true }),
})

const State = Type.Object({ type: Type.Literal('state'), ...Level.properties })
const Keys = Type.Object({ type: Type.Literal('keys') })
const TableHead = Type.Object({ type: Type.Literal('table'), ...Table.properties, rows: Type.Optional(Type.Integer()) })
const ImageHead = Type.Object({ type: Type.Literal('image'), key: Type.String() })
export const EntryHead = Type.Union([State, Keys, TableHead, ImageHead])
export type EntryHead = Static<typeof EntryHead>

export interface Entry {
  head: EntryHead
  /** Must be read to the end before the next entry. */
  data: AsyncIterable<Buffer>
}

/**
 * The entries, each checked to have a kind, name and position that a backup can have: the state, the keys, the tables,
 * then the images in order of their keys. Ascending keys rule out duplicates in any number of images.
 * @throws StartupError at the first invalid entry.
 */
export async function* checkEntries(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  const tables = new Set<string>()
  let last: EntryHead | undefined
  for await (const entry of entries) {
    const { head } = entry
    if (!Value.Check(EntryHead, head) || !mayFollow(head, last)) throw damagedBackup()
    if (head.type === 'table') {
      if (tables.has(head.name)) throw damagedBackup()
      tables.add(head.name)
    }
    last = head
    yield entry
  }
  if (last === undefined) throw damagedBackup()
}

const ORDER: readonly EntryHead['type'][] = ['state', 'keys', 'table', 'image']

/** A backup begins with its state; only tables and images come more than once. */
function mayFollow(head: EntryHead, last: EntryHead | undefined): boolean {
  if (head.type === 'image' && !isStorageKey(head.key)) return false
  if (last === undefined) return head.type === 'state'
  if (head.type !== last.type) return ORDER.indexOf(head.type) > ORDER.indexOf(last.type)
  return head.type === 'table' || (head.type === 'image' && last.type === 'image' && head.key > last.key)
}

/** @throws StartupError beyond the limit. */
export async function readSmall(data: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of data) {
    bytes += piece.length
    if (bytes > maxBytes) throw damagedBackup()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
