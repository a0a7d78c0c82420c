import { expect, it, vi } from 'vitest'
import { createPayerBreaker } from './payer-breaker.ts'

const payer = { organizationId: 'org-1', connection: 'ours', payerId: '60054' }
const BREAK_AFTER = 3

function opened() {
  let time = 1_000_000
  const breaker = createPayerBreaker(() => time)
  const fail = (times: number) => {
    for (let count = 0; count < times; count++) breaker.record(payer, 'outage', BREAK_AFTER)
  }
  fail(BREAK_AFTER)
  return { breaker, fail, pass: (ms: number) => (time += ms) }
}

it('a payer is paused for 30 seconds, however many inquiries were in flight when its outage was noticed', () => {
  const { breaker, fail, pass } = opened()
  fail(20)
  expect(breaker.waitMs(payer)).toBe(30_000)
  pass(30_000)
  expect(breaker.waitMs(payer)).toBe(0)
})

it('one check tries the payer after the pause: each outage doubles the pause up to five minutes, and an answer ends it', () => {
  const { breaker, fail, pass } = opened()
  for (const pauseMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
    expect(breaker.waitMs(payer)).toBe(pauseMs)
    pass(pauseMs)
    expect([breaker.waitMs(payer), breaker.waitMs(payer)]).toEqual([0, pauseMs])
    fail(2)
  }
  breaker.record(payer, 'answer', BREAK_AFTER)
  expect(breaker.waitMs(payer)).toBe(0)
  fail(1)
  expect(breaker.waitMs(payer)).toBe(0)
})

it('another check tries the payer when the one that tried it was lost', () => {
  const { breaker, pass } = opened()
  pass(30_000)
  expect(breaker.waitMs(payer)).toBe(0)
  pass(30_000)
  expect(breaker.waitMs(payer)).toBe(0)
})

it('another check tries the payer at once when the one that should have tried it was never sent', () => {
  const { breaker, fail, pass } = opened()
  breaker.record(payer, 'ours', BREAK_AFTER)
  expect(breaker.waitMs(payer)).toBe(30_000)
  pass(30_000)
  expect(breaker.waitMs(payer)).toBe(0)
  breaker.record(payer, 'ours', BREAK_AFTER)
  expect([breaker.waitMs(payer), breaker.waitMs(payer)]).toEqual([0, 30_000])
  fail(1)
  expect(breaker.waitMs(payer)).toBe(60_000)
})

it('a pause is as long as it was when the clock of the machine is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const breaker = createPayerBreaker()
    for (let count = 0; count < BREAK_AFTER; count++) breaker.record(payer, 'outage', BREAK_AFTER)
    vi.setSystemTime(Date.now() - 2 * 3_600_000)
    expect(breaker.waitMs(payer)).toBeLessThanOrEqual(30_000)
    expect(breaker.resting('org-1').every(({ waitMs }) => waitMs <= 30_000)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
