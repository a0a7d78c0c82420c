// The webhooks of an organization: the addresses that are notified of its events. decisions/0040-webhooks.md

import { Type } from 'typebox'
import type { Actor } from '../contract/actor.ts'
import { badRequest, notFound } from '../contract/errors.ts'
import { isUuid } from '../contract/formats.ts'
import type { Deps } from '../deps.ts'
import { recordWrite } from '../platform/audit/pending.ts'
import type { Database } from '../platform/database/database.ts'
import { endpoint } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../records/page.ts'
import { resource } from '../records/resource.ts'
import { toArray } from '../records/wire.ts'
import { DELIVERY_JSON, replayDelivery, replaySince } from './delivery-store.ts'
import { sendTest } from './send-test.ts'
import * as schemas from './webhook.schema.ts'
import {
  MutableWebhook,
  ReplayRequest,
  ReplayResult,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookTestResult,
  WebhookWithSecret,
} from './webhook.schema.ts'
import { findWebhookFault } from './webhook-rules.ts'
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  readTarget,
  readWebhook,
  rotateSecret,
  updateWebhook,
  WEBHOOKS_MAX,
  type WebhookKey,
} from './webhook-store.ts'

type WebhookNeeds = Pick<Deps, 'config' | 'database' | 'vault' | 'events' | 'now' | 'newId'>

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary: 'Lists the webhooks of the organization, oldest first, without their secrets.',
  answer: Type.Array(Webhook),
  errors: [],
  handle: async (deps: WebhookNeeds, { actor }) => toArray(await listWebhooks(deps.database, actor.organizationId)),
})

// A caller who may send records to any address can read all of them: hence `admin`.
const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  accessType: 'admin',
  summary: 'Creates a webhook, which is sent the events from now on. The response shows its secret, once.',
  body: MutableWebhook,
  answer: WebhookWithSecret,
  errors: ['BadRequestError'],
  handle: (deps: WebhookNeeds, { actor, body }) => createWebhook(deps, actor, body),
})

async function createWebhook(deps: WebhookNeeds, actor: Actor, body: MutableWebhook): Promise<string> {
  requireGood(deps, body)
  const { organizationId } = actor
  await deps.events.ends(organizationId)
  const key = { organizationId, id: deps.newId() }
  return deps.database.transaction(async (transaction) => {
    const { json, secret } = (await insertWebhook(transaction, deps.vault, key, body)) ?? tooMany()
    await tell(transaction, actor, key, 'create')
    return `${json.slice(0, -1)},"secret":"${secret}"}`
  })
}

function tooMany(): never {
  throw badRequest(`an organization has at most ${WEBHOOKS_MAX} webhooks`)
}

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '/:webhook_id',
  summary: 'Reads a webhook, without its secret.',
  answer: Webhook,
  errors: ['NotFoundError'],
  handle: async (deps: WebhookNeeds, { actor, params }) =>
    (await readWebhook(deps.database, keyOf(actor, params))) ?? fail(),
})

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '/:webhook_id',
  accessType: 'admin',
  summary:
    'Replaces the settings of a webhook. A webhook that is enabled again continues where it stopped, without skipping events in between.',
  body: MutableWebhook,
  answer: Webhook,
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: WebhookNeeds, { actor, params, body }) {
    requireGood(deps, body)
    const key = keyOf(actor, params)
    return change(deps, actor, key, 'update', (transaction) => updateWebhook(transaction, key, body))
  },
})

const remove = endpoint({
  operation: 'remove',
  method: 'DELETE',
  path: '/:webhook_id',
  accessType: 'admin',
  summary: 'Removes a webhook and its deliveries.',
  errors: ['NotFoundError'],
  async handle(deps: WebhookNeeds, { actor, params }) {
    const key = keyOf(actor, params)
    await change(
      deps,
      actor,
      key,
      'remove',
      async (transaction) => (await deleteWebhook(transaction, key)) || undefined,
    )
    return undefined
  },
})

const rotate = endpoint({
  operation: 'rotateSecret',
  method: 'POST',
  path: '/:webhook_id/rotate-secret',
  accessType: 'admin',
  summary: 'Creates a new secret and shows it, once. For 24 hours deliveries are signed with the previous one as well.',
  answer: RotatedSecret,
  errors: ['NotFoundError'],
  handle(deps: WebhookNeeds, { actor, params }) {
    const key = keyOf(actor, params)
    return change(deps, actor, key, 'rotateSecret', (transaction) => rotateSecret(transaction, deps.vault, key))
  },
})

const test = endpoint({
  operation: 'test',
  method: 'POST',
  path: '/:webhook_id/test',
  accessType: 'admin',
  summary: 'Sends one event of type webhook.test now, and returns the result.',
  answer: WebhookTestResult,
  errors: ['NotFoundError'],
  async handle(deps: WebhookNeeds, { actor, params }) {
    const target = await readTarget(deps.database, deps.vault, keyOf(actor, params))
    return target ? sendTest(deps, target) : fail()
  },
})

const DeliveryQuery = Type.Object({ ...pageQuery, status: Type.Optional(WebhookDelivery.properties.status) })

const deliveries = endpoint({
  operation: 'getDeliveries',
  method: 'GET',
  path: '/:webhook_id/deliveries',
  summary: 'Lists the deliveries of a webhook, the latest event first, with the result of the last attempt.',
  query: DeliveryQuery,
  answer: pageOf(WebhookDelivery),
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: WebhookNeeds, { actor, params, query }) {
    const key = keyOf(actor, params)
    const page = await readPage(
      deps,
      {
        from: `from webhook_delivery d join event e on e.organization_id = $1 and e.number = d.number
          where d.organization_id = $1 and d.webhook_id = $2 and ($3::text is null or d.status = $3)`,
        values: [key.organizationId, key.id, query.status ?? null],
        columns: DELIVERY_JSON,
        sort: { sql: 'd.number', type: 'numeric', direction: 'desc', isAlwaysSet: true },
        id: 'e.id',
        request: { operation: 'webhooks.getDeliveries' },
        toText: ([text]) => text ?? '',
      },
      query,
    )
    return (await readWebhook(deps.database, key)) === undefined ? fail() : page
  },
})

const replay = endpoint({
  operation: 'replayDelivery',
  method: 'POST',
  path: '/:webhook_id/deliveries/:number/replay',
  accessType: 'admin',
  summary: 'Sends one delivery again, with the same `webhook-id`.',
  answer: WebhookDelivery,
  errors: ['NotFoundError'],
  handle(deps: WebhookNeeds, { actor, params }) {
    const key = keyOf(actor, params)
    const number = /^\d{1,15}$/.test(params.number ?? '') ? Number(params.number) : 0
    return change(deps, actor, key, 'replayDelivery', (transaction) => replayDelivery(transaction, key, number))
  },
})

const replayAll = endpoint({
  operation: 'replay',
  method: 'POST',
  path: '/:webhook_id/replay',
  accessType: 'admin',
  summary:
    'Sends all events from an instant on again, as far as they are kept, in order and regardless of earlier results. Returns the number of deliveries.',
  body: ReplayRequest,
  answer: ReplayResult,
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: WebhookNeeds, { actor, params, body }) {
    const key = keyOf(actor, params)
    return change(deps, actor, key, 'replay', async (transaction) => {
      if ((await readWebhook(transaction, key)) === undefined) return undefined
      return { deliveries: await replaySince(transaction, key, body) }
    })
  },
})

/** Changes a webhook and writes the audit event of the change, both or neither. @throws NotFoundError */
async function change<T>(
  deps: WebhookNeeds,
  actor: Actor,
  key: WebhookKey,
  operation: string,
  work: (database: Database) => Promise<T | undefined>,
): Promise<T> {
  return deps.database.transaction(async (transaction) => {
    const result = await work(transaction)
    if (result === undefined) return fail()
    await tell(transaction, actor, key, operation)
    return result
  })
}

const tell = (database: Database, actor: Actor, { id }: WebhookKey, operation: string) =>
  recordWrite(database, actor, { name: `webhooks.${operation}`, type: 'webhook', ids: [id] })

/** @throws BadRequestError */
function requireGood({ config, events }: WebhookNeeds, body: MutableWebhook): void {
  const fault = findWebhookFault(config, events.types, body)
  if (fault !== undefined) throw badRequest(fault)
}

function keyOf({ organizationId }: Actor, params: Record<string, string>): WebhookKey {
  const id = params.webhook_id ?? ''
  if (!isUuid(id)) fail()
  return { organizationId, id }
}

function fail(): never {
  throw notFound('Webhook')
}

export const webhooks = resource({
  path: '/anteroom/v1/webhooks',
  group: 'webhooks',
  permits: { read: 'See webhooks and their deliveries.' },
  schemas,
  routes: [
    list, // GET    /
    create, // POST   /
    read, // GET    /:webhook_id
    update, // PUT    /:webhook_id
    rotate, // POST   /:webhook_id/rotate-secret
    test, // POST   /:webhook_id/test
    deliveries, // GET    /:webhook_id/deliveries
    replay, // POST   /:webhook_id/deliveries/:number/replay
    replayAll, // POST   /:webhook_id/replay
    remove, // DELETE /:webhook_id
  ],
})
