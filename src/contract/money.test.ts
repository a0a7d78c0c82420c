import { describe, expect, it } from 'vitest'
import { money } from './money.ts'

describe('an amount', () => {
  it.each([
    [0, '$0'],
    [25, '$25'],
    [1500, '$1,500'],
    [1120.5, '$1,120.50'],
    [0.05, '$0.05'],
    [999.999, '$1,000'],
    [1234567.89, '$1,234,567.89'],
    [-5, '-$5'],
    [-1500.25, '-$1,500.25'],
    [-0.001, '$0'],
  ])('of %f dollars is written %s', (dollars, text) => {
    expect(money(dollars)).toBe(text)
  })
})
