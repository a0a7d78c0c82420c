import { describe, expect, it } from 'vitest'
import { addRecent, readRecent } from './recent-batches.ts'

const batch = (number: number) => ({ id: `batch-${number}`, of: number, at: '2026-11-22T10:00:00.000Z' })

describe('the recent batches of a user', () => {
  it('are listed newest first, at most ten', () => {
    let stored: string | undefined
    for (let number = 1; number <= 12; number++) stored = addRecent(stored, batch(number))
    expect(readRecent(stored)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(batch))
  })

  it.each([[undefined], ['not JSON'], ['{}'], ['[null, 7, {"id": 1}]']])(
    'are none for the stored text %j',
    (stored) => {
      expect(readRecent(stored)).toEqual([])
    },
  )
})
