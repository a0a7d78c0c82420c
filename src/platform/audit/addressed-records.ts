// Finds the record that a request path names.
import { isUuid } from '../../contract/formats.ts'
import type { AuditedRecord } from './audited-record.ts'
import type { Clues, StoredAuditEvent } from './event.ts'

/** The record types whose ids occur in paths, by the names of the path parameters. */
export type Addresses = Readonly<Record<string, AuditedRecord>>

type NamedRecord = Required<Pick<StoredAuditEvent, 'record_type' | 'record_ids'>>

/**
 * The record that a path names (the last one where it names several), and the clues that lead to its patient. Clues
 * count only when data of the record was shown and the patient exists. MRNs are clues, and are never stored.
 */
export function recordsOf(
  addresses: Addresses,
  request: { params: unknown },
): { record: NamedRecord | undefined; clues: Clues } {
  const clues: Clues = { mrns: [], recordIds: [] }
  let record: NamedRecord | undefined
  const params = request.params as Record<string, string> | undefined
  for (const name in params) {
    const text = params[name] ?? ''
    if (name.startsWith('mrn')) clues.mrns.push(text)
    const id = uuidOf(text)
    const kind = addresses[name]
    if (name === 'mrn_or_id' && id !== undefined) clues.recordIds.push(id)
    if (kind === undefined || id === undefined) continue
    record = { record_type: kind.name, record_ids: [id] }
    if (kind.patients !== 'none') clues.recordIds.push(id)
  }
  return { record, clues }
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined
}
