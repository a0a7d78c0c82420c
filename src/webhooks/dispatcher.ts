// Sends the deliveries of every webhook, in the background. decisions/0040-webhooks.md
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { collectEvents } from '../events/collect.ts'
import { recordOwnEvent } from '../events/event-log.ts'
import { type BackOff, backOffMs } from '../platform/back-off.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { createFairShare } from '../platform/fair-share.ts'
import {
  type DueDelivery,
  disableWebhook,
  findDeliveries,
  findDue,
  type Outcome,
  prepareDeliveries,
  RENEWED_WITHIN_MS,
  recordOutcomes,
  releaseLease,
  renewLease,
  takeLease,
} from './delivery-store.ts'
import { findLogsToCollect } from './logs-to-collect.ts'
import { messageBody, type SubjectReaders } from './message-body.ts'
import { type Attempt, createSender } from './send.ts'
import { webhookNetworks } from './webhook-networks.ts'
import { readTarget, type Target, type WebhookKey } from './webhook-store.ts'

export type DispatcherNeeds = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'vault' | 'audit' | 'events' | 'metrics' | 'tracing' | 'now' | 'newId'
>

const LOOK_EVERY_MS = 500
/** The webhooks that are processed at a time, over all organizations: several times what one may have (WEBHOOKS_MAX), since each may wait for a slow receiver. */
const WEBHOOKS_AT_A_TIME = 64
/** More than are processed at a time: those of organizations that have no place now are among them. */
const LOOKED_AT = 4 * WEBHOOKS_AT_A_TIME
/** The deliveries of one webhook that are sent at a time, each of another record. */
const DELIVERIES_AT_A_TIME = 16
/** The number of deliveries sent at a time to a receiver that is failing. */
const PROBES = 2
/** A webhook yields to others after this time, or an attempt that took longer. */
const TURN_MS = 5_000
/**
 * For a receiver that accepts nothing: two deliveries at a time probe it, so minutes between probes are short enough.
 */
const RECEIVER_BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 300_000 }
/** For a delivery that is refused while others are accepted. */
const DELIVERY_BACK_OFF: BackOff = { firstMs: 5_000, longestMs: 3_600_000 }
/** The pause of a webhook whose deliveries all wait for a failed one. */
const REST_SECONDS = 2
const DAY_MS = 86_400_000

export interface Dispatcher {
  /** Starts nothing more, and waits for deliveries in progress. */
  stop(): Promise<void>
}

export function startDispatcher(
  deps: DispatcherNeeds,
  { log, signal, readers }: { log: FastifyBaseLogger; signal: AbortSignal; readers: SubjectReaders },
): Dispatcher {
  const sender = createSender(webhookNetworks(deps.config), deps.now)
  const places = createFairShare({ places: WEBHOOKS_AT_A_TIME })
  const logFailure = createFailureLog(log)
  const own = new AbortController()
  const stopping = AbortSignal.any([signal, own.signal])
  const sending = new Map<string, Promise<void>>()
  const collecting = new Set<string>()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    for (const organizationId of await findLogsToCollect(deps.systemDatabase, deps.events.types))
      collect(organizationId)
    for (const key of await findDue(deps.systemDatabase, LOOKED_AT)) begin(key)
  }

  function collect(organizationId: string): void {
    if (collecting.has(organizationId)) return
    collecting.add(organizationId)
    collectEvents(deps.database, deps.events.types, organizationId)
      .catch((error: Error) => logFailure('events could not be collected', error))
      .finally(() => collecting.delete(organizationId))
  }

  function begin(key: WebhookKey): void {
    if (stopping.aborted || sending.has(key.id) || !places.tryEnter(key.organizationId)) return
    const done = sendFor(key)
      .catch((error: Error) => logFailure('deliveries of a webhook could not be made', error))
      .finally(() => {
        places.leave(key.organizationId)
        sending.delete(key.id)
      })
    sending.set(key.id, done)
  }

  async function sendFor(key: WebhookKey): Promise<void> {
    let lease = await takeLease(deps.database, key)
    if (lease === undefined) return
    const begunAt = performance.now()
    let hasSent = false
    const renew = async () => {
      const askedAt = performance.now()
      const renewed = await renewLease(deps.database, key, lease ?? '')
      lease = renewed ?? lease
      return renewed !== undefined && performance.now() - askedAt < RENEWED_WITHIN_MS
    }
    try {
      while (performance.now() - begunAt < TURN_MS && !stopping.aborted) {
        await prepareDeliveries(deps.database, key)
        const target = await readTarget(deps.database, deps.vault, key)
        if (!target || !(await sendRound(target, renew))) return
        hasSent = true
      }
    } finally {
      await releaseLease(deps.database, key, { lease, restSeconds: hasSent ? 0 : REST_SECONDS })
    }
  }

  /** Returns false when there is currently nothing more to send, or another process may send it. `renew`: false when the lease was lost. */
  async function sendRound(target: Target, renew: () => Promise<boolean>): Promise<boolean> {
    const limit = target.failures > 0 ? PROBES : DELIVERIES_AT_A_TIME
    const due = await findDeliveries(deps.database, target, limit)
    if (due.length === 0) return false
    const messages = await Promise.all(
      due.map(async ({ event }) => {
        const body = await messageBody(deps, { types: deps.events.types, readers }, target, event)
        return { url: target.url, secrets: target.secrets, id: event.id, body }
      }),
    )
    // Only now: reading may take longer than the lease.
    if (!(await renew())) return false
    const attempts = await Promise.all(
      messages.map((message) => deps.tracing.within('webhooks.deliver', {}, () => sender.send(message))),
    )
    for (const { isDelivered } of attempts) {
      deps.metrics.webhookAttempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' })
    }
    const failures = attempts.some(({ isDelivered }) => isDelivered) ? 0 : target.failures + 1
    const askedMs = Math.max(...attempts.map(({ retryAfterMs = 0 }) => retryAfterMs))
    const retryInMs = failures === 0 ? 0 : backOffMs(RECEIVER_BACK_OFF, failures, { askedMs })
    const giveUpMs = deps.config.WEBHOOK_GIVE_UP_DAYS * DAY_MS
    const outcomes = due.map((delivery, place) =>
      outcomeOf(delivery, attempts[place] as Attempt, { retryInMs, giveUpMs, failures }),
    )
    await recordOutcomes(deps.database, target, outcomes, { failures, retryInMs })
    const reason = attempts.some(({ isGone }) => isGone)
      ? 'the receiver answered 410 (gone)'
      : failures > 0 && target.failingForMs > giveUpMs
        ? `no delivery has succeeded for ${deps.config.WEBHOOK_GIVE_UP_DAYS} days`
        : undefined
    if (reason !== undefined) await disable(target, reason)
    return failures === 0
  }

  /**
   * Reports that the webhook was disabled: in the service log, to the other webhooks and the live stream, and in the
   * webhook itself.
   */
  async function disable({ organizationId, id }: Target, reason: string): Promise<void> {
    const isNew = await deps.database.transaction(async (transaction) => {
      if (!(await disableWebhook(transaction, { organizationId, id }, reason))) return false
      const notice = {
        organizationId,
        type: 'webhook.disabled',
        recordType: 'webhook',
        recordId: id,
        detail: { reason },
      }
      await recordOwnEvent(transaction, notice)
      return true
    })
    if (isNew) log.warn({ organization: organizationId, webhook: id, reason }, 'a webhook was disabled')
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: Error) => logFailure('webhooks could not be looked for', error))
      .finally(() => {
        looking = undefined
      })
  }, LOOK_EVERY_MS).unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
  if (stopping.aborted) clearInterval(timer)

  return {
    async stop() {
      own.abort()
      clearInterval(timer)
      await looking
      await Promise.all(sending.values())
      await sender.close()
    },
  }
}

/**
 * A delivery that fails while others succeed waits longer each time and is given up after days; one that fails together
 * with all others waits for the receiver.
 */
function outcomeOf(
  { event: { number }, attempts, triedForMs }: DueDelivery,
  attempt: Attempt,
  { retryInMs, giveUpMs, failures }: { retryInMs: number; giveUpMs: number; failures: number },
): Outcome {
  if (attempt.isDelivered) return { number, attempt, next: 'DELIVERED' }
  if (failures > 0) return { number, attempt, next: { inMs: retryInMs } }
  if (triedForMs > giveUpMs) return { number, attempt, next: 'FAILED' }
  return {
    number,
    attempt,
    next: { inMs: backOffMs(DELIVERY_BACK_OFF, attempts + 1, { askedMs: attempt.retryAfterMs }) },
  }
}
