import { describe, expect, it } from 'vitest'
import { failedCheck } from '../answers/outcome.ts'
import { nextAttemptInMs } from './retry.ts'

const HOUR_MS = 3_600_000
const initiatedAt = new Date('2026-03-08T12:00:00.000Z')
const afterMs = (ms: number) => new Date(initiatedAt.getTime() + ms)
const failed = failedCheck({ code: 'HTTP 503', description: 'the payer does not answer' }, 'STEDI')
const retryForMs = HOUR_MS

describe('a check that failed by an outage', () => {
  it('is sent again within the time for retries, after as long as the clearinghouse asks', () => {
    const outcome = { ...failed, outage: { isAnswered: false, afterMs: 10 * 60_000 } }
    expect(nextAttemptInMs({ attempt: 1, initiatedAt }, outcome, { retryForMs, now: initiatedAt })).toBe(10 * 60_000)
    const last = { retryForMs, now: afterMs(50 * 60_000) }
    expect(nextAttemptInMs({ attempt: 9, initiatedAt }, outcome, last)).toBe(10 * 60_000)
  })

  it('ends at once where the next attempt would come after that time: nobody waits for one that is not made', () => {
    const outcome = { ...failed, outage: { isAnswered: false, afterMs: 10 * 60_000 } }
    const late = { retryForMs, now: afterMs(50 * 60_000 + 1) }
    expect(nextAttemptInMs({ attempt: 9, initiatedAt }, outcome, late)).toBeUndefined()
    const hours = { ...failed, outage: { isAnswered: false, afterMs: 2 * HOUR_MS } }
    expect(nextAttemptInMs({ attempt: 1, initiatedAt }, hours, { retryForMs, now: initiatedAt })).toBeUndefined()
  })
})

it('a check that failed for another reason is not sent again', () => {
  expect(nextAttemptInMs({ attempt: 1, initiatedAt }, failed, { retryForMs, now: initiatedAt })).toBeUndefined()
})
