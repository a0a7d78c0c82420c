import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDecimal, readPercent } from './decimals.ts'

test.each([
  ['5.00', 5],
  ['5555.16', 5555.16],
  ['.5', 0.5],
  ['-25', -25],
  ['-0', 0],
  ['1,500.00', 1500],
  ['$20', 20],
  ['$ 25.00', 25],
  ['USD 1,500', 1500],
  ['50.00 USD', 50],
  ['-$5', -5],
  ['000123.4500', 123.45],
  ['5.', 5],
  ['.0', 0],
  ['1234567890.12345', 1234567890.12345],
])('an amount of "%s" is %d dollars', (text, dollars) => {
  expect(readDecimal(text)).toBe(dollars)
})

test.each(['', ' ', '.', '-', 'NaN', 'Infinity', '1e5', '0x10', '12.3.4', '9'.repeat(40), '1,50', 'TEN'])(
  'an amount of "%s" is not a number',
  (text) => {
    expect(readDecimal(text)).toBeUndefined()
    expect(readPercent(text)).toBeUndefined()
  },
)

test.each([
  ['.2', 20],
  ['0.2', 20],
  ['.07', 7],
  ['.29', 29],
  ['.155', 15.5],
  ['0', 0],
  ['1', 100],
  ['1.0', 100],
  ['20', 20],
  ['80.5', 80.5],
  ['1.5', 1.5],
  ['20.', 20],
  ['0.', 0],
  ['20%', 20],
  ['1 %', 1],
  ['0.5%', 0.5],
  ['15 PERCENT', 15],
])('a share of "%s" is %d percent', (text, percent) => {
  expect(readPercent(text)).toBe(percent)
})

test('a negative share is rejected', () => {
  expect(readPercent('-.2')).toBeUndefined()
})

test('every fraction with two digits yields the intended whole percent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (percent) => {
      expect(readPercent((percent / 100).toFixed(2))).toBe(percent)
    }),
  )
})

test('any text yields a finite number or none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      for (const value of [readDecimal(text), readPercent(text)]) expect(value ?? 0).toSatisfy(Number.isFinite)
    }),
  )
})
