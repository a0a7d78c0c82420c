// Which record an address names.
import { isUuid } from '../../contract/formats.ts'
import type { StoredAuditEvent } from './event.ts'
import type { Clues } from './patients.ts'
import type { AuditedRecord } from './whose.ts'

/** The kinds of records whose ids stand in an address, by the names of its parameters. */
export type Addresses = Readonly<Record<string, AuditedRecord>>

type NamedRecord = Required<Pick<StoredAuditEvent, 'record_type' | 'record_ids'>>

/**
 * The record that an address names, the last where it names several, and what leads to its patient: that counts only where something of
 * the record was shown, and only where there is such a patient. MRNs are clues, never kept.
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
