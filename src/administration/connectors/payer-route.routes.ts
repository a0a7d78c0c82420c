// Which connector reaches which payer, as `anteroom route` manages it. decisions/0049-administration-over-the-api.md

import { Type } from 'typebox'
import {
  listConnectors,
  listRoutes,
  removeRoute,
  type StoredRoute,
  setRoute,
} from '../../clearinghouses/connector-store.ts'
import { badRequest } from '../../contract/errors.ts'
import type { PayerNeeds } from '../../payers/payer-ids.ts'
import { findPayerNames } from '../../payers/payer-names.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import { type ConnectorNeeds, change, storeOf } from './change-connectors.ts'
import * as schemas from './connector.schema.ts'
import { MutablePayerRoute, PayerRoute } from './connector.schema.ts'

/** In place of a payer id: all payers without a route. */
const DEFAULT = 'default'
/** Our choice: more payers than an organization uses. */
const ROUTES_MAX = 5000
const PAYER_ID_MAX = 80

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary: 'Lists the payer routes of the organization by payer id. A payer without one is asked through the default.',
  answer: Type.Array(PayerRoute),
  errors: [],
  async handle(deps: ConnectorNeeds & PayerNeeds, { actor: { organizationId } }) {
    const routes = await listRoutes(storeOf(deps), organizationId)
    const ids = routes.map(({ payer_id }) => payer_id)
    const nameOf = await findPayerNames(deps, organizationId, ids)
    return routes.map((route) => toShown(route, nameOf(route.payer_id)))
  },
})

const parameters = { payer_id: 'A payer id, or `default` for all payers without a route.' }

const set = endpoint({
  operation: 'set',
  method: 'PUT',
  path: '/:payer_id',
  parameters,
  accessType: 'admin',
  summary: 'Sets which connector asks a payer, or all payers without a route.',
  body: MutablePayerRoute,
  answer: PayerRoute,
  errors: ['BadRequestError'],
  handle(deps: ConnectorNeeds, { actor, params, body }) {
    const { organizationId } = actor
    const { connector, connector_payer_id: connectorPayerId } = body
    const payerId = payerOf(params)
    if (payerId === undefined && connectorPayerId !== undefined)
      throw badRequest('connector_payer_id cannot be set for the default route')
    return change(deps, actor, { operation: 'payerRoutes.set', what: 'Payer route', connector }, async (store) => {
      const routes = await listRoutes(store, organizationId)
      const isKnown = routes.some(({ payer_id }) => payer_id === (payerId ?? DEFAULT))
      if (!isKnown && routes.length >= ROUTES_MAX)
        throw badRequest(`an organization has at most ${ROUTES_MAX} payer routes`)
      const known = await listConnectors(store, organizationId)
      if (!known.some(({ name }) => name === connector))
        throw badRequest('connector must be the name of a connector of the organization')
      await setRoute(store, {
        organizationId,
        connector,
        ...(payerId !== undefined && { payerId }),
        ...(connectorPayerId !== undefined && { connectorPayerId }),
      })
      return toShown({ payer_id: payerId ?? DEFAULT, connector, connector_payer_id: connectorPayerId ?? null })
    })
  },
})

const remove = endpoint({
  operation: 'remove',
  method: 'DELETE',
  path: '/:payer_id',
  parameters,
  accessType: 'admin',
  summary: 'Removes a payer route: the payer is asked through the default again.',
  errors: ['NotFoundError'],
  async handle(deps: ConnectorNeeds, { actor, params }) {
    const payerId = payerOf(params)
    await change(deps, actor, { operation: 'payerRoutes.remove', what: 'Payer route' }, (store) =>
      removeRoute(store, actor.organizationId, payerId),
    )
    return undefined
  },
})

/** The payer id; undefined for the default. @throws BadRequestError */
function payerOf({ payer_id = '' }: Record<string, string>): string | undefined {
  if (payer_id === DEFAULT) return undefined
  if (payer_id === '' || payer_id.length > PAYER_ID_MAX)
    throw badRequest(`payer_id must have 1 to ${PAYER_ID_MAX} characters`)
  return payer_id
}

const toShown = ({ connector_payer_id, ...route }: StoredRoute, payerName?: string) => ({
  ...route,
  ...(payerName !== undefined && { payer_name: payerName }),
  ...(connector_payer_id !== null && { connector_payer_id }),
})

export const payerRoutes = resource({
  path: '/anteroom/v1/payer-routes',
  group: 'payerRoutes',
  about: 'Which connector asks which payer.',
  schemas,
  routes: [
    list, // GET    /
    set, // PUT    /:payer_id
    remove, // DELETE /:payer_id
  ],
})
