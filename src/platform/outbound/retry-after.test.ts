import { expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const at = new Date('2026-03-08T12:00:00.000Z')
const DAY_MS = 86_400_000

it.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['0', 0],
  ['Sun, 08 Mar 2026 12:10:00 GMT', 600_000],
])('waits as long as Retry-After: %s asks', (header, delayMs) => {
  expect(readRetryAfter(header, at)).toBe(delayMs)
})

it('waits no longer than a day, whatever is asked, and not at all for a date that has passed', () => {
  expect(readRetryAfter('999999999', at)).toBe(DAY_MS)
  expect(readRetryAfter('Sun, 08 Mar 2099 12:00:00 GMT', at)).toBe(DAY_MS)
  expect(readRetryAfter('Sat, 07 Mar 2026 12:00:00 GMT', at)).toBe(0)
})

it.each([undefined, '', 'soon', '-5', '1.5', '2026-03-09'])('ignores %s, which is not a Retry-After', (header) => {
  expect(readRetryAfter(header, at)).toBeUndefined()
})
