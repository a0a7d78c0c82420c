import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { type FilterField, parseFilters, toConditions } from '../../http/filters.ts'
import { create, deactivate, type Route, reactivate, read, update } from '../../records/endpoints.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { metadataSchema } from './metadata-schema.ts'

const filterFields: Record<string, FilterField> = {
  name: { sql: `body ->> 'name'`, type: 'text' },
  description: { sql: `body ->> 'description'`, type: 'text' },
  deactivated: { sql: 'deactivated', type: 'boolean' },
  id: { sql: 'id', type: 'uuid' },
  organizationId: { sql: 'organization_id', type: 'uuid' },
  version: { sql: 'version', type: 'number' },
  updatedAt: { sql: 'updated_at', type: 'instant' },
  updatingUserId: { sql: 'updating_user_id', type: 'uuid' },
}

/** Deactivated schemas come in by their own filter only. Source: rules.md 14. */
const list: Route = (deps, base) =>
  endpoint({
    operation: 'getAll',
    method: 'GET',
    path: base,
    summary: "Lists the organization's metadata schemas by name; deactivated ones where a filter asks for them.",
    query: Type.Object({ ...pageQuery, filters: Type.Optional(Type.String()) }),
    answer: pageOf(metadataSchema.wire),
    errors: ['BadRequestError'],
    handle: async ({ actor, query }) => {
      const filters = parseFilters(query.filters)
      const values: unknown[] = [actor.organizationId]
      const conditions = toConditions(filters, filterFields, values)
      if (!filters.some(({ path }) => path === 'deactivated')) conditions.push('not deactivated')
      const listing = {
        from: `from metadata_schema where ${['organization_id = $1', ...conditions].join(' and ')}`,
        values,
        columns: wireColumns('metadata_schema'),
        sort: { sql: `body ->> 'name'`, type: 'text', direction: 'asc' } as const,
        id: 'id',
        request: { operation: 'metadataSchemas.getAll', filters },
        toText: (row: string[]) => toWire(metadataSchema, row, deps.vault),
      }
      return readPage(deps, listing, query)
    },
  })

export const metadataSchemas = resource('/metadata-schemas/v1', 'metadataSchemas', [
  read(metadataSchema), // GET    /:id
  list, // GET    /
  create(metadataSchema, ['BadRequestError', 'VersionConflictError']), // POST   /
  update(metadataSchema, ['BadRequestError']), // PUT    /:id/:version
  deactivate(metadataSchema), // DELETE /:id/:version
  reactivate(metadataSchema), // PATCH  /:id/:version
])
