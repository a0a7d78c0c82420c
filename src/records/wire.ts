// Between the stored form and the wire form of a record. Stored JSON is joined into the answer as text: it is neither parsed
// nor written again on the way out.

import { isCiphertext, type Place, type Vault } from '../platform/crypto/encryption.ts'
import type { TextRow } from '../platform/database/database.ts'
import type { VersionedRecord } from './record.ts'

/** A record's JSON text from a row of `wireColumns`. */
export function toWire(record: VersionedRecord, row: TextRow, vault: Vault): string {
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
  const created = record.shows?.includes('created_at') ? `,"created_at":"${createdAt}"` : ''
  const base = `{"id":"${id}","organization_id":"${organizationId}","deactivated":${deactivated === 't'},"version":${version},"updated_at":"${updatedAt}","updating_user_id":"${userId}"${created}`
  const opened = toOpened(record, { organizationId, id }, body, vault)
  return opened === '{}' ? `${base}}` : `${base},${opened.slice(1)}`
}

/** A JSON array of texts that are JSON already. */
export function toArray(texts: string[]): string {
  return `[${texts.join(',')}]`
}

/** Which record a body belongs to. */
export interface RecordKey {
  organizationId: string
  id: string
}

/** The body as it is stored: fields that the record encrypts are encrypted, whatever text they hold. */
export function toStored(record: VersionedRecord, key: RecordKey, body: object, vault: Vault): string {
  if (!record.encrypts) return JSON.stringify(body)
  const stored: Record<string, unknown> = { ...body }
  for (const field of record.encrypts) {
    const value = stored[field]
    if (typeof value === 'string') stored[field] = vault.encrypt(value, placeOf(record, key, field))
  }
  return JSON.stringify(stored)
}

/** A stored body as JSON text with its encrypted fields opened. */
export function toOpened(record: VersionedRecord, key: RecordKey, body: string, vault: Vault): string {
  const fields = record.encrypts?.filter((field) => body.includes(`"${field}"`)) ?? []
  if (fields.length === 0) return body
  // Parsed, so that nothing but the body's own field is opened: free-form data may hold the same name and any text.
  const opened = JSON.parse(body) as Record<string, unknown>
  for (const field of fields) {
    const value = opened[field]
    if (typeof value !== 'string' || !isCiphertext(value)) continue
    // One that does not open is of another record, or was changed: it is left out, and the vault tells of it.
    opened[field] = vault.tryDecrypt(value, placeOf(record, key, field))
  }
  return JSON.stringify(opened)
}

/** Without the version: every version of a record, in its table and in its history, is one place. */
function placeOf({ name }: VersionedRecord, { organizationId, id }: RecordKey, field: string): Place {
  return { table: name, column: `body.${field}`, organizationId, id }
}
