import { expect, it } from 'vitest'
import { nextAttemptInMs } from './back-off.ts'
import type { Finding } from './decide.ts'

const MINUTE_MS = 60_000
const answersOf = (...findings: Finding[]) => findings.map((finding) => ({ coverage_id: 'any', finding }))
const never = () => 0
const always = () => 1

it('a visit with all answers is not scheduled again', () => {
  expect(nextAttemptInMs({ answers: answersOf('ACTIVE', 'REJECTED'), retries: 0 }, 60)).toBeUndefined()
  expect(nextAttemptInMs({ answers: [], retries: 0 }, 60)).toBeUndefined()
})

it('an open visit is retried after a minute, then after twice as long each time, at most an hour', () => {
  const minutes = [0, 1, 2, 5, 6, 40].map(
    (retries) =>
      (nextAttemptInMs({ answers: answersOf('ACTIVE', 'UNAVAILABLE'), retries }, 60, never) ?? 0) / MINUTE_MS,
  )
  expect(minutes).toEqual([1, 2, 4, 32, 60, 60])
})

it('random variation shortens the delay by up to half', () => {
  expect(nextAttemptInMs({ answers: answersOf('PENDING'), retries: 0 }, 60, always)).toBe(MINUTE_MS / 2)
})

it('a payer that requests a longer delay gets it', () => {
  const answers = [{ coverage_id: 'any', finding: 'UNAVAILABLE' as const, afterMs: 10 * MINUTE_MS }]
  expect(nextAttemptInMs({ answers, retries: 0 }, 60, never)).toBe(10 * MINUTE_MS)
})

it('no visit is postponed past the time one day before it', () => {
  const open = { answers: answersOf('UNAVAILABLE'), retries: 10 }
  expect(nextAttemptInMs(open, 24.5, never)).toBe(30 * MINUTE_MS)
  expect(nextAttemptInMs(open, 24, never)).toBe(60 * MINUTE_MS)
  expect(nextAttemptInMs(open, 2, never)).toBe(60 * MINUTE_MS)
})
