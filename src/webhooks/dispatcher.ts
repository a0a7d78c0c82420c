// Sends the deliveries of every webhook, in the background. decisions/0040-webhooks.md
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { collectEvents } from '../events/collect.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { findDue, prepareDeliveries, RENEWED_WITHIN_MS, releaseLease, renewLease, takeLease } from './delivery-store.ts'
import { findLogsToCollect } from './logs-to-collect.ts'
import type { SubjectReaders } from './message-body.ts'
import { createSender } from './send.ts'
import { sendRound } from './send-round.ts'
import { webhookNetworks } from './webhook-networks.ts'
import { readTarget, type WebhookKey } from './webhook-store.ts'

type DispatcherNeeds = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'vault' | 'audit' | 'events' | 'metrics' | 'tracing' | 'now' | 'newId'
>

const LOOK_EVERY_MS = 500
/** The webhooks that are processed at a time, over all organizations: several times what one may have (WEBHOOKS_MAX), since each may wait for a slow receiver. */
const WEBHOOKS_AT_A_TIME = 64
/** More than are processed at a time: those of organizations that have no place now are among them. */
const LOOKED_AT = 4 * WEBHOOKS_AT_A_TIME
/** A webhook yields to others after this time, or an attempt that took longer. */
const TURN_MS = 5_000
/** The pause of a webhook whose deliveries all wait for a failed one. */
const REST_SECONDS = 2

export interface Dispatcher {
  /** Starts nothing more, and waits for deliveries in progress. */
  stop(): Promise<void>
}

/**
 * Sends what is due to every webhook until `signal` or `stop`, in this and any number of other processes: a webhook belongs to one process at a
 * time, under a lease. No organization takes all places (decisions/0019-fairness.md).
 */
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
      .catch((error: unknown) => logFailure('events could not be collected', error))
      .finally(() => collecting.delete(organizationId))
  }

  function begin(key: WebhookKey): void {
    if (stopping.aborted || sending.has(key.id) || !places.tryEnter(key.organizationId)) return
    const done = sendFor(key)
      .catch((error: unknown) => logFailure('deliveries of a webhook could not be made', error))
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
        if (!target || !(await sendRound(deps, target, { sender, readers, log, renew }))) return
        hasSent = true
      }
    } finally {
      await releaseLease(deps.database, key, { lease, restSeconds: hasSent ? 0 : REST_SECONDS })
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => logFailure('webhooks could not be looked for', error))
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
