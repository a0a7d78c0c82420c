// Converts between the stored form and the wire form of a record. Stored JSON is joined into the answer as text; it is
// neither parsed nor serialized again on the way out.

import { isCiphertext, type Place, type Vault } from '../platform/crypto/encryption.ts'
import type { TextRow } from '../platform/database/database.ts'
import { instantOf } from '../platform/database/instant.ts'
import type { RecordStatements } from './statements.ts'

/** The parts of a record that its wire form depends on. */
interface WireRecord {
  name: string
  encrypts?: readonly string[]
  shows?: readonly 'created_at'[]
}

/** A record whose versions can be read one by one (`readVersion`). */
export interface ReadableRecord extends WireRecord {
  statements: Pick<RecordStatements, 'history'>
}

/** The JSON text of a record from a row of `wireColumns`. */
export function toWire(record: WireRecord, row: TextRow, vault: Vault): string {
  const [id, organizationId, deactivated, version, updatedAt, userId, createdAt, body] = row as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const created = record.shows?.includes('created_at') ? `,"created_at":"${instantOf(createdAt)}"` : ''
  const base = `{"id":"${id}","organization_id":"${organizationId}","deactivated":${deactivated === 't'},"version":${version},"updated_at":"${instantOf(updatedAt)}","updating_user_id":"${userId}"${created}`
  const opened = toOpened(record, { organizationId, id }, body, vault)
  return opened === '{}' ? `${base}}` : `${base},${opened.slice(1)}`
}

/** A JSON array of texts that already are JSON. */
export function toArray(texts: string[]): string {
  return `[${texts.join(',')}]`
}

/** The record that a body belongs to. */
interface RecordKey {
  organizationId: string
  id: string
}

/** The body in its stored form: the fields that the record encrypts are encrypted, regardless of their text. */
export function toStored(record: WireRecord, key: RecordKey, body: object, vault: Vault): string {
  if (!record.encrypts) return JSON.stringify(body)
  const stored: Record<string, unknown> = { ...body }
  for (const field of record.encrypts) {
    const value = stored[field]
    if (typeof value === 'string') stored[field] = vault.encrypt(value, placeOf(record, key, field))
  }
  return JSON.stringify(stored)
}

/** A stored body as JSON text with its encrypted fields decrypted. */
export function toOpened(record: WireRecord, key: RecordKey, body: string, vault: Vault): string {
  const fields = record.encrypts?.filter((field) => body.includes(`"${field}"`)) ?? []
  if (fields.length === 0) return body
  // Parsed, so that only the body's own field is decrypted: free-form data may contain the same name and any text.
  const opened = JSON.parse(body) as Record<string, unknown>
  for (const field of fields) {
    const value = opened[field]
    if (typeof value !== 'string' || !isCiphertext(value)) continue
    // A value that cannot be decrypted belongs to another record or was altered: it is left out, and the vault reports
    // it.
    opened[field] = vault.tryDecrypt(value, placeOf(record, key, field))
  }
  return JSON.stringify(opened)
}

/** The version is not part of it: all versions of a record, in its table and its history, share one place. */
function placeOf({ name }: WireRecord, { organizationId, id }: RecordKey, field: string): Place {
  return { table: name, column: `body.${field}`, organizationId, id }
}
