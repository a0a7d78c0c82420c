// The state of a webhook and of its deliveries, and when they are sent next, in words.
import type { MutableWebhook, Webhook, WebhookDelivery } from '../api/generated.ts'

/** Pending deliveries are polled, because no event reports them. */
export const READ_AGAIN_MS = 5_000

export const isWaiting = ({ status }: Pick<WebhookDelivery, 'status'>): boolean => status === 'PENDING'

/** What keeps the most from being delivered comes first: the service's own decision, the user's, then failures. */
export function webhookState({
  disabled_at,
  enabled,
  failing_since,
}: Pick<Webhook, 'disabled_at' | 'enabled' | 'failing_since'>): { state: 'ok' | 'warning' | 'fault'; word: string } {
  if (disabled_at) return { state: 'fault', word: 'Disabled by the service' }
  if (!enabled) return { state: 'warning', word: 'Off' }
  if (failing_since) return { state: 'warning', word: 'Failing' }
  return { state: 'ok', word: 'On' }
}

/** The body that turns a webhook on or off and leaves the rest as it is. */
export function switchedTo(
  enabled: boolean,
  { url, event_types, includes_record, description }: Webhook,
): MutableWebhook {
  return { url, event_types, includes_record, enabled, ...(description && { description }) }
}

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
