import { expect, test } from 'vitest'
import { isoDate } from './iso-date.ts'

test.each([
  ['20260301', '2026-03-01'],
  [' 2026-03-01 ', '2026-03-01'],
  ['202603010930', '2026-03-01'],
  ['20240229', '2024-02-29'],
  ['99991231', '9999-12-31'],
  ['02/29/2024', '2024-02-29'],
  ['2026/03/01', '2026-03-01'],
])('%s is the date %s', (text, date) => {
  expect(isoDate(text)).toBe(date)
})

test.each([
  undefined,
  '',
  '20230229',
  '19000229',
  '20261301',
  '20260431',
  '20260300',
  '00000101',
  '260301',
  '2026030109',
  '02/30/2024',
  '31/12/2025',
  '3/1/2026',
])('%s is not a date', (text) => {
  expect(isoDate(text)).toBeUndefined()
})
