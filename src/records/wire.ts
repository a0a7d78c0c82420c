// Between the stored form and the wire form of a record. Stored JSON is joined into the answer as text: it is neither parsed
// nor written again on the way out.
import type { TextRow } from '../database/database.ts'
import { SEALED_PREFIX, type Vault } from '../encryption.ts'
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
  const opened = toOpened(record, body, vault)
  return opened === '{}' ? `${base}}` : `${base},${opened.slice(1)}`
}

/** A JSON array of texts that are JSON already. */
export function toArray(texts: string[]): string {
  return `[${texts.join(',')}]`
}

/** The body as it is stored: fields that the record seals are encrypted. */
export function toStored(record: VersionedRecord, body: object, vault: Vault): string {
  if (!record.seals) return JSON.stringify(body)
  const stored: Record<string, unknown> = { ...body }
  for (const field of record.seals) {
    const value = stored[field]
    if (typeof value === 'string') stored[field] = vault.seal(value)
  }
  return JSON.stringify(stored)
}

/** A stored body as JSON text with its sealed fields opened. */
export function toOpened(record: VersionedRecord, body: string, vault: Vault): string {
  return record.seals ? openSealed(body, record.seals, vault) : body
}

function openSealed(body: string, fields: readonly string[], vault: Vault): string {
  let text = body
  for (const field of fields) {
    // jsonb prints its keys as `"key": value`; a sealed value is plain ASCII, so it ends at the next quote.
    const key = `"${field}": "`
    let start = text.indexOf(`${key}${SEALED_PREFIX}`)
    while (start !== -1) {
      const from = start + key.length
      const to = text.indexOf('"', from)
      const opened = vault.tryOpen(text.slice(from, to))
      // A client's own text may look sealed somewhere in free-form data; it is not, and stays as it is.
      if (opened !== undefined) text = `${text.slice(0, from - 1)}${JSON.stringify(opened)}${text.slice(to + 1)}`
      start = text.indexOf(`${key}${SEALED_PREFIX}`, from)
    }
  }
  return text
}
