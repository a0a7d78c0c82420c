import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onceAMinute } from './failure-log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('an outage is logged once a minute: the first failure at once, then the latest', () => {
  const said: string[] = []
  const say = onceAMinute((message) => said.push(message))
  for (let n = 0; n < 300; n++) {
    say(`${n}`)
    vi.advanceTimersByTime(500)
  }
  expect(said).toEqual(['0', '119', '239'])
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['0', '119', '239', '299'])
})
