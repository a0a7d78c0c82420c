import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { recordId } from '../../contract/common.schema.ts'
import { PAGE_LIMIT_MAX } from '../../contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import type { Listing } from '../../records/listing.ts'
import { liveCount, liveCountColumn } from '../../records/live-count.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'
import { TIME_BOUNDS } from '../../records/sort.ts'
import { changeJoin, wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { coverage } from './coverage.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

const GetMultiPaginated = Type.Object({
  ...pageQuery,
  // This operation declares its range, so a limit beyond it is refused and not clamped (rules.md 1.7).
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: PAGE_LIMIT_MAX })),
  patient_id: Type.Optional(recordId()),
  payer_plan_group_id: Type.Optional(recordId()),
})

export const CoveragesPage = pageOf(coverage.wire)

/** GET /get-multi-paginated, most recently changed coverage last. Source: rules.md 10.2. */
export const getMultiPaginated = endpoint({
  operation: 'getMultiPaginated',
  method: 'GET',
  path: '/get-multi-paginated',
  summary: "Lists a patient's or a payer plan group's coverages page by page; deactivated ones are left out.",
  query: GetMultiPaginated,
  answer: CoveragesPage,
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) => readPage(deps, coveragesOf(deps, actor, query), query),
})

function coveragesOf(deps: Needs, actor: Actor, query: Static<typeof GetMultiPaginated>): Listing {
  const values: unknown[] = [actor.organizationId]
  const conditions = ['coverage.organization_id = $1', 'not coverage.deactivated']
  const { patient_id, payer_plan_group_id } = query
  if (patient_id !== undefined) conditions.push(`coverage.patient = $${values.push(patient_id)}`)
  if (payer_plan_group_id !== undefined) {
    conditions.push(`coverage.${PLAN_GROUP} = $${values.push(payer_plan_group_id)}`)
  }
  const where = conditions.join(' and ')
  const isOfAll = patient_id === undefined && payer_plan_group_id === undefined
  return {
    from: `from coverage ${changeJoin('coverage')} where ${where}`,
    ...(isOfAll
      ? { isWalked: true, totalColumn: liveCountColumn('coverage') }
      : {
          few: {
            from: `from coverage where ${where}`,
            value: 'coverage.updated_at',
            table: 'coverage',
            hasOnePlan: true,
          },
        }),
    values,
    columns: wireColumns('coverage'),
    sort: {
      sql: 'coverage_change.at',
      type: 'timestamptz',
      direction: 'asc',
      isAlwaysSet: true,
      isJoined: true,
      bounds: TIME_BOUNDS,
    },
    id: 'coverage.id',
    ...(isOfAll && { total: () => liveCount(deps, actor.organizationId, 'coverage') }),
    request: { operation: 'coverages.getMultiPaginated', patient_id, payer_plan_group_id },
    toText: (row) => toWire(coverage, row, deps.vault),
  }
}

/** The column of the payer plan group. */
export const PLAN_GROUP = 'insurance_plan_payer_plan_group_id'
