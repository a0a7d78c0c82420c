// What follows from the attempts of one round at a webhook. decisions/0040-webhooks.md
import { type BackOff, backOffMs } from '../platform/back-off.ts'
import type { DueDelivery, Outcome } from './delivery-store.ts'
import type { Attempt } from './send.ts'
import type { Target } from './webhook-store.ts'

/**
 * For a receiver that accepts nothing: two deliveries at a time probe it, so minutes between probes are short enough.
 */
const RECEIVER_BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 300_000 }
/** For a delivery that is refused while others are accepted. */
const DELIVERY_BACK_OFF: BackOff = { firstMs: 5_000, longestMs: 3_600_000 }
const DAY_MS = 86_400_000

interface Verdict {
  /** One for each delivery, in their order. */
  outcomes: Outcome[]
  /** Consecutive rounds in which no delivery succeeded. */
  failures: number
  /** The delay before the next round. */
  retryInMs: number
  /** Why the webhook is disabled. */
  disabledReason?: string
}

/**
 * A delivery that fails while others succeed waits longer each time and is given up after `giveUpDays`. Deliveries that all fail wait for the
 * receiver; the webhook is disabled when it has failed for as long, or is gone (410).
 */
export function judgeAttempts(
  target: Pick<Target, 'failures' | 'failingForMs'>,
  sent: readonly { delivery: DueDelivery; attempt: Attempt }[],
  giveUpDays: number,
): Verdict {
  const attempts = sent.map(({ attempt }) => attempt)
  const failures = attempts.some(({ isDelivered }) => isDelivered) ? 0 : target.failures + 1
  const askedMs = Math.max(...attempts.map(({ retryAfterMs = 0 }) => retryAfterMs))
  const retryInMs = failures === 0 ? 0 : backOffMs(RECEIVER_BACK_OFF, failures, { askedMs })
  const giveUpMs = giveUpDays * DAY_MS
  const nextOf = ({ attempts: earlier, triedForMs }: DueDelivery, attempt: Attempt): Outcome['next'] => {
    if (attempt.isDelivered) return 'DELIVERED'
    if (failures > 0) return { inMs: retryInMs }
    if (triedForMs > giveUpMs) return 'FAILED'
    return { inMs: backOffMs(DELIVERY_BACK_OFF, earlier + 1, { askedMs: attempt.retryAfterMs }) }
  }
  const outcomes = sent.map(({ delivery, attempt }) => ({
    number: delivery.event.number,
    attempt,
    next: nextOf(delivery, attempt),
  }))
  if (attempts.some(({ isGone }) => isGone)) {
    return { outcomes, failures, retryInMs, disabledReason: 'the receiver answered 410 (gone)' }
  }
  if (failures > 0 && target.failingForMs > giveUpMs) {
    return { outcomes, failures, retryInMs, disabledReason: `no delivery has succeeded for ${giveUpDays} days` }
  }
  return { outcomes, failures, retryInMs }
}
