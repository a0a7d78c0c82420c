import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { create, deactivate, read, scan, update } from '../../records/endpoints.ts'
import { pageOf } from '../../records/page.ts'
import { resource } from '../../records/resource.ts'
import { listProviders, ProviderQuery } from './list-providers.ts'
import * as schemas from './organization-external-provider.schema.ts'
import { organizationExternalProvider } from './organization-external-provider.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary: 'Lists the active providers that match all given criteria, by family name or another key.',
  query: ProviderQuery,
  answer: pageOf(organizationExternalProvider.wire),
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) => listProviders(deps, actor, query),
})

export const organizationExternalProviders = resource({
  path: '/organization-external-providers/v1',
  group: 'organizationExternalProviders',
  about: 'Providers outside the organization who refer to it or treat its patients.',
  permits: { read: 'See external providers.', write: 'Add, change and remove external providers.' },
  record: organizationExternalProvider,
  schemas,
  routes: [
    read(organizationExternalProvider), // GET    /:id
    list, // GET    /
    create(organizationExternalProvider, ['BadRequestError']), // POST   /
    update(organizationExternalProvider, ['BadRequestError']), // PUT    /:id/:version
    deactivate(organizationExternalProvider), // DELETE /:id/:version
    scan(organizationExternalProvider, 'maxResults'), // GET    /updates/scan
  ],
})
