import { expect, it } from 'vitest'
import { createAttemptLimit } from './attempt-limit.ts'

function limitAt(attempts: number, windowMs: number) {
  let at = 0
  const limit = createAttemptLimit({ attempts, windowMs, now: () => new Date(at) })
  return { attempt: (key: string) => limit.attempt(key), moveTo: (ms: number) => (at = ms) }
}

it('lets the allowed attempts through and says after how many seconds the next one may come', () => {
  const { attempt, moveTo } = limitAt(2, 10_000)
  expect(attempt('a')).toBe(0)
  moveTo(3_000)
  expect(attempt('a')).toBe(0)
  expect(attempt('a')).toBe(7)
  moveTo(9_999)
  expect(attempt('a')).toBe(1)
  moveTo(10_000)
  expect(attempt('a')).toBe(0)
  expect(attempt('a')).toBe(3)
})

it('counts each key by itself, and refused attempts not at all', () => {
  const { attempt, moveTo } = limitAt(1, 1_000)
  expect([attempt('a'), attempt('b')]).toEqual([0, 0])
  for (let tries = 0; tries < 50; tries++) expect(attempt('a')).toBe(1)
  moveTo(1_000)
  expect(attempt('a')).toBe(0)
})

it('forgets the oldest keys when a stranger invents many, and goes on counting', () => {
  const { attempt } = limitAt(1, 1_000)
  for (let key = 0; key < 100_002; key++) attempt(`key ${key}`)
  expect(attempt('key 0')).toBe(0)
  expect(attempt('key 100001')).toBe(1)
})
