import { expect, it } from 'vitest'
import { nextAttempt } from './deliveries.ts'

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
