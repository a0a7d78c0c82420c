// When the events of a webhook are sent next, in words.
import type { Webhook, WebhookDelivery } from '../api/generated.ts'

type SayInstant = (instant: string) => string

/** An instant that has passed is sent in the next seconds. `say` formats an instant. */
export const sayNext = (instant: string, now: number, say: SayInstant): string =>
  Date.parse(instant) > now ? say(instant) : 'in a few seconds'

/** Empty for a delivery that is not sent any more. One that is due waits for the receiver, which is tried at its own time. */
export function nextAttempt(
  { status, due_at = '' }: Pick<WebhookDelivery, 'status' | 'due_at'>,
  { enabled, next_attempt_at = '' }: Pick<Webhook, 'enabled' | 'next_attempt_at'>,
  now: number,
  say: SayInstant,
): string {
  if (status !== 'PENDING') return ''
  if (!enabled) return 'when the webhook is turned on'
  return sayNext(due_at > next_attempt_at ? due_at : next_attempt_at, now, say)
}
