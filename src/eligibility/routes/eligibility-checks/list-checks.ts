import { type Static, Type } from 'typebox'
import type { Actor } from '../../../contract/actor.ts'
import { EligibilityCheck } from '../../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../../deps.ts'
import type { TextRow } from '../../../platform/database/database.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import type { PlainListing } from '../../../records/listing.ts'
import { pageOf, pageQuery, readPage } from '../../../records/page.ts'
import { TIME_BOUNDS } from '../../../records/sort.ts'
import { storedToWires, WIRE_COLUMNS } from '../../checks/check-wire.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

/** The filters of every list of checks, all of which match exactly. Source: rules.md 13.9. */
const CheckFilters = Type.Object({
  ...pageQuery,
  subscriber_member_id: Type.Optional(Type.String()),
  payer_id: Type.Optional(Type.String()),
  provider_npi: Type.Optional(Type.String()),
  date_of_service: Type.Optional(Type.String()),
  initiated_at_min: Type.Optional(Type.String({ format: 'date-time' })),
  initiated_at_max: Type.Optional(Type.String({ format: 'date-time' })),
})

/** GET /get-multi/: every check, regardless of how it was started. Our choice: including unanswered ones. Source: rules.md 13.9. */
export const getMulti = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '/get-multi',
  summary: 'Lists eligibility checks page by page, newest first.',
  query: CheckFilters,
  answer: pageOf(EligibilityCheck),
  errors: [],
  handle: (deps: Needs, { actor, query }) => {
    const rows = checksOf('eligibilityChecks.getMulti', actor, query)
    const texts = { columns: WIRE_COLUMNS, toTexts: (page: TextRow[]) => storedToWires(deps, page) }
    return readPage(deps, { ...rows, ...texts }, query)
  },
})

/** The list with ids can also be limited to one batch; the interface declares no such filter for get-multi. */
export const StoredCheckFilters = Type.Object({
  ...CheckFilters.properties,
  batch_id: Type.Optional(Type.String()),
})

/** The expressions of the indexes, which must match exactly. */
const conditions: Record<Exclude<keyof Static<typeof StoredCheckFilters>, keyof typeof pageQuery>, string> = {
  subscriber_member_id: `request #>> '{subscriber,member_id}' = ?`,
  payer_id: 'asked_payer_id = ?',
  provider_npi: 'asked_npi = ?',
  date_of_service: 'date_of_service = ?',
  initiated_at_min: 'initiated_at >= ?::timestamptz',
  initiated_at_max: 'initiated_at <= ?::timestamptz',
  batch_id: 'batch_id = ?::uuid',
}

/** The checks that match the filters, newest first; page tokens are valid for `operation` only. */
export function checksOf(
  operation: string,
  actor: Actor,
  query: Static<typeof StoredCheckFilters>,
): Omit<PlainListing, 'columns' | 'toText'> {
  const { limit: _limit, page_token: _token, ...filters } = query
  const values: unknown[] = [actor.organizationId]
  const wanted = Object.entries(conditions).flatMap(([name, condition]) => {
    const value = filters[name as keyof typeof filters]
    return value === undefined ? [] : condition.replace('?', `$${values.push(value)}`)
  })
  return {
    from: `from eligibility_check where ${['organization_id = $1', ...wanted].join(' and ')}`,
    values,
    sort: { sql: 'initiated_at', type: 'timestamptz', direction: 'desc', isAlwaysSet: true, bounds: TIME_BOUNDS },
    isWalked: wanted.length === 0,
    id: 'id',
    request: { operation, ...filters },
  }
}
