// The patients of a record. Each record type declares them (records/record.ts), and the SQL of the audit trail is
// derived from that alone.

/** A record type as the audit trail sees it. */
export interface AuditedRecord {
  name: string
  patients: Patients
}

/** Where a record names its patients. `itself`: it is the patient. `none`: it is not about a patient. */
type Patients = 'itself' | 'none' | readonly PatientPlace[]

/** One such place, usually a path of the body such as `patient.id`. */
type PatientPlace =
  /** A patient's id. */
  | { patient: string }
  /** The id of another record, whose patients count. */
  | { id: string; of: AuditedRecord }
  /** A patient's MRN. */
  | { mrn: string }
  /** A patient's id as text: SQL for records that are not versioned. */
  | { sql(row: string): string }

/**
 * The field names that the audit trail finds in answers (patients.ts): a record that named its patient in another field
 * would be shown without being audited.
 */
type PatientPath = Anywhere<`patient${'' | '_id' | '.id'}`>
type LeadingPath = Anywhere<`${'coverage' | 'appointment'}${'' | '_id' | '.id'}`>
type MrnPath = Anywhere<`${'primary' | 'alternative'}_patient_mrn`>
type Anywhere<Path extends string> = Path | `${string}.${Path}`

type NamedPlace<Path> =
  | { patient: Extract<Path, PatientPath> }
  | { id: Extract<Path, LeadingPath>; of: AuditedRecord }
  | { mrn: Extract<Path, MrnPath> }

/** The declarations that a record with this body may make: one that names a patient cannot declare `none`. */
export type PatientsOf<Body> = [Extract<TextPath<Body>, PatientPath | LeadingPath | MrnPath>] extends [never]
  ? 'none' | 'itself'
  : 'itself' | readonly [NamedPlace<TextPath<Body>>, ...NamedPlace<TextPath<Body>>[]]

/** The paths of the texts in a body, such as `name.family`; lists are not searched. */
type TextPath<Body> = {
  [Key in keyof Body & string]: NonNullable<Body[Key]> extends infer Value
    ? Value extends string
      ? Key
      : Value extends readonly unknown[]
        ? never
        : Value extends object
          ? `${Key}.${TextPath<Value>}`
          : never
    : never
}[keyof Body & string]

/** The patients of the record in `row`: SQL for an array of texts, which may contain nulls. */
export function patientsOf({ patients }: AuditedRecord, row: string): string {
  if (patients === 'none') return `'{}'::text[]`
  if (patients === 'itself') return `array[${row}.id::text]`
  const ids = patients.flatMap((place) => ('mrn' in place ? [] : idAt(place, row)))
  const mrns = patients.flatMap((place) => ('mrn' in place ? textAt(row, place.mrn) : []))
  const byMrn = `array(select p.id::text from patient p where p.organization_id = $1
        and p.mrn in (${mrns.join(', ')}))`
  return [...(ids.length > 0 ? [`array[${ids.join(', ')}]`] : []), ...(mrns.length > 0 ? [byMrn] : [])].join(' || ')
}

/**
 * The same with one patient per row: SQL for the patient, and the join that it needs when a record may have several.
 */
export function onePatientARow(record: AuditedRecord, row: string): { patient: string | undefined; join: string } {
  const patient = patientOf(record, row)
  if (patient !== undefined || record.patients === 'none') return { patient, join: '' }
  return {
    patient: 'whose.patient',
    join: `left join lateral unnest(${patientsOf(record, row)}) as whose (patient) on true`,
  }
}

/** The only patient of the record in `row` as text; undefined when it may have none or several. */
function patientOf({ patients }: AuditedRecord, row: string): string | undefined {
  if (patients === 'itself') return `${row}.id::text`
  const [place, ...others] = patients === 'none' ? [] : patients
  return place && others.length === 0 && !('mrn' in place) ? idAt(place, row) : undefined
}

function idAt(place: Exclude<PatientPlace, { mrn: string }>, row: string): string {
  if ('sql' in place) return place.sql(row)
  if ('patient' in place) return textAt(row, place.patient)
  return patientThrough(place.of, `(${textAt(row, place.id)})::uuid`)
}

/**
 * The patient of the record of organization $1 with this id (SQL), as text; null when there is no such record. The record
 * has exactly one patient.
 */
export function patientThrough(record: AuditedRecord, id: string): string {
  const { name } = record
  const patient = patientOf(record, 'lead')
  if (patient === undefined) throw new Error(`${name}: a record that others lead through must be of one patient`)
  return `(select ${patient} from ${name} lead
        where lead.organization_id = $1 and lead.id = ${id})`
}

/** `head.body -> 'patient' ->> 'id'` */
function textAt(row: string, path: string): string {
  const keys = path.split('.')
  const steps = keys.map((key, index) => `${index === keys.length - 1 ? '->>' : '->'} '${key}'`)
  return [`${row}.body`, ...steps].join(' ')
}
