import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { parseFilters } from '../../platform/http/filters.ts'
import { readConditions } from '../../records/conditions.ts'
import { lazyPaths, type Path } from '../../records/paths.ts'
import { wireColumns } from '../../records/statements.ts'
import { toArray, toWire } from '../../records/wire.ts'
import { recommendationTypes } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

export const LatestRecommendationsQuery = Type.Object({
  filters: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum([...recommendationTypes])),
})

const TABLE = 'eligibility_recommendation'

/** A union has no paths itself; its discriminator is one that every member has. */
const typePath: [string, Path] = [
  'recommendation.type',
  {
    root: TABLE,
    kind: 'enum',
    sql: `(${TABLE}.body -> 'recommendation' ->> 'type')`,
    type: 'text',
    values: recommendationTypes,
    isAlwaysSet: true,
  },
]

const paths = lazyPaths(() => [...eligibilityRecommendation.paths, typePath])

/**
 * The recommendation of each type that was created last, among those that match the filters, as a JSON array; a vote does not make one
 * later. Each type takes one index lookup, regardless of the number of records (migrations/0022).
 * @throws BadRequestError for an unknown filter, naming the nearest. Source: rules.md 13.8.
 */
export async function readLatestRecommendations(
  deps: Needs,
  actor: Actor,
  query: Static<typeof LatestRecommendationsQuery>,
): Promise<string> {
  const types = query.type === undefined ? recommendationTypes : [query.type]
  const values: unknown[] = [actor.organizationId, types]
  const filters = parseFilters(query.filters)
  const conditions = await readConditions(deps, actor.organizationId, filters, paths, values)
  const where = [
    `${TABLE}.organization_id = $1`,
    `not ${TABLE}.deactivated`,
    `${TABLE}.body -> 'recommendation' ->> 'type' = wanted.type`,
    ...conditions.map(({ sql }) => sql),
  ]
  const rows = await deps.database.rows(
    `select ${wireColumns('latest')} from unnest($2::text[]) with ordinality as wanted (type, position)
    cross join lateral (
      select * from ${TABLE} where ${where.join(' and ')} order by ${TABLE}.created_at desc, ${TABLE}.id desc limit 1
    ) latest
    order by wanted.position`,
    values,
  )
  return toArray(rows.map((row) => toWire(eligibilityRecommendation, row, deps.vault)))
}
