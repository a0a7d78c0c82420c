import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { recordOwnEvent } from '../events/event-log.ts'
import { LONG_BYTES, takeTurn } from '../platform/event-loop.ts'
import { disableWebhook, findDeliveries, recordOutcomes } from './delivery-store.ts'
import { judgeAttempts } from './judge-attempts.ts'
import { messageBody, type SubjectReaders } from './message-body.ts'
import type { Sender } from './send.ts'
import type { Target } from './webhook-store.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'vault' | 'audit' | 'events' | 'metrics' | 'tracing' | 'now' | 'newId'>

/** The deliveries of one webhook that are sent at a time, each of another record. */
const DELIVERIES_AT_A_TIME = 16
/** The number of deliveries sent at a time to a receiver that is failing. */
const PROBES = 2

interface Options {
  sender: Sender
  readers: SubjectReaders
  log: FastifyBaseLogger
  /** Extends the lease of the webhook; false when the lease was lost. */
  renew(): Promise<boolean>
}

/**
 * Sends the deliveries of a webhook that are due, a bounded number of them, and stores the results. Resolves to false when there is currently
 * nothing more to send, or another process may send it.
 */
export async function sendRound(
  deps: Needs,
  target: Target,
  { sender, readers, log, renew }: Options,
): Promise<boolean> {
  const limit = target.failures > 0 ? PROBES : DELIVERIES_AT_A_TIME
  const due = await findDeliveries(deps.database, target, limit)
  if (due.length === 0) return false
  const messages = await Promise.all(
    due.map(async (delivery) => {
      const body = await messageBody(deps, { types: deps.events.types, readers }, target, delivery.event)
      return { delivery, message: { url: target.url, secrets: target.secrets, id: delivery.event.id, body } }
    }),
  )
  // Only now: reading may take longer than the lease.
  if (!(await renew())) return false
  const sent = await Promise.all(
    messages.map(async ({ delivery, message }) => {
      // Signing and encoding it takes a millisecond and more.
      if (message.body.length > LONG_BYTES) await takeTurn(target.organizationId)
      const attempt = await deps.tracing.within('webhooks.deliver', {}, () => sender.send(message))
      return { delivery, attempt }
    }),
  )
  for (const { attempt } of sent) {
    deps.metrics.webhookAttempts.inc({ outcome: attempt.isDelivered ? 'delivered' : 'failed' })
  }
  const verdict = judgeAttempts(target, sent, deps.config.WEBHOOK_GIVE_UP_DAYS)
  await recordOutcomes(deps.database, target, verdict.outcomes, verdict)
  if (verdict.disabledReason !== undefined) await disable(deps, target, verdict.disabledReason, log)
  return verdict.failures === 0
}

/**
 * Reports that the webhook was disabled: in the service log, to the other webhooks and the live stream, and in the
 * webhook itself.
 */
async function disable(
  deps: Pick<Needs, 'database'>,
  { organizationId, id }: Target,
  reason: string,
  log: FastifyBaseLogger,
): Promise<void> {
  const isNew = await deps.database.transaction(async (transaction) => {
    if (!(await disableWebhook(transaction, { organizationId, id }, reason))) return false
    await recordOwnEvent(transaction, {
      organizationId,
      subject: 'webhook',
      type: 'webhook.disabled',
      id,
      detail: { reason },
    })
    return true
  })
  if (isNew) log.warn({ organization: organizationId, webhook: id, reason }, 'a webhook was disabled')
}
