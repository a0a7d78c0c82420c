// The API clients of an organization: the programs that call its operations.
// decisions/0049-administration-over-the-api.md

import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../../platform/audit/pending.ts'
import {
  type Client,
  createClient,
  grantScopes,
  listClients,
  lockClient,
  revokeClient,
  rotateClient,
} from '../../platform/auth/clients.ts'
import { holdOrganization } from '../../platform/auth/hold-organization.ts'
import type { Database } from '../../platform/database/database.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import * as schemas from './api-client.schema.ts'
import {
  ApiClient,
  ApiClientCredentials,
  ApiClientScopes,
  NewApiClient,
  ScopeDescription,
} from './api-client.schema.ts'
import { describeGrants, readGrant, requireNoMore, shownGrant } from './grants.ts'

type Needs = Pick<Deps, 'database' | 'scopes' | 'newId'>

/**
 * Our choice: far more programs than an organization has. Revoked clients count, because the audit trail refers to them
 * for years.
 */
const CLIENTS_MAX = 1000

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary: 'Lists the API clients of the organization, oldest first, including revoked ones, without their secrets.',
  answer: Type.Array(ApiClient),
  errors: [],
  handle: async ({ database }: Needs, { actor }) => (await listClients(database, actor.organizationId)).map(toShown),
})

const scopes = endpoint({
  operation: 'getScopes',
  method: 'GET',
  path: '/scopes',
  accessType: 'admin',
  summary: 'Lists every scope that a client can have, and whether the caller may grant it.',
  answer: Type.Array(ScopeDescription),
  errors: [],
  handle: async ({ scopes: known }: Needs, { request }) => describeGrants(known, request.scopes),
})

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  accessType: 'admin',
  summary: 'Creates an API client with no more scopes than the caller has. The response shows its secret, once.',
  body: NewApiClient,
  answer: ApiClientCredentials,
  errors: ['BadRequestError', 'UnauthorizedError'],
  async handle({ database, scopes: known, newId }: Needs, { actor, body, request }) {
    const granted = readGrant(known, body.scopes)
    requireNoMore(request.scopes, granted)
    const { organizationId } = actor
    return database.transaction(async (transaction) => {
      await requirePlace(transaction, organizationId)
      const made = await createClient(transaction, newId, { organizationId, name: body.name, scopes: granted })
      await tell(transaction, actor, made.client_id, 'create')
      return made
    })
  },
})

/** Creates of API clients in one organization are serialized, so that the count stays correct. */
async function requirePlace(database: Database, organizationId: string): Promise<void> {
  await holdOrganization(database, organizationId)
  const row = await database.row('select count(*) from client where organization_id = $1', [organizationId])
  if (Number(row?.[0]) >= CLIENTS_MAX) throw badRequest(`an organization has at most ${CLIENTS_MAX} API clients`)
}

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '/:client_id',
  accessType: 'admin',
  summary: 'Replaces the scopes of an API client, within ten seconds also for tokens already issued.',
  body: ApiClientScopes,
  answer: ApiClient,
  errors: ['BadRequestError', 'UnauthorizedError', 'NotFoundError'],
  async handle({ database, scopes: known }: Needs, { actor, params, body, request }) {
    const granted = readGrant(known, body.scopes)
    requireNoMore(request.scopes, granted)
    return change(database, actor, params, 'update', async (transaction, client) => {
      await grantScopes(transaction, keyOf(actor, client), granted)
      return toShown({ ...client, scopes: granted })
    })
  },
})

// Knowing a client's secret means acting as that client: hence the same limit as for creation.
const rotate = endpoint({
  operation: 'rotateSecret',
  method: 'POST',
  path: '/:client_id/rotate-secret',
  accessType: 'admin',
  summary:
    'Creates a new secret for a client that has no more scopes than the caller, and shows it, once. The previous secret works for another 24 hours, or until the next rotation.',
  answer: ApiClientCredentials,
  errors: ['BadRequestError', 'UnauthorizedError', 'NotFoundError'],
  handle: ({ database }: Needs, { actor, params, request }) =>
    change(database, actor, params, 'rotateSecret', async (transaction, client) => {
      requireNoMore(request.scopes, client.scopes)
      if (client.revoked) throw badRequest('the client is revoked: create a new one')
      return rotateClient(transaction, keyOf(actor, client))
    }),
})

const revoke = endpoint({
  operation: 'revoke',
  method: 'POST',
  path: '/:client_id/revoke',
  accessType: 'admin',
  summary:
    'Permanently revokes an API client: it gets no new tokens, and its existing tokens are refused within seconds.',
  answer: ApiClient,
  errors: ['NotFoundError'],
  handle: ({ database }: Needs, { actor, params }) =>
    change(database, actor, params, 'revoke', async (transaction, client) => {
      await revokeClient(transaction, keyOf(actor, client))
      return toShown({ ...client, revoked: true })
    }),
})

/**
 * Changes a client of the caller's organization and writes the audit event of the change, both or neither. @throws
 * NotFoundError
 */
function change<T>(
  database: Database,
  actor: Actor,
  params: Record<string, string>,
  operation: string,
  work: (database: Database, client: Client) => Promise<T>,
): Promise<T> {
  const id = params.client_id ?? ''
  if (!isUuid(id)) throw notFound('Client')
  return database.transaction(async (transaction) => {
    const client = await lockClient(transaction, { id, organizationId: actor.organizationId })
    if (!client) throw notFound('Client')
    const result = await work(transaction, client)
    await tell(transaction, actor, client.client_id, operation)
    return result
  })
}

const keyOf = ({ organizationId }: Actor, { client_id: id }: Client) => ({ id, organizationId })

const tell = (database: Database, actor: Actor, id: string, operation: string) =>
  recordWrite(database, actor, { name: `apiClients.${operation}`, type: 'client', ids: [id] })

const toShown = ({ organization_id: _, scopes, ...client }: Client) => ({ ...client, scopes: shownGrant(scopes) })

export const apiClients = resource({
  path: '/anteroom/v1/api-clients',
  group: 'apiClients',
  about: 'The programs that call the operations of an organization, and their scopes.',
  schemas,
  routes: [
    list, // GET    /
    scopes, // GET    /scopes
    create, // POST   /
    update, // PUT    /:client_id
    rotate, // POST   /:client_id/rotate-secret
    revoke, // POST   /:client_id/revoke
  ],
})
