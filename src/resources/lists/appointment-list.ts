import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { showCoverage, showPatient } from '../../platform/audit/audit-context.ts'
import type { TextRow } from '../../platform/database/database.ts'
import type { Filter } from '../../platform/http/filters.ts'
import type { Condition } from '../../records/conditions.ts'
import { changePath, lazyPaths, type Path, type Paths, pathsOf } from '../../records/paths.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { changeJoin, WIRE_COLUMN_COUNT, wireColumns } from '../../records/statements.ts'
import { toOpened, toWire } from '../../records/wire.ts'
import { appointment } from '../appointments/appointment.ts'
import { patient } from '../patients/patient.ts'
import { coverageJoins, coverageRoots, VISIT_COVERAGES } from './filed-coverages.ts'
import { ListQuery } from './list.schema.ts'
import type { Asking, List } from './list.ts'
import { ASKED, byId, coverageBody, type Joins } from './related-records.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

export const AppointmentListQuery = Type.Object({
  ...ListQuery.properties,
  include_merged_patient_data: Type.Optional(Type.Boolean()),
})
export type AppointmentListQuery = Static<typeof AppointmentListQuery>

const patientJoin = 'join patient on patient.organization_id = $1 and patient.id = appointment.patient_id'

const joins: Joins = {
  patient: { sql: () => patientJoin },
  appointment_change: { sql: () => changeJoin('appointment') },
  patient_change: { needs: 'patient', sql: () => changeJoin('patient') },
  ...coverageJoins(VISIT_COVERAGES, 'appointment.patient_id'),
}

const patientId: Path = {
  root: 'appointment',
  kind: 'uuid',
  sql: 'appointment.patient_id',
  type: 'uuid',
  isAlwaysSet: true,
}

const paths = lazyPaths(() => [
  ...pathsOf(
    { record: appointment, key: 'appointment' },
    { record: patient, key: 'patient' },
    ...coverageRoots(VISIT_COVERAGES),
  ),
  ['primaryServiceType', firstService()],
  ['appointment.updatedAt', changePath('appointment')],
  ['patient.updatedAt', changePath('patient')],
  // The appointment has this column itself, so nothing is joined for it.
  ['patient.id', patientId],
])

/** The identifier of the first service: the path of all services, narrowed to the first. Source: rules.md 12.2. */
function firstService(): Path {
  const all = pathsOf({ record: appointment }).get('services.universalServiceIdentifier')
  return {
    root: 'appointment',
    kind: 'enum',
    sql: `(appointment.body #>> '{services,0,universal_service_identifier}')`,
    type: 'text',
    ...(all?.values && { values: all.values }),
  }
}

/** Appointments with their patient, coverages and service. Source: rules.md 12.2. */
export const appointmentList: List<AppointmentListQuery> = {
  operation: 'lists.getAppointmentList',
  table: 'appointment',
  paths,
  joins,
  defaultSort: 'appointment.startTimestamp',
  narrow: narrowAppointments,
  readItems: readAppointmentItems,
}

async function narrowAppointments(
  filters: Filter[],
  query: AppointmentListQuery,
  asking: Asking,
): Promise<Condition[]> {
  const widened = query.include_merged_patient_data ? filters.filter(isPatientEquality) : []
  const conditions = await asking.conditionsOf(filters.filter((filter) => !widened.includes(filter)))
  for (const filter of widened) conditions.push(await withAlternatives(filter, asking))
  return conditions
}

function isPatientEquality({ path, operator }: Filter): boolean {
  return (path === 'patient.id' || path === 'appointment.patientId') && (operator === 'eq' || operator === 'ieq')
}

const keptId: Path = { root: 'kept', kind: 'uuid', sql: 'kept.id', type: 'uuid' }
const keptPaths: Paths = new Map([
  ['patient.id', keptId],
  ['appointment.patientId', keptId],
])

/** The appointments of a patient and of all patients who are merged into that patient. */
async function withAlternatives(filter: Filter, { conditionsOf }: Asking): Promise<Condition> {
  const [kept] = await conditionsOf([filter], keptPaths)
  return {
    root: 'appointment',
    sql: `appointment.patient_id = any(array(
      select unnest(array[kept.id, alternative.id]) from patient kept
      left join patient_merge merge on merge.organization_id = $1 and not merge.deactivated
        and merge.body ->> 'primary_patient_mrn' = kept.mrn
      left join patient alternative on alternative.organization_id = $1
        and alternative.mrn = merge.body ->> 'alternative_patient_mrn'
      where kept.organization_id = $1 and ${kept?.sql}))`,
  }
}

/** $1 organization, $2 appointments. */
const itemsStatement = {
  maxBytes: CHUNK_BYTES,
  name: 'appointment_list_items',
  text: `select ${wireColumns('appointment')}, patient.body,
      ${VISIT_COVERAGES.map((_, place) => coverageBody(place)).join(', ')},
      (appointment.body #> '{services,0,universal_service_identifier}')::text, appointment.patient_id
    from ${ASKED}
    ${byId('appointment', 'asked.id')}
    ${byId('patient', 'appointment.patient_id')}
    order by asked.position`,
}

async function readAppointmentItems(deps: Needs, actor: Actor, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await deps.database.rows(itemsStatement, [actor.organizationId, ids])
  return rows.map((row) => appointmentItem(deps, actor, row))
}

function appointmentItem(deps: Needs, actor: Actor, row: TextRow): string {
  const patientId = row.at(-1) ?? ''
  showPatient(actor, patientId)
  const [patientBody = '{}', ...parts] = row.slice(WIRE_COLUMN_COUNT)
  for (let place = 0; place < VISIT_COVERAGES.length; place++) showCoverage(actor, parts[place])
  const beside = [...VISIT_COVERAGES, 'primary_service_type']
    .map((part, index) => (parts[index] == null ? '' : `,"${part}":${parts[index]}`))
    .join('')
  const listed = toWire(appointment, row.slice(0, WIRE_COLUMN_COUNT), deps.vault)
  const opened = toOpened(patient, { ...actor, id: patientId }, patientBody, deps.vault)
  return `{"appointment":${listed},"patient":${opened}${beside}}`
}
