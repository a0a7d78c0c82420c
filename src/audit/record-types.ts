// Which record an address names.
import { isUuid } from '../http/formats.ts'
import type { StoredAuditEvent } from './event.ts'
import type { Clues } from './patients.ts'

/** What `:id` is, by the resource of the operation. */
const BY_GROUP: Record<string, string> = {
  appointments: 'appointment',
  coverages: 'coverage',
  images: 'image',
  metadataSchemas: 'metadata_schema',
  notes: 'note',
  organizationExternalProviders: 'organization_external_provider',
  patientMerges: 'patient_merge',
  patients: 'patient',
  storedChecks: 'eligibility_check',
  tags: 'tag',
}

/** What every other parameter with an id is. */
const BY_PARAMETER: Record<string, string> = {
  batch_id: 'eligibility_batch',
  check_id: 'eligibility_check',
  diagnosis_id: 'diagnosis',
  recommendation_id: 'eligibility_recommendation',
}

type NamedRecord = Required<Pick<StoredAuditEvent, 'record_type' | 'record_ids'>>

/** Records whose patient the trail looks up. */
const LEADS_TO_PATIENT = new Set(['patient', 'appointment', 'coverage', 'image', 'eligibility_check'])

/**
 * The record that an address names, the last where it names several, and what leads to its patient: that counts only where something of
 * the record was shown, and only where there is such a patient. MRNs are clues, never kept.
 */
export function recordsOf(
  operation: string,
  request: { params: unknown },
): { record: NamedRecord | undefined; clues: Clues } {
  const clues: Clues = { mrns: [], recordIds: [] }
  const group = operation.slice(0, operation.indexOf('.'))
  let record: NamedRecord | undefined
  const params = request.params as Record<string, string> | undefined
  for (const name in params) {
    const text = params[name] ?? ''
    if (name.startsWith('mrn')) clues.mrns.push(text)
    const id = uuidOf(text)
    const type = name === 'id' ? BY_GROUP[group] : BY_PARAMETER[name]
    if (name === 'mrn_or_id' && id !== undefined) clues.recordIds.push(id)
    if (type === undefined || id === undefined) continue
    record = { record_type: type, record_ids: [id] }
    if (LEADS_TO_PATIENT.has(type)) clues.recordIds.push(id)
  }
  return { record, clues }
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined
}
