// The event of a write, in the statement that writes: the one cannot be committed without the other.
import type { Database } from '../database/database.ts'
import { actText, markWritten, type Writer } from './act.ts'
import { PATIENTS_A_BLOCK } from './block.ts'

export const PENDING_COLUMNS = 'organization_id, act, record_type, record_ids, version, patient_ids'

/** Whom an image is of, as an array of texts: the patient that it names, and whoever has the coverage that it shows. */
export function patientsOfImage(image: string): string {
  return `array[${image}.body -> 'patient' ->> 'id', (select c.body ->> 'patient' from coverage c
        where c.organization_id = ${image}.organization_id and c.id = (${image}.body -> 'coverage' ->> 'id')::uuid)]`
}

/** Where a record says whose it is: SQL over `head` for an array of texts. What is not here is about no patient. */
const PATIENTS: Record<string, string> = {
  patient: 'array[head.id::text]',
  appointment: `array[head.body ->> 'patient_id']`,
  coverage: `array[head.body ->> 'patient']`,
  image: patientsOfImage('head'),
  eligibility_recommendation: `array[head.body -> 'patient' ->> 'id']`,
  patient_merge: `array(select p.id::text from patient p where p.organization_id = head.organization_id
        and p.body ->> 'mrn' in (head.body ->> 'alternative_patient_mrn', head.body ->> 'primary_patient_mrn'))`,
}

/** The event of the record that `head` has just written; `act` is the parameter with the text of `actText`. */
export function eventOfRecord(table: string, act: string): string {
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select head.organization_id, ${act}::text, '${table}', array[head.id::text], head.version, ${PATIENTS[table] ?? `'{}'`} from head
    )`
}

/** One event for each thousand of the records that `written` holds with `id` and `body`, with the patients of those; none where it holds none. */
export function eventOfMany(table: string, written: string, act: string): string {
  const isOfPatients = table in PATIENTS && table !== 'patient_merge'
  const patients = isOfPatients ? `array_agg(distinct (${PATIENTS[table]})[1])` : `'{}'::text[]`
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select $1::uuid, ${act}::text, '${table}', array_agg(head.id::text), null, ${patients}
      from (select *, (row_number() over (order by id) - 1) / ${PATIENTS_A_BLOCK} as page from ${written}) head group by page
    )`
}

/** What a statement other than the record engine's writes: SQL for its ids (an array of texts), over `from` where it has one. */
export function eventOf(write: { type: string; act: string; ids: string; patients?: string; from?: string }): string {
  const { type, act, ids, patients = `'{}'`, from } = write
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select $1::uuid, ${act}::text, '${type}', ${ids}, null, ${patients} ${from ? `from ${from}` : ''}
    )`
}

/** One event for each thousand of an organization's rows in `from`, which have an `organization_id` and an `id`. */
export function eventByOrganization({ type, act, from }: { type: string; act: string; from: string }): string {
  return `audited as (
      insert into audit_pending (${PENDING_COLUMNS})
      select organization_id, ${act}::text, '${type}', array_agg(id::text), null, '{}'
      from (
        select organization_id, id, (row_number() over (partition by organization_id order by id) - 1) / ${PATIENTS_A_BLOCK} as page
        from ${from}
      ) paged group by organization_id, page
    )`
}

/** The patient of a coverage whose id is SQL, as an array of texts. */
export function patientOfCoverage(id: string): string {
  return `array(select c.body ->> 'patient' from coverage c where c.organization_id = $1 and c.id = ${id})`
}

const insertStatement = {
  name: 'audit_pending_create',
  text: `insert into audit_pending (${PENDING_COLUMNS}) values ($1, $2, $3, $4, null, $5)`,
}

/** One event by itself; `database` is the transaction of what it tells. */
export async function insertEvent(
  database: Pick<Database, 'rows'>,
  event: { organizationId: string; act: string; type: string; ids: string[]; patientIds?: string[] | undefined },
): Promise<void> {
  const { organizationId, act, type, ids, patientIds = [] } = event
  await database.rows(insertStatement, [organizationId, act, type, ids, patientIds])
}

/** The event of a write that takes several statements; `database` is their transaction. */
export async function recordWrite(
  database: Pick<Database, 'rows'>,
  writer: Writer,
  write: { name: string; type: string; ids: string[]; patientIds?: string[] },
): Promise<void> {
  const { name, ...written } = write
  await insertEvent(database, { ...written, organizationId: writer.organizationId, act: actText(writer, name) })
  markWritten(writer)
}
