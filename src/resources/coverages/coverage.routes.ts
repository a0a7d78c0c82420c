import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import * as benefitsSchemas from '../../contract/benefits.schema.ts'
import { recordId } from '../../contract/common.schema.ts'
import { badRequest, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { create, expectedFrom, prepared, read, scan, update as updatePlainly } from '../../records/endpoints.ts'
import type { PlainListing } from '../../records/listing.ts'
import { answerOf, CHUNK_BYTES, readAll, readByPlace, textsOf } from '../../records/read-all.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { replacedBy, updateRecord } from '../../records/store.ts'
import { toWire } from '../../records/wire.ts'
import * as coverageSchemas from './coverage.schema.ts'
import { MutableCoverage } from './coverage.schema.ts'
import { coverage } from './coverage.ts'
import { CoveragesPage, getMultiPaginated } from './list-coverages.ts'
import { moveCoverage } from './move-coverage.ts'
import { batchUpdatePlanGroup, PayerPlanGroupFields } from './update-plan-group.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

const HISTORY_LIMIT_MAX = 1000

const History = Type.Object({
  start: Type.Optional(Type.String({ format: 'date' })),
  end: Type.Optional(Type.String({ format: 'date' })),
  non_auto_updated_coverages_only: Type.Optional(Type.Boolean()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: HISTORY_LIMIT_MAX })),
})

/** A coverage rarely changes its patient; an update that does writes two records. */
const update = endpoint({
  ...updatePlainly(coverage),
  body: MutableCoverage,
  summary:
    "Replaces a coverage: writes its next version. A coverage that moves to another patient is removed from the first one's filing order.",
  async handle(deps: Needs, call) {
    const { actor, params } = call
    const target = { id: params.id ?? '', expectedVersion: expectedFrom(coverage, 'update', params.version ?? '') }
    const replaced = replacedBy(deps, coverage, actor, target)
    const body = (await prepared(deps, coverage, call, replaced)) as MutableCoverage
    const { patient: from } = (await replaced.read()) as MutableCoverage
    if (from === body.patient) return updateRecord(deps, coverage, actor, { ...target, body, replaced })
    return moveCoverage(deps, actor, { ...target, body }, from)
  },
})

/** `start` and `end` are days of the organization's calendar, both inclusive. Source: rules.md 10.2. */
const history = endpoint({
  operation: 'getHistory',
  method: 'GET',
  path: '/:id/history',
  summary: 'Reads the versions of a coverage, filtered, sorted and then limited.',
  query: History,
  answer: Type.Array(coverage.wire),
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: Needs, { actor, params, query }) {
    const id = params.id ?? ''
    if (query.start && query.end && query.start > query.end) throw badRequest('start must not be after end')
    if (!isUuid(id)) throw notFound(coverage.label)
    const direction = query.sort_direction === 'desc' ? 'desc' : 'asc'
    const current = await deps.database.row(coverage.statements.read, [actor.organizationId, id])
    if (!current) throw notFound(coverage.label)
    const { start = null, end = null, non_auto_updated_coverages_only = false, limit = Infinity } = query
    const conditions = [actor.organizationId, id, start, end, non_auto_updated_coverages_only, current[VERSION]]
    const statement = { ...historyStatement(direction), maxBytes: CHUNK_BYTES }
    const versions = readByPlace((from, count) => {
      const wanted = Math.max(0, Math.min(count, limit - from))
      return deps.database.rows(statement, [...conditions, wanted, from])
    })
    return answerOf(textsOf(versions, (row) => toWire(coverage, row, deps.vault)))
  },
})

/** The position of the version in `wireColumns`. */
const VERSION = 3

/** Versions never change, so up to the version that was the latest at the start, an offset is a stable position. */
function historyStatement(direction: 'asc' | 'desc') {
  return {
    name: `coverage_history_${direction}`,
    text: `select ${wireColumns('h')} from coverage_history h join organization o on o.id = h.organization_id
      where h.organization_id = $1 and h.id = $2
        and ($3::date is null or h.updated_at >= ($3::date)::timestamp at time zone o.time_zone)
        and ($4::date is null or h.updated_at < ($4::date + 1)::timestamp at time zone o.time_zone)
        and not ($5::boolean and h.auto_updated) and h.version <= $6
      order by h.version ${direction} limit $7 offset $8`,
  }
}

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary: "Lists a patient's coverages, or all of the organization's; deactivated ones are left out.",
  query: Type.Object({ patient_id: Type.Optional(recordId()) }),
  answer: Type.Array(coverage.wire),
  errors: [],
  handle: (deps: Needs, { actor, query }) => readAll(deps, coveragesOf(deps, actor, query.patient_id)),
})

function coveragesOf(deps: Needs, { organizationId }: Actor, patientId: string | undefined): PlainListing {
  const ofPatient = patientId === undefined ? '' : `and coverage.patient = $2::text`
  return {
    from: `from coverage where coverage.organization_id = $1 and not coverage.deactivated ${ofPatient}`,
    values: patientId === undefined ? [organizationId] : [organizationId, patientId],
    columns: wireColumns('coverage'),
    sort: { sql: 'coverage.id', type: 'uuid', direction: 'asc', isAlwaysSet: true },
    id: 'coverage.id',
    request: { operation: 'coverages.getMulti' },
    toText: (row) => toWire(coverage, row, deps.vault),
  }
}

export const coverages = resource({
  path: '/coverages/v1',
  group: 'coverages',
  about: "A patient's insurance coverages, their history and their eligibility checks.",
  permits: { read: 'See coverages.', write: 'Add and change coverages, and check them with payers.' },
  record: coverage,
  schemas: { ...benefitsSchemas, ...coverageSchemas, CoveragesPage, PayerPlanGroupFields },
  routes: [
    create(coverage), // POST   /
    update, // PUT    /:id/:version
    getMultiPaginated, // GET    /get-multi-paginated
    read(coverage), // GET    /:id
    history, // GET    /:id/history
    list, // GET    /
    scan(coverage, 'fixed'), // GET    /updates/scan
    batchUpdatePlanGroup, // POST   /batch-update-ppg/:ppg_id
  ],
})
