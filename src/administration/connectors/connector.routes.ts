// An organization's own connections to payers, as `anteroom connector` manages them.
// decisions/0049-administration-over-the-api.md

import { Type } from 'typebox'
import {
  createConnector,
  listConnectors,
  readConnection,
  removeConnector,
  showConnector,
  updateOwnConnector,
} from '../../clearinghouses/connector-store.ts'
import { tryConnector } from '../../clearinghouses/try-connector.ts'
import { badRequest, tooManyRequests } from '../../contract/errors.ts'
import { createFairShare, QueueFull } from '../../platform/fair-share.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import { type ConnectorNeeds, change, storeOf, withInterfaceErrors } from './change-connectors.ts'
import * as schemas from './connector.schema.ts'
import {
  Connector,
  ConnectorSettings,
  ConnectorSummary,
  ConnectorTest,
  ConnectorTestResult,
  NewConnector,
} from './connector.schema.ts'

/** Our choice: each connector may hold connections open. */
const CONNECTORS_MAX = 50

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary: 'Lists the connectors of the organization by name, without their settings.',
  answer: Type.Array(ConnectorSummary),
  errors: [],
  handle: (deps: ConnectorNeeds, { actor }) => listConnectors(storeOf(deps), actor.organizationId),
})

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '/:connector',
  accessType: 'admin',
  summary: 'Reads a connector with its settings; every secret in them is `(set)`.',
  answer: Connector,
  errors: ['NotFoundError'],
  handle: (deps: ConnectorNeeds, { actor, params }) =>
    withInterfaceErrors('Connector', () => showConnector(storeOf(deps), keyOf(actor, params))),
})

// A caller who chooses where checks are sent can see them: hence `admin`.
const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  accessType: 'admin',
  summary:
    'Creates a connector. Its addresses must be public, or in a network that the operator allows. It is used once a payer route names it.',
  body: NewConnector,
  answer: Connector,
  errors: ['BadRequestError'],
  handle: (deps: ConnectorNeeds, { actor, body }) =>
    change(deps, actor, { operation: 'connectors.create', what: 'Connector', connector: body.name }, async (store) => {
      const { organizationId } = actor
      if ((await listConnectors(store, organizationId)).length >= CONNECTORS_MAX)
        throw badRequest(`an organization has at most ${CONNECTORS_MAX} connectors`)
      await createConnector(store, { organizationId, ...body, publicOnly: true })
      return showConnector(store, { organizationId, name: body.name })
    }),
})

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '/:connector',
  accessType: 'admin',
  summary:
    'Replaces the settings of a connector. A secret given as `(set)` keeps its stored value, unless an address changes: then the secret is required again.',
  body: ConnectorSettings,
  answer: Connector,
  errors: ['BadRequestError', 'NotFoundError'],
  handle(deps: ConnectorNeeds, { actor, params, body }) {
    const key = keyOf(actor, params)
    return change(
      deps,
      actor,
      { operation: 'connectors.update', what: 'Connector', connector: key.name },
      async (store) => {
        await updateOwnConnector(store, key, body.settings)
        return showConnector(store, key)
      },
    )
  },
})

const remove = endpoint({
  operation: 'remove',
  method: 'DELETE',
  path: '/:connector',
  accessType: 'admin',
  summary: 'Removes a connector that no payer route names.',
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: ConnectorNeeds, { actor, params }) {
    const key = keyOf(actor, params)
    await change(deps, actor, { operation: 'connectors.remove', what: 'Connector', connector: key.name }, (store) =>
      removeConnector(store, key),
    )
    return undefined
  },
})

/** A person waits for the answer, however slow the clearinghouse is. */
const TEST_MS = 20_000
/** The tests that may run at a time in this process; one organization alone takes at most three quarters of them. */
const tests = createFairShare({ places: 8 })

const test = endpoint({
  operation: 'test',
  method: 'POST',
  path: '/:connector/test',
  accessType: 'admin',
  summary:
    'Sends one harmless inquiry now, within 20 seconds, and explains the result. Where the clearinghouse does not list its payers, `payer_id` is required.',
  body: ConnectorTest,
  answer: ConnectorTestResult,
  errors: ['BadRequestError', 'NotFoundError', 'TooManyRequestsError'],
  async handle(deps: ConnectorNeeds, { actor, params, body }) {
    const key = keyOf(actor, params)
    const { clearinghouse } = await withInterfaceErrors('Connector', () =>
      readConnection(storeOf(deps), key, { timeoutMs: TEST_MS }),
    )
    const { payer_id: payerId, npi } = body
    const inquiry = { ...(payerId !== undefined && { payerId }), ...(npi !== undefined && { npi }), at: deps.now() }
    const trial = await tests
      .pass(actor.organizationId, undefined, () => tryConnector(clearinghouse, inquiry))
      .catch((error: unknown) => {
        throw error instanceof QueueFull ? tooManyRequests(TEST_MS / 1000) : error
      })
    return trial ?? needsPayer()
  },
})

function needsPayer(): never {
  throw badRequest('payer_id is required: the id of a payer that this clearinghouse reaches')
}

const keyOf = ({ organizationId }: { organizationId: string }, { connector: name = '' }: Record<string, string>) => ({
  organizationId,
  name,
})

export const connectors = resource({
  path: '/anteroom/v1/connectors',
  group: 'connectors',
  about: "An organization's own connections to payers.",
  schemas,
  routes: [
    list, // GET    /
    create, // POST   /
    read, // GET    /:connector
    update, // PUT    /:connector
    test, // POST   /:connector/test
    remove, // DELETE /:connector
  ],
})
