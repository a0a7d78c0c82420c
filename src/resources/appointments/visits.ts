// Visits: the appointments of one patient on one day of the organization's calendar, made when asked for. Source: rules.md 11.3.
import { type Static, Type } from 'typebox'
import type { TextRow } from '../../database/database.ts'
import type { Deps } from '../../deps.ts'
import { type Actor, endpoint } from '../../http/endpoint.ts'
import { parseFilters } from '../../http/filters.ts'
import { readConditions } from '../../records/conditions.ts'
import type { Route } from '../../records/endpoints.ts'
import { type Listing, pageQuery, readPage } from '../../records/page.ts'
import { type PathSort, similarNameIn, sortBy } from '../../records/sort.ts'
import { toOpened } from '../../records/wire.ts'
import { coverageJoin } from '../lists/joins.ts'
import { similarity } from '../patients/list-patients.ts'
import { patient } from '../patients/patient.ts'
import { CountsResponse, VisitsPage } from './visit.schema.ts'
import { COVERAGE_TABLES, coverageKeys, filterPaths, requireDate, sortPaths } from './visit-paths.ts'

// The interface has it optional and refuses a request without it: a description that says so is of more use.
const Counted = Type.Object({ filters: Type.String() })
const Listed = Type.Object({
  ...pageQuery,
  sort_field: Type.Optional(Type.String()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  ...Counted.properties,
})

/** GET /visits, the earliest first unless another order is asked for. */
export const getVisits: Route = (deps, base) =>
  endpoint({
    operation: 'getVisits',
    method: 'GET',
    path: `${base}/visits`,
    summary: 'Lists visits page by page. The filters must hold a date: `appointment.startTimestamp` with gt, lt or eq.',
    query: Listed,
    answer: VisitsPage,
    errors: ['BadRequestError'],
    handle: async ({ actor, query }) => readPage(deps, await visitsOf(deps, actor, query), query),
  })

/** GET /visits/counts: of the visits that match the filters, how many have each reason not to be ready. */
export const getCounts: Route = (deps, base) =>
  endpoint({
    operation: 'getCounts',
    method: 'GET',
    path: `${base}/visits/counts`,
    summary: 'Counts visits by the reason why they are not ready. The filters must hold a date, as for the list.',
    query: Counted,
    answer: CountsResponse,
    errors: ['BadRequestError'],
    handle: ({ actor, query }) => countReasons(deps, actor, query.filters),
  })

const PATIENT_ID = `(appointment.body ->> 'patient_id')`
const START = `(appointment.body ->> 'start_timestamp')`
const REASON = `(appointment.body ->> 'not_ready_reason')`
const DAY = `(${START}::timestamptz at time zone (select time_zone from organization where id = $1))::date`

/** The status of a visit is the first of these that any of its appointments has. */
const STATUS_ORDER = `'{NOT_READY,PENDING,READY,CHECKED_IN,CHECKED_OUT,NO_SHOW}'::text[]`

async function visitsOf(deps: Deps, actor: Actor, query: Static<typeof Listed>): Promise<Listing> {
  const { from, values } = await matchingAppointments(deps, actor, query.filters)
  const similarName = similarNameIn(query.sort_field)
  const sort: PathSort =
    similarName === undefined
      ? sortBy(sortPaths, { field: query.sort_field ?? 'startTime', direction: query.sort_direction })
      : { ...similarity, root: 'patient' }
  const wanted =
    similarName === undefined ? '' : `cross join (select $${values.push(similarName)}::text as name) wanted`
  return {
    from: `from (
        select $1::uuid as organization_id, ${PATIENT_ID} as patient_id, ${DAY} as day,
          min(${START} collate "C") as start_time,
          (${STATUS_ORDER})[min(array_position(${STATUS_ORDER}, appointment.body ->> 'status'))] as status
        ${from} group by 2, 3
      ) visit ${joins([sort.root], 'visit.patient_id')} ${wanted} where true`,
    values,
    columns: 'visit.patient_id, visit.start_time, visit.status',
    sort,
    id: '(visit.patient_id || visit.day) collate "C"',
    idType: 'text',
    isFoundWhole: true,
    request: { operation: 'appointments.getVisits', filters: query.filters },
    toTexts: (rows) => toVisits(deps, actor, rows),
  }
}

async function countReasons(deps: Deps, actor: Actor, filters: string): Promise<string> {
  const { from, values } = await matchingAppointments(deps, actor, filters)
  const rows = await deps.database.rows(
    `select reason, count(*) from (
      select distinct ${PATIENT_ID}, ${DAY}, ${REASON} as reason ${from} and ${REASON} is not null
    ) visit group by reason order by reason`,
    values,
  )
  return `{"not_ready_reason_counts":{${rows.map(([reason, count]) => `"${reason}":${count}`).join(',')}}}`
}

/** The active appointments that the filters let through. @throws BadRequestError for a filter that is none and for no date. */
async function matchingAppointments(
  deps: Deps,
  actor: Actor,
  text: string,
): Promise<{ from: string; values: unknown[] }> {
  const filters = parseFilters(text)
  const values: unknown[] = [actor.organizationId]
  const conditions = await readConditions(deps, actor.organizationId, filters, filterPaths, values)
  requireDate(filters)
  const roots = conditions.map(({ root }) => root)
  const from = `from appointment ${joins(roots, PATIENT_ID)}
    where ${['appointment.organization_id = $1', 'not appointment.deactivated', ...conditions.map(({ sql }) => sql)].join(' and ')}`
  return { from, values }
}

/** The tables that paths need beside appointments or visits, joined to the id of their patient. */
function joins(roots: string[], patientId: string): string {
  const coverages = coverageJoins.filter(({ table }) => roots.includes(table))
  if (coverages.length === 0 && !roots.includes('patient')) return ''
  // Said twice: each way of joining has an index that begins with the other side.
  const isPatient = `patient.id = ${patientId}::uuid and patient.id::text = ${patientId}`
  return ['join patient on patient.organization_id = $1 and', isPatient, ...coverages.map(({ sql }) => sql)].join(' ')
}

const coverageJoins = COVERAGE_TABLES.map((table, place) => ({ table, sql: coverageJoin(table, place) }))

/** What stands on a visit beside itself, one row a patient. $1 organization, $2 the patients. */
const partsStatement = {
  name: 'visit_parts',
  text: `select patient.id, patient.body::text,
      json_strip_nulls(json_build_object(${coverageKeys.map(({ wire, field }) => `'${wire}', ${field.sql}`)}))::text
    from patient ${coverageJoins.map(({ sql }) => sql).join(' ')}
    where patient.organization_id = $1 and patient.id = any($2::uuid[])`,
}

async function toVisits(deps: Deps, actor: Actor, rows: TextRow[]): Promise<string[]> {
  const patientIds = [...new Set(rows.map(([patientId]) => patientId))]
  const found =
    patientIds.length === 0 ? [] : await deps.database.rows(partsStatement, [actor.organizationId, patientIds])
  const parts = new Map(found.map(([id, body, coverages]) => [id, { body, coverages }]))
  return rows.map(([patientId, start, status]) => {
    // Appointments are of patients that exist, and no patient is ever deleted.
    const { body = '', coverages = '' } = parts.get(patientId) ?? {}
    const fields = coverages === '{}' ? '' : `,${coverages.slice(1, -1)}`
    return `{"patient_id":"${patientId}","organization_id":"${actor.organizationId}","patient":${toOpened(patient, body, deps.vault)},"start_time":"${start}","status":"${status}"${fields}}`
  })
}
