// Sends the deliveries of every webhook, in the background. decisions/0040-webhooks.md
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { collectEvents } from '../events/collect.ts'
import { failuresOf, type NoteFailure } from '../platform/each-organization.ts'
import { createFailureLog, type LogFailure } from '../platform/failure-log.ts'
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
/** The pause of an organization whose changes could not be collected: it takes no place of another one. */
const COLLECT_AGAIN_MS = 10_000
/** The pause of a webhook whose deliveries all wait for a failed one. */
const REST_SECONDS = 2

const UNREAD = 'the webhooks of an organization could not be read'
const UNCOLLECTED = 'events of an organization could not be collected'

export interface Dispatcher {
  /** Starts nothing more, and waits for deliveries in progress. */
  stop(): Promise<void>
}

interface DispatcherOptions {
  log: FastifyBaseLogger
  signal: AbortSignal
  readers: SubjectReaders
}

/**
 * Sends what is due to every webhook until `signal` or `stop`, in this and any number of other processes: a webhook belongs to one process at a
 * time, under a lease. No organization takes all places (decisions/0019-fairness.md).
 */
export const startDispatcher = (deps: DispatcherNeeds, options: DispatcherOptions): Dispatcher =>
  new LeasedDispatcher(deps, options)

class LeasedDispatcher implements Dispatcher {
  readonly #deps: DispatcherNeeds
  readonly #options: DispatcherOptions
  readonly #sender: ReturnType<typeof createSender>
  readonly #logFailure: LogFailure
  readonly #places = createFairShare({ places: WEBHOOKS_AT_A_TIME })
  readonly #own = new AbortController()
  readonly #stopping: AbortSignal
  readonly #timer: NodeJS.Timeout
  /** Webhooks that this process sends to, by their id. */
  readonly #sending = new Map<string, Promise<void>>()
  /** Organizations whose changes are being collected into their event log. */
  readonly #collecting = new Set<string>()
  readonly #noteUnread: NoteFailure
  readonly #noteUncollected: NoteFailure
  /** Where that failed, and until when it is not tried again. */
  readonly #resting = new Map<string, number>()
  #looking: Promise<void> | undefined
  #restsUntil = 0

  constructor(deps: DispatcherNeeds, options: DispatcherOptions) {
    this.#deps = deps
    this.#options = options
    this.#sender = createSender(webhookNetworks(deps.config), deps.now)
    this.#logFailure = createFailureLog(options.log)
    this.#noteUnread = failuresOf({ work: 'deliveries', failure: UNREAD }, { ...deps, log: options.log })
    this.#noteUncollected = failuresOf({ work: 'collection', failure: UNCOLLECTED }, { ...deps, log: options.log })
    this.#stopping = AbortSignal.any([options.signal, this.#own.signal])
    this.#timer = setInterval(() => this.#lookNow(), LOOK_EVERY_MS).unref()
    this.#stopping.addEventListener('abort', () => clearInterval(this.#timer))
    if (this.#stopping.aborted) clearInterval(this.#timer)
  }

  async stop(): Promise<void> {
    this.#own.abort()
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(this.#sending.values())
    await this.#sender.close()
  }

  #lookNow(): void {
    if (performance.now() < this.#restsUntil) return
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#logFailure('the webhooks that are due could not be read', error))
      .finally(() => {
        this.#looking = undefined
      })
  }

  async #look(): Promise<void> {
    const { systemDatabase, events } = this.#deps
    for (const [id, until] of this.#resting) if (until <= performance.now()) this.#resting.delete(id)
    const except = [...this.#collecting, ...this.#resting.keys()]
    const begunAt = performance.now()
    let mustRest = false
    const onFailure: NoteFailure = (error, organizationId) => {
      mustRest = true
      this.#noteUnread(error, organizationId)
    }
    for (const id of await findLogsToCollect(systemDatabase, events.types, { except, onFailure })) this.#collect(id)
    for (const key of await findDue(systemDatabase, LOOKED_AT, onFailure)) this.#begin(key)
    // Each organization was asked by itself.
    if (mustRest) this.#restsUntil = 2 * performance.now() - begunAt
  }

  #collect(organizationId: string): void {
    if (this.#collecting.has(organizationId)) return
    this.#collecting.add(organizationId)
    collectEvents(this.#deps.database, this.#deps.events.types, organizationId)
      .catch((error: unknown) => {
        this.#noteUncollected(error, organizationId)
        this.#resting.set(organizationId, performance.now() + COLLECT_AGAIN_MS)
      })
      .catch((error: unknown) => this.#logFailure('events could not be collected', error))
      .finally(() => this.#collecting.delete(organizationId))
  }

  #begin(key: WebhookKey): void {
    const { organizationId, id } = key
    if (this.#stopping.aborted || this.#sending.has(id) || !this.#places.tryEnter(organizationId)) return
    const done = this.#sendFor(key)
      .catch((error: unknown) => this.#logFailure('deliveries of a webhook could not be sent', error))
      .finally(() => {
        this.#places.leave(organizationId)
        this.#sending.delete(id)
      })
    this.#sending.set(id, done)
  }

  /** Sends what is due to one webhook, if no other process has its lease, until its turn is over. */
  async #sendFor(key: WebhookKey): Promise<void> {
    const { database } = this.#deps
    let lease = await takeLease(database, key)
    if (lease === undefined) return
    const begunAt = performance.now()
    let hasSent = false
    const renew = async () => {
      const askedAt = performance.now()
      const renewed = await renewLease(database, key, lease ?? '')
      lease = renewed ?? lease
      return renewed !== undefined && performance.now() - askedAt < RENEWED_WITHIN_MS
    }
    try {
      while (performance.now() - begunAt < TURN_MS && !this.#stopping.aborted) {
        if (!(await this.#sendRound(key, renew))) return
        hasSent = true
      }
    } finally {
      await releaseLease(database, key, { lease, restSeconds: hasSent ? 0 : REST_SECONDS })
    }
  }

  /** False when there is nothing more to send now, another process may send it, or the webhook is gone. */
  async #sendRound(key: WebhookKey, renew: () => Promise<boolean>): Promise<boolean> {
    const { database, vault } = this.#deps
    await prepareDeliveries(database, key)
    const target = await readTarget(database, vault, key)
    const { log, readers } = this.#options
    return target !== undefined && sendRound(this.#deps, target, { sender: this.#sender, readers, log, renew })
  }
}
