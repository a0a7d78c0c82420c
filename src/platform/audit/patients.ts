// Whose data an answer shows. Answers are JSON text, and what is looked for in them is ids.
import type { Database, Statement } from '../database/database.ts'
import { cleanIds } from './event.ts'
import type { NotedEvent } from './trail.ts'
import { type AuditedRecord, onePatientARow } from './whose.ts'

/** What leads to a patient whose id an answer does not show. None of it is stored. */
export interface Clues {
  mrns: string[]
  /** Ids of patients whom an answer does not name otherwise, of coverages, appointments, images or checks. */
  recordIds: string[]
}

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
// A quotation mark within a text is escaped, so a text cannot look like a key.
const NAMED = new RegExp(`"(?:existing_)?patient(?:_id)?": ?(?:\\{"id": ?)?"(${UUID})"`, 'g')
const OWN = new RegExp(`\\{"id":"(${UUID})","organization_id"`, 'g')
const MRN = /"(?:(?:alternative|primary)_patient_mrn|primary_mrn)": ?("(?:[^"\\]|\\.)*")/g
const MRNS = /"alternative_mrns": ?(\[(?:"(?:[^"\\]|\\.)*"|[, ])+\])/g
const LEADING = new RegExp(`"(?:coverage|appointment)(?:_id)?": ?(?:\\{"id": ?)?"(${UUID})"`, 'g')

/** The patients that an answer names, each once, in lower case; with `isOfPatients` its records are patients themselves. */
export function patientsIn(text: string, isOfPatients: boolean): string[] {
  const found = matches(text, isOfPatients ? OWN : NAMED)
  const ids = found.length > 1 ? [...new Set(found)] : found
  // Copied: to V8 a match is a part of the answer, and would keep all of it in memory until the event is stored.
  return ids.length === 0 ? [] : `${ids.join()},`.toLowerCase().slice(0, -1).split(',')
}

/** What an answer shows that leads to patients. */
export function cluesIn(text: string): Clues {
  const mrns = matches(text, MRN).map((mrn) => JSON.parse(mrn) as string)
  const more = matches(text, MRNS).flatMap((several) => JSON.parse(several) as string[])
  return { mrns: [...mrns, ...more], recordIds: matches(text, LEADING) }
}

function matches(text: string, pattern: RegExp): string[] {
  const found: string[] = []
  // `matchAll` copies the pattern for every text.
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match[1] ?? '')
  return found
}

/**
 * Asks whose they are: $1 organization, $2 MRNs, $3 ids of `records`. Rows of a clue and a patient; a clue may have none or several.
 */
export function patientsByClue(records: readonly AuditedRecord[]): Statement {
  const ofRecords = records
    .filter(({ patients }) => patients !== 'none')
    .map((record) => {
      const { patient, join } = onePatientARow(record, 'r')
      return `select r.id::text, ${patient} from ${record.name} r ${join} where r.organization_id = $1 and r.id = any($3::uuid[])`
    })
  const byMrn = `select mrn, id::text from patient where organization_id = $1 and mrn = any($2::text[])`
  return { name: 'audit_patients_by_clue', text: [byMrn, ...ofRecords].join('\n    union all\n    ') }
}

/** Follows the clues of events that have some, in one query (`patientsByClue`) for all of them. */
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
