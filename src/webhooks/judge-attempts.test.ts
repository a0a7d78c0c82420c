import { expect, it } from 'vitest'
import type { DueDelivery } from './delivery-store.ts'
import { judgeAttempts } from './judge-attempts.ts'
import type { Attempt } from './send.ts'

const DAYS = 5
const DAY_MS = 86_400_000
const delivered: Attempt = { isDelivered: true, status: 200, durationMs: 1, isGone: false }
const refused: Attempt = { isDelivered: false, status: 500, durationMs: 1, isGone: false }
const healthy = { failures: 0, failingForMs: 0 }

function sent(attempt: Attempt, triedForMs = 0) {
  return { delivery: { event: { number: 7 }, attempts: 3, triedForMs } as DueDelivery, attempt }
}

it('a delivery that fails while another succeeds waits alone: the webhook goes on', () => {
  const verdict = judgeAttempts(healthy, [sent(delivered), sent(refused)], DAYS)
  expect(verdict).toMatchObject({ failures: 0, retryInMs: 0 })
  expect(verdict.outcomes.map(({ next }) => next)).toEqual(['DELIVERED', { inMs: expect.any(Number) }])
  expect(verdict.disabledReason).toBeUndefined()
})

it('a delivery that has failed for days while others succeed is given up, and the webhook is not disabled', () => {
  const verdict = judgeAttempts(healthy, [sent(delivered), sent(refused, DAYS * DAY_MS + 1)], DAYS)
  expect(verdict.outcomes.map(({ next }) => next)).toEqual(['DELIVERED', 'FAILED'])
  expect(verdict.disabledReason).toBeUndefined()
})

it('deliveries that all fail wait together for as long as the receiver asks, and none is given up', () => {
  const asked = { ...refused, retryAfterMs: 3_600_000 }
  const { outcomes, failures, retryInMs } = judgeAttempts(
    { failures: 2, failingForMs: DAY_MS },
    [sent(refused, DAYS * DAY_MS + 1), sent(asked)],
    DAYS,
  )
  expect(failures).toBe(3)
  expect(retryInMs).toBeGreaterThanOrEqual(3_600_000)
  expect(outcomes.map(({ next }) => next)).toEqual([{ inMs: retryInMs }, { inMs: retryInMs }])
})

it('a receiver that has accepted nothing for less than the days does not disable its webhook', () => {
  const target = { failures: 9, failingForMs: DAYS * DAY_MS }
  expect(judgeAttempts(target, [sent(refused)], DAYS).disabledReason).toBeUndefined()
})

it.each([
  ['has accepted nothing for days', { failures: 9, failingForMs: DAYS * DAY_MS + 1 }, refused, /for 5 days/],
  ['is gone', healthy, { ...refused, status: 410, isGone: true }, /410/],
])('a receiver that %s disables its webhook', (_, target, attempt, reason) => {
  expect(judgeAttempts(target, [sent(attempt)], DAYS).disabledReason).toMatch(reason)
})

it('a receiver that accepts a delivery again is not disabled, however long it failed', () => {
  const verdict = judgeAttempts({ failures: 9, failingForMs: DAYS * DAY_MS + 1 }, [sent(delivered)], DAYS)
  expect(verdict).toMatchObject({ failures: 0, retryInMs: 0 })
  expect(verdict.disabledReason).toBeUndefined()
})
