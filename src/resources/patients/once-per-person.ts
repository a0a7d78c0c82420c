// What refuses the create of a patient: an external id or MRN in use, and the duplicate check. Source: rules.md 6.
import type { Actor } from '../../contract/actor.ts'
import { alreadyInUse } from '../../contract/errors.ts'
import type { Database, TextRow } from '../../platform/database/database.ts'
import type { Guard } from '../../records/group-writes.ts'
import { PAGE_LIMIT } from '../../records/page.ts'
import type { MutablePatient } from './patient.schema.ts'
import { patient } from './patient.ts'

interface Asked {
  body: MutablePatient
  /** The MRN that the caller gave. */
  given: string | undefined
}

const externalIdTaken = (system: string, externalId: string) => `(select true from patient where organization_id = $1
        and external_provenance_system_name = ${system} and external_provenance_external_id = ${externalId})`

const mrnTaken = (mrn: string) => `(select true from patient where organization_id = $1 and mrn = ${mrn})`

const takenStatement = { name: 'patient_taken', text: `select ${externalIdTaken('$2', '$3')}, ${mrnTaken('$4')}` }

/** Refuses an external id or MRN in use, in this order; the database decides between creates at the same time. */
export async function refuseTaken(
  { database }: { database: Database },
  { organizationId }: Actor,
  { body: { external_provenance }, given }: Asked,
): Promise<void> {
  const { system_name, external_id } = external_provenance ?? {}
  if (external_id === undefined && given === undefined) return
  const values = [organizationId, system_name ?? null, external_id ?? null, given ?? null]
  const refusal = refusalOf(await database.rowByKey(takenStatement, values))
  if (refusal) throw refusal
}

function refusalOf([externalId, mrn, duplicates]: TextRow = []): Error | undefined {
  const { patient_external_id_unique, patient_mrn_unique } = patient.uniqueness ?? {}
  if (externalId) return patient_external_id_unique?.()
  if (mrn) return patient_mrn_unique?.()
  return duplicates
    ? alreadyInUse('a patient with this name and birth date already exists', JSON.parse(duplicates))
    : undefined
}

/** What the duplicate check compares: family name, first given name and birth date. */
const [FAMILY, GIVEN, BORN] = ['each ->> 3', 'each ->> 4', 'each ->> 5']
const PERSON = `same_name(${FAMILY}), same_name(${GIVEN}), ${BORN}`

/** The creates of a group in $2: JSON of `[system, external id, given MRN, family, given, birth date, id, MRN]`. */
const asked = 'jsonb_array_elements($2::jsonb) with ordinality as asked (each, place)'

/** Locked in one order, so that two transactions never wait for each other. */
const turnsStatement = {
  name: 'patient_duplicate_turns',
  text: `select pg_advisory_xact_lock(turn) from (
      select distinct hashtextextended(concat_ws(E'\\x1f', 'patient', $1::text, ${PERSON}), 0) as turn from ${asked} order by turn
    ) turns`,
}

/** A page of them. Callers who skip the check may have made any number of patients that are the same person. */
const DUPLICATES_SHOWN = PAGE_LIMIT

const duplicate = (id: string, mrn: string) =>
  `json_build_object('existing_patient_id', ${id}, 'existing_patient_mrn', ${mrn})`

/**
 * For each create what is known against it: last the patients who are the same person, up to a page of them, or the first create of the group
 * that is. The start of the family name is in the index; deactivated patients do not count as duplicates.
 */
const knownStatement = {
  name: 'patient_known',
  text: `select ${externalIdTaken('each ->> 0', 'each ->> 1')}, ${mrnTaken('each ->> 2')}, coalesce(
      (select json_agg(${duplicate('id', 'mrn')} order by id) from (select id, mrn from patient
        where organization_id = $1 and not deactivated and birth_date = ${BORN}
          and left(same_name(name_family), 50) = left(same_name(${FAMILY}), 50)
          and same_name(name_family) = same_name(${FAMILY})
          and same_name(coalesce(body -> 'name' -> 'given' ->> 0, '')) = same_name(${GIVEN}) limit ${DUPLICATES_SHOWN}) same),
      case when place > first_value(place) over person then
        json_build_array(${duplicate('first_value(each ->> 6) over person', 'first_value(each ->> 7) over person')}) end)
    from ${asked} window person as (partition by ${PERSON} order by place) order by place`,
}

/**
 * The duplicate check, in the transaction that creates the patients. Creates of one person are serialized, so that a create that waits sees
 * the patient that another one has committed; of several in one transaction the first is created.
 */
export const oncePerPerson: Guard<Asked & { mrn: string }> = {
  name: 'once per person',
  async refusals(database, organizationId, writes) {
    const sent = writes.map(({ id, subject: { body, given, mrn } }) => {
      const { name, birth_date, external_provenance: { system_name, external_id } = {} } = body
      return [system_name, external_id, given, name.family, name.given[0] ?? '', birth_date, id, mrn]
    })
    const values = [organizationId, JSON.stringify(sent)]
    // In one packet, but two statements: the second one sees what was committed while the first one waited.
    const [, rows] = await Promise.all([database.rows(turnsStatement, values), database.rows(knownStatement, values)])
    return rows.map(refusalOf)
  },
}
