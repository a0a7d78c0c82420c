// Finds the patients whose data an answer shows. Answers are JSON text, which is searched for ids.

import type { Database, Statement } from '../database/database.ts'
import { ofUnknownLength } from '../database/statements/unknown-length.ts'
import { type AuditedRecord, onePatientARow } from './audited-record.ts'
import { type Clues, cleanIds, type NotedEvent } from './event.ts'

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
// A quotation mark within a text is escaped, so a text cannot look like a key.
const NAMED = new RegExp(`"(?:existing_)?patient(?:_id)?": ?(?:\\{"id": ?)?"(${UUID})"`, 'g')
const OWN = new RegExp(`\\{"id":"(${UUID})","organization_id"`, 'g')
const MRN = /"(?:(?:alternative|primary)_patient_mrn|primary_mrn)": ?("(?:[^"\\]|\\.)*")/g
const MRNS = /"alternative_mrns": ?(\[(?:"(?:[^"\\]|\\.)*"|[, ])+\])/g
const LEADING = new RegExp(`"(?:coverage|appointment)(?:_id)?": ?(?:\\{"id": ?)?"(${UUID})"`, 'g')

/**
 * The patients that an answer names, each once, in lower case; with `isOfPatients` the records of the answer are
 * patients themselves.
 */
export function patientsIn(text: string, isOfPatients: boolean): string[] {
  const found = matches(text, isOfPatients ? OWN : NAMED)
  const ids = found.length > 1 ? [...new Set(found)] : found
  // Copied: V8 represents a match as a slice of the answer, which would keep the whole answer in memory until the event
  // is stored.
  return ids.length === 0 ? [] : `${ids.join()},`.toLowerCase().slice(0, -1).split(',')
}

/** The clues to patients in an answer. */
export function cluesIn(text: string): Clues {
  const mrns = matches(text, MRN).map((mrn) => JSON.parse(mrn) as string)
  const more = matches(text, MRNS).flatMap((several) => JSON.parse(several) as string[])
  return { mrns: [...mrns, ...more], recordIds: matches(text, LEADING) }
}

function matches(text: string, pattern: RegExp): string[] {
  const found: string[] = []
  // Reset and reused, because `matchAll` would copy the pattern for every text.
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match[1] ?? '')
  return found
}

/**
 * Finds the patients of clues: $1 organization, $2 MRNs, $3 ids of `records`. Returns rows of a clue and a patient; a
 * clue may have none or several.
 */
export function patientsByClue(records: readonly AuditedRecord[]): Statement {
  const ids = ofUnknownLength('$3', 'uuid')
  const ofRecords = records
    .filter(({ patients }) => patients !== 'none')
    .map((record) => {
      const { patient, join } = onePatientARow(record, 'r')
      return `select r.id::text, ${patient} from ${record.name} r ${join} where r.organization_id = $1 and r.id = any(${ids})`
    })
  const byMrn = `select mrn, id::text from patient where organization_id = $1 and mrn = any(${ofUnknownLength('$2', 'text')})`
  return { name: 'audit_patients_by_clue', text: [byMrn, ...ofRecords].join('\n    union all\n    ') }
}

/** Resolves the clues of all events that have some, in one query (`patientsByClue`). */
export async function findPatients(
  database: Database,
  byClue: Statement,
  organizationId: string,
  noted: NotedEvent[],
): Promise<void> {
  const mrns = noted.flatMap(({ clues }) => clues?.mrns ?? [])
  const recordIds = cleanIds(noted.flatMap(({ clues }) => clues?.recordIds ?? []))
  if (mrns.length + recordIds.length === 0) return
  const storable = mrns.filter((mrn) => !mrn.includes('\0'))
  const rows = await database.rows(byClue, [organizationId, storable, recordIds])
  const known = new Map<string, (string | null)[]>()
  for (const [clue = '', patientId = null] of rows) known.set(clue, [...(known.get(clue) ?? []), patientId])
  for (const each of noted) {
    if (!each.clues) continue
    const followed = [...each.clues.mrns, ...each.clues.recordIds.map((id) => id.toLowerCase())]
    const found = followed.flatMap((clue) => known.get(clue) ?? [])
    const patientIds = cleanIds([...(each.event.patient_ids ?? []), ...found])
    if (patientIds.length > 0) each.event.patient_ids = patientIds
    each.clues = undefined
  }
}
