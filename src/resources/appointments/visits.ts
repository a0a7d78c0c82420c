// Visits: the appointments of one patient on one day of the organization's calendar, computed on request. Source:
// rules.md 11.3.

import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { showPatient } from '../../platform/audit/audit-context.ts'
import type { TextRow, TextRows } from '../../platform/database/database.ts'
import { instant } from '../../platform/database/instant.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { parseFilters } from '../../platform/http/filters.ts'
import { type Condition, haveOnePlan, readConditions } from '../../records/conditions.ts'
import type { Listing } from '../../records/listing.ts'
import { pageQuery, readPage } from '../../records/page.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { type PathSort, similarNameIn, sortBy } from '../../records/sort.ts'
import { toOpened } from '../../records/wire.ts'
import { VISIT_COVERAGES } from '../lists/filed-coverages.ts'
import { ASKED, byId, coverageJoin, coveragesById, sortedCoverage } from '../lists/related-records.ts'
import { patient } from '../patients/patient.ts'
import { nearestNames, similarity } from '../patients/similar-names.ts'
import { CountsResponse, VisitsPage } from './visit.schema.ts'
import { coverageKeys, filterPaths, requireDate, START_PATHS, sortPaths } from './visit-paths.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'pageCache'>

// The interface declares it as optional and refuses a request without it; here the description says that it is
// required.
const Counted = Type.Object({ filters: Type.String() })
const Listed = Type.Object({
  ...pageQuery,
  sort_field: Type.Optional(Type.String()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  ...Counted.properties,
})

/** GET /visits, the earliest first unless another order is requested. */
export const getVisits = endpoint({
  operation: 'getVisits',
  method: 'GET',
  path: '/visits',
  summary:
    'Lists visits page by page. The filters must contain a date: `appointment.startTimestamp` with gt, lt or eq.',
  query: Listed,
  answer: VisitsPage,
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) =>
    deps.pageCache.read(deps, actor, query, async () => ({
      answer: await readPage(deps, await visitsOf(deps, actor, query), query),
    })),
})

/** GET /visits/counts: the visits that match the filters, counted by the reason for not being ready. */
export const getCounts = endpoint({
  operation: 'getCounts',
  method: 'GET',
  path: '/visits/counts',
  summary: 'Counts visits by the reason for not being ready. The filters must contain a date, as for the list.',
  query: Counted,
  answer: CountsResponse,
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) => countReasons(deps, actor, query.filters),
})

const DAY = `(appointment.start_timestamp::timestamptz at time zone (select time_zone from organization where id = $1))::date`

/** A visit has the first status in this list that any of its appointments has. */
const STATUS_ORDER = `'{NOT_READY,PENDING,READY,CHECKED_IN,CHECKED_OUT,NO_SHOW}'::text[]`
const STATUS = `(${STATUS_ORDER})[min(array_position(${STATUS_ORDER}, appointment.status))]`

async function visitsOf(deps: Needs, actor: Actor, query: Static<typeof Listed>): Promise<Listing> {
  const matching = await matchingAppointments(deps, actor, query.filters)
  const values = [...matching.values]
  const { sort, token, wanted, similarName } = sortOf(query, values)
  const isOfOne = sort.sql !== 'visit.status' && /^(visit|patient)$/.test(sort.root)
  const shape = isOfOne ? walked(matching) : grouped(matching)
  const from = `from ${shape.visits} visit ${joins([sort.root], 'visit.patient_id')} ${wanted} where ${shape.condition}`
  return {
    from,
    ...(similarName !== undefined && nearestNames(from, similarName)),
    values,
    hasOnePlan: matching.hasOnePlan,
    columns: `visit.patient_id, visit.start_time, ${shape.status}`,
    sort: { ...sort, isJoined: sort.root !== 'visit' },
    id: '(visit.patient_id::text || visit.day) collate "C"',
    idType: 'text',
    totalColumn: shape.totalColumn,
    total: () => countVisits(deps, matching),
    request: { operation: 'appointments.getVisits', filters: query.filters, ...token },
    toTexts: (rows) => toVisits(deps, actor, rows),
  }
}

function sortOf(
  { sort_field: field = 'startTime', sort_direction: direction }: Static<typeof Listed>,
  values: unknown[],
): { sort: PathSort; token?: { sort: [string, string] }; wanted: string; similarName?: string } {
  const name = similarNameIn(field)
  if (name === undefined) {
    const sort = sortBy(sortPaths, { field, direction })
    const place = VISIT_COVERAGES.indexOf(sort.root as (typeof VISIT_COVERAGES)[number])
    if (place < 0) return { sort, wanted: '' }
    const wanted = sortedCoverage(sort.root, place, sort.sql, 'visit.patient_id')
    return {
      sort: { ...sort, root: 'sorted', sql: 'sorted.value' },
      token: { sort: [sort.sql, sort.direction] },
      wanted,
    }
  }
  const wanted = `cross join (select trigram_text($${values.push(name)}::text) as name) wanted`
  return { sort: { ...similarity, root: 'patient' }, wanted, similarName: name }
}

/**
 * How the visits of a list are found: a table expression of visits, a condition on its rows, and the SQL of a visit's
 * status.
 */
interface Shape {
  visits: string
  condition: string
  status: string
  totalColumn?: string
}

/**
 * Groups all visits at once, for an order that depends on all appointments of a visit or that no index supports: a page
 * costs as much as the whole list.
 */
function grouped({ from }: Matching): Shape {
  const visits = `(
      select $1::uuid as organization_id, appointment.patient_id, ${DAY} as day,
        min(appointment.start_timestamp) as start_time, ${STATUS} as status
      ${from} group by 2, 3
    )`
  return { visits, condition: 'true', status: 'visit.status', totalColumn: 'count(*) over ()' }
}

/**
 * Walks the visits in index order, each by its first appointment, for an order that the first appointment determines: a
 * page costs as much as the page. Filters on the patient hold for all appointments of a visit, so the other
 * appointments need not be tested.
 */
function walked({ from, ofAppointments, isOfTime }: Matching): Shape {
  const ofVisit = `from appointment where appointment.organization_id = $1
      and appointment.patient_id = visit.patient_id and ${DAY} = visit.day and ${ofAppointments}`
  return {
    visits: `(
      select appointment.organization_id, appointment.id, appointment.patient_id, ${DAY} as day,
        appointment.start_timestamp as start_time ${from} ${isOfTime ? IN_ORDER_OF_TIME : ''}
    )`,
    // In a form that the planner does not rewrite: as a join it would read all appointments for every page. Backwards,
    // because the nearest earlier appointment mostly decides: a patient may have thousands within these two days.
    condition: `(select true ${ofVisit} and appointment.start_timestamp >= ${nearby('greatest', '-', '0001-01-03')}
      and (appointment.start_timestamp, appointment.id) < (visit.start_time, visit.id)
      order by appointment.start_timestamp desc, appointment.id desc limit 1) is null`,
    status: `(select ${STATUS} ${ofVisit} and appointment.start_timestamp >= visit.start_time
      and appointment.start_timestamp <= ${nearby('least', '+', '9999-12-29 23:59:59.999')})`,
  }
}

/** Always true: the reason is that of `bounds` of a sort (src/records/page-rows.ts). */
const IN_ORDER_OF_TIME = `and appointment.start_timestamp >= '' and appointment.start_timestamp <= '~'`

/**
 * An instant further away than any instant of the same day, within the range that the interface can write; no day has
 * 48 hours.
 */
function nearby(bound: 'greatest' | 'least', sign: '+' | '-', limit: string): string {
  const within = `${bound}(visit.start_time::timestamptz, '${limit} UTC'::timestamptz)`
  return instant(`${within} ${sign} interval '48 hours'`)
}

async function countVisits(deps: Needs, { from, values, hasOnePlan }: Matching): Promise<number> {
  const visits = `select distinct appointment.patient_id, ${DAY} ${from}`
  const row = await deps.database.row({ text: `select count(*) from (${visits}) visit`, hasOnePlan }, values)
  return Number(row?.[0])
}

async function countReasons(deps: Needs, actor: Actor, filters: string): Promise<string> {
  const { from, values, hasOnePlan } = await matchingAppointments(deps, actor, filters)
  const text = `select reason, count(*) from (
      select distinct appointment.patient_id, ${DAY}, appointment.not_ready_reason as reason
      ${from} and appointment.not_ready_reason is not null
    ) visit group by reason order by reason`
  const rows = await deps.database.rows({ text, hasOnePlan }, values)
  return `{"not_ready_reason_counts":{${rows.map(([reason, count]) => `"${reason}":${count}`).join(',')}}}`
}

interface Matching {
  /** `from … where …` over `appointment`. */
  from: string
  /** The part of the condition that concerns the appointment itself. */
  ofAppointments: string
  /** True where nothing but the time narrows the list. */
  isOfTime: boolean
  hasOnePlan: boolean
  values: unknown[]
}

/**
 * The active appointments that match the filters. @throws BadRequestError for a malformed filter, or when there is no
 * date.
 */
async function matchingAppointments(deps: Needs, actor: Actor, text: string): Promise<Matching> {
  const filters = parseFilters(text)
  const values: unknown[] = [actor.organizationId]
  const conditions = await readConditions(deps, actor.organizationId, filters, filterPaths, values)
  requireDate(filters)
  const sqlOf = (those: Condition[]) => ['not appointment.deactivated', ...those.map(({ sql }) => sql)].join(' and ')
  const roots = conditions.map(({ root }) => root)
  return {
    from: `from appointment ${joins(roots, 'appointment.patient_id')}
      where appointment.organization_id = $1 and ${sqlOf(conditions)}`,
    ofAppointments: sqlOf(conditions.filter(({ root }) => root === 'appointment')),
    isOfTime: filters.every(({ path }) => START_PATHS.includes(path)),
    hasOnePlan: haveOnePlan(conditions),
    values,
  }
}

/** Joins the tables that paths need, besides appointments or visits, by the id of their patient. */
function joins(roots: string[], patientId: string): string {
  const coverages = coverageJoins.filter(({ table }) => roots.includes(table))
  if (coverages.length === 0 && !roots.includes('patient')) return ''
  const isPatient = `join patient on patient.organization_id = $1 and patient.id = ${patientId}`
  return [isPatient, ...coverages.map(({ sql }) => sql)].join(' ')
}

const coverageJoins = VISIT_COVERAGES.map((table, place) => ({ table, sql: coverageJoin(table, place) }))

/** The patient and coverages of a visit, one row per patient. $1 organization, $2 the patients. */
const partsStatement = {
  name: 'visit_parts',
  get text() {
    return `select patient.id, patient.body,
      json_strip_nulls(json_build_object(${coverageKeys.map(({ wire, field }) => `'${wire}', ${field.sql}`)}))::text
    from ${ASKED} ${byId('patient', 'asked.id')} ${coveragesById(VISIT_COVERAGES)} order by asked.position`
  },
  maxBytes: CHUNK_BYTES,
}

async function toVisits(deps: Needs, actor: Actor, rows: TextRow[]): Promise<string[]> {
  const patientIds = [...new Set(rows.map(([patientId]) => patientId))]
  const found: TextRows =
    patientIds.length === 0 ? [] : await deps.database.rows(partsStatement, [actor.organizationId, patientIds])
  const parts = new Map(found.map(([id, body, coverages]) => [id, { body, coverages }]))
  const texts: string[] = []
  let characters = 0
  for (const [patientId = '', start, status] of rows) {
    const found = parts.get(patientId)
    // A patient may occur in many visits of the page, each time with all of these fields. Every appointment has an
    // existing patient, so a missing row only means that this chunk ends here.
    if (characters >= CHUNK_BYTES || !found) break
    showPatient(actor, patientId)
    const opened = toOpened(patient, { ...actor, id: patientId }, found.body ?? '', deps.vault)
    const fields = found.coverages === '{}' ? '' : `,${found.coverages?.slice(1, -1)}`
    const text = `{"patient_id":"${patientId}","organization_id":"${actor.organizationId}","patient":${opened},"start_time":"${start}","status":"${status}"${fields}}`
    characters += text.length
    texts.push(text)
  }
  return texts
}
