import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { parseFilters } from '../../platform/http/filters.ts'
import { readConditions } from '../../records/conditions.ts'
import { create, deactivate, reactivate, read, update } from '../../records/endpoints.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'
import { textOrder } from '../../records/paths.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import * as schemas from './metadata-schema.schema.ts'
import { metadataSchema } from './metadata-schema.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

/** Deactivated schemas are listed only by an explicit filter. Source: rules.md 14. */
const list = endpoint({
  operation: 'getAll',
  method: 'GET',
  path: '',
  summary: "Lists the organization's metadata schemas by name; deactivated ones only when a filter requests them.",
  query: Type.Object({ ...pageQuery, filters: Type.Optional(Type.String()) }),
  answer: pageOf(metadataSchema.wire),
  errors: ['BadRequestError'],
  handle: async (deps: Needs, { actor, query }) => {
    const filters = parseFilters(query.filters)
    const values: unknown[] = [actor.organizationId]
    const asked = await readConditions(deps, actor.organizationId, filters, metadataSchema.paths, values)
    const conditions = asked.map(({ sql }) => sql)
    if (!filters.some(({ path }) => path === 'deactivated')) conditions.push('not deactivated')
    const listing = {
      from: `from metadata_schema where ${['organization_id = $1', ...conditions].join(' and ')}`,
      values,
      columns: wireColumns('metadata_schema'),
      sort: { sql: textOrder(`body ->> 'name'`), type: 'text', direction: 'asc', isAlwaysSet: true } as const,
      id: 'id',
      request: { operation: 'metadataSchemas.getAll', filters },
      toText: (row: string[]) => toWire(metadataSchema, row, deps.vault),
    }
    return readPage(deps, listing, query)
  },
})

export const metadataSchemas = resource({
  path: '/metadata-schemas/v1',
  group: 'metadataSchemas',
  about: "An organization's custom fields for patients.",
  permits: { read: 'See the custom fields.', write: 'Add and change custom fields.' },
  record: metadataSchema,
  schemas,
  routes: [
    read(metadataSchema), // GET    /:id
    list, // GET    /
    create(metadataSchema, ['BadRequestError', 'VersionConflictError']), // POST   /
    update(metadataSchema, ['BadRequestError']), // PUT    /:id/:version
    deactivate(metadataSchema), // DELETE /:id/:version
    reactivate(metadataSchema), // PATCH  /:id/:version
  ],
})
