import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import type { Listing } from '../../records/listing.ts'
import { pageQuery, readPage, withoutDefaults } from '../../records/page.ts'
import { pathsOf } from '../../records/paths.ts'
import { similarNameIn, sortBy } from '../../records/sort.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { OrganizationExternalProviderType } from './organization-external-provider.schema.ts'
import { organizationExternalProvider } from './organization-external-provider.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

export const ProviderQuery = Type.Object({
  ...pageQuery,
  sort_field: Type.Optional(Type.String()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  npi: Type.Optional(Type.String()),
  type: Type.Optional(OrganizationExternalProviderType),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
})
export type ProviderQuery = Static<typeof ProviderQuery>

/**
 * A page of the active providers that match all given criteria, in the requested order.
 * @throws BadRequestError for a sort field that providers do not have. Source: rules.md 2.2, 15.
 */
export async function listProviders(deps: Needs, actor: Actor, query: ProviderQuery): Promise<string | Readable> {
  const values: unknown[] = [actor.organizationId]
  const bind = (value: string) => `$${values.push(value)}::text`
  const conditions = conditionsOf(query, bind)
  const order = orderOf(query, bind)
  const listing: Listing = {
    from: `from ${['organization_external_provider p', ...order.joins].join(', ')}
      where p.organization_id = $1 and not p.deactivated ${conditions.map((each) => `and ${each}`).join(' ')}`,
    values,
    columns: wireColumns('p'),
    sort: order.sort,
    id: 'p.id',
    request: {
      operation: 'organizationExternalProviders.getMulti',
      ...withoutDefaults(query, { sort_field: DEFAULT_SORT_FIELD, sort_direction: 'asc' }),
    },
    toText: (row) => toWire(organizationExternalProvider, row, deps.vault),
  }
  return readPage(deps, listing, query)
}

function conditionsOf(query: ProviderQuery, bind: (value: string) => string): string[] {
  const conditions: string[] = []
  // The index of unique NPIs contains only non-empty ones.
  if (query.npi !== undefined) conditions.push(`p.body ->> 'npi' = ${bind(query.npi)} and p.body ->> 'npi' <> ''`)
  if (query.type !== undefined) conditions.push(`p.body -> 'types' ? ${bind(query.type)}`)
  if (query.first_name !== undefined) {
    conditions.push(`exists (select from jsonb_array_elements_text(p.body -> 'name' -> 'given') given
      where position(caseless(${bind(query.first_name)}) in caseless(given)) > 0)`)
  }
  if (query.last_name !== undefined) {
    conditions.push(`position(caseless(${bind(query.last_name)}) in caseless(p.body -> 'name' ->> 'family')) > 0`)
  }
  return conditions
}

const paths = pathsOf({ record: organizationExternalProvider, table: 'p' })

const DEFAULT_SORT_FIELD = 'name.family'

/** The text of a `real` does not convert back to the same number, so similarity is compared as a numeric. */
const LIKENESS = `similarity(
    trigram_text(concat_ws(' ', (select string_agg(given, ' ') from jsonb_array_elements_text(p.body -> 'name' -> 'given') given),
      p.body -> 'name' ->> 'family', p.body -> 'name' ->> 'suffix')),
    sought.name)::numeric`

function orderOf(query: ProviderQuery, bind: (value: string) => string): { sort: Listing['sort']; joins: string[] } {
  const field = query.sort_field ?? DEFAULT_SORT_FIELD
  const name = similarNameIn(field)
  if (name === undefined) return { sort: sortBy(paths, { field, direction: query.sort_direction }), joins: [] }
  // The best match first, in either direction.
  return {
    sort: { sql: LIKENESS, type: 'numeric', direction: 'desc', isAlwaysSet: true },
    joins: [`(select trigram_text(${bind(name)}) as name) sought`],
  }
}
