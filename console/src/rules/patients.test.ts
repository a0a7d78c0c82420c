import { describe, expect, it } from 'vitest'
import { moved, movedBefore } from './patients.ts'

describe('the filing order', () => {
  it.each([
    ['c', 'a', ['c', 'a', 'b', 'd']],
    ['a', 'd', ['b', 'c', 'a', 'd']],
    ['a', undefined, ['b', 'c', 'd', 'a']],
    ['b', 'b', ['a', 'b', 'c', 'd']],
    ['b', 'c', ['a', 'b', 'c', 'd']],
  ])('has %s dropped before %s', (entry, before, order) => {
    expect(movedBefore(['a', 'b', 'c', 'd'], entry, before)).toEqual(order)
  })

  it('is unchanged when the coverage, or the one it is dropped before, has been removed by another user', () => {
    expect(movedBefore(['a', 'b'], 'x', 'a')).toEqual(['a', 'b'])
    expect(movedBefore(['a', 'b'], 'a', 'x')).toEqual(['a', 'b'])
    expect(moved(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
  })
})
