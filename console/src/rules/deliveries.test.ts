import { expect, it } from 'vitest'
import { nextAttempt, switchedTo, webhookState } from './deliveries.ts'

const now = Date.parse('2026-03-08T12:00:00.000Z')
const [earlier, later, last] = ['2026-03-08T11:59:00.000Z', '2026-03-08T12:05:00.000Z', '2026-03-08T12:30:00.000Z']
const say = (instant: string) => instant.slice(11, 16)
const waiting = (due_at: string) => ({ status: 'PENDING' as const, due_at })

it('says when a waiting delivery is sent: at its own time, or when a failing receiver is tried again', () => {
  const webhook = { enabled: true }
  expect(nextAttempt(waiting(later), webhook, now, say)).toBe('12:05')
  expect(nextAttempt(waiting(earlier), webhook, now, say)).toBe('in a few seconds')
  expect(nextAttempt(waiting(earlier), { ...webhook, next_attempt_at: last }, now, say)).toBe('12:30')
  expect(nextAttempt(waiting(last), { ...webhook, next_attempt_at: later }, now, say)).toBe('12:30')
})

it('says that nothing is sent while the webhook is off, and nothing about a delivery that is done', () => {
  expect(nextAttempt(waiting(later), { enabled: false }, now, say)).toBe('when the webhook is turned on')
  expect(nextAttempt({ status: 'DELIVERED' }, { enabled: true, next_attempt_at: last }, now, say)).toBe('')
  expect(nextAttempt({ status: 'FAILED' }, { enabled: true }, now, say)).toBe('')
})

it('names what keeps the most from being delivered: the service, then the user, then the receiver', () => {
  const [at, fault, warning] = [earlier, 'fault', 'warning']
  expect(webhookState({ enabled: true })).toEqual({ state: 'ok', word: 'On' })
  expect(webhookState({ enabled: true, failing_since: at })).toEqual({ state: warning, word: 'Failing' })
  expect(webhookState({ enabled: false, failing_since: at })).toEqual({ state: warning, word: 'Off' })
  expect(webhookState({ enabled: false, disabled_at: at })).toEqual({ state: fault, word: 'Disabled by the service' })
})

it('turns a webhook on and off without changing anything else of it', () => {
  const kept = { url: 'https://receiver.test', event_types: ['patient.*'], includes_record: true }
  const webhook = { ...kept, id: 'W', organization_id: 'O', enabled: true, created_at: earlier, updated_at: later }
  expect(switchedTo(false, webhook)).toEqual({ ...kept, enabled: false })
  expect(switchedTo(true, { ...webhook, description: 'Billing' })).toEqual({
    ...kept,
    description: 'Billing',
    enabled: true,
  })
})
