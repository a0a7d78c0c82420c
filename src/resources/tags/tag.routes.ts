import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { deactivate, prepared, read, update } from '../../records/endpoints.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'
import { textOrder } from '../../records/paths.ts'
import { resource } from '../../records/resource.ts'
import { wireColumns } from '../../records/statements.ts'
import { toWire } from '../../records/wire.ts'
import { getOrCreateTag } from './get-or-create-tag.ts'
import * as schemas from './tag.schema.ts'
import { MutableTag } from './tag.schema.ts'
import { tag } from './tag.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/** Source: rules.md 7. */
const PAGE_LIMIT = 1000

const list = endpoint({
  operation: 'getAll',
  method: 'GET',
  path: '',
  summary: "Lists the organization's tags by value; deactivated ones are left out.",
  query: Type.Object(pageQuery),
  answer: pageOf(tag.wire),
  errors: [],
  handle: (deps: Needs, { actor, query }) => {
    const listing = {
      from: 'from tag where organization_id = $1 and not deactivated',
      values: [actor.organizationId],
      columns: wireColumns('tag'),
      sort: { sql: textOrder(`body ->> 'value'`), type: 'text', direction: 'asc' } as const,
      id: 'id',
      request: { operation: 'tags.getAll' },
      toText: (row: string[]) => toWire(tag, row, deps.vault),
    }
    return readPage(deps, listing, query, PAGE_LIMIT)
  },
})

const getOrCreate = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  summary: 'Creates a tag, or returns the one that already has this value as it is, also if it is deactivated.',
  body: MutableTag,
  answer: tag.wire,
  errors: [],
  handle: async (deps: Needs, call) =>
    getOrCreateTag(deps, call.actor, (await prepared(deps, tag, call)) as MutableTag),
})

export const tags = resource({
  path: '/tags/v1',
  group: 'tags',
  about: "Labels for grouping patients; a patient's `tag_ids` refer to tags.",
  permits: { read: 'See tags.', write: 'Add, change and remove tags.' },
  record: tag,
  schemas,
  routes: [
    read(tag), // GET    /:id
    list, // GET    /
    getOrCreate, // POST   /
    update(tag), // PUT    /:id/:version
    deactivate(tag), // DELETE /:id/:version
  ],
})
