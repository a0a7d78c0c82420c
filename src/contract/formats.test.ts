import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDateTime, isDate, isDateTime, isUuid } from './formats.ts'

const day = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
})

describe('a date', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2025-12-31'])('is %s', (text) => {
    expect(isDate(text)).toBe(true)
  })

  it.each([
    '2025-02-30',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-01',
    '2025-01-00',
    '0000-01-01',
    '2025-1-1',
    '20250101',
    ' 2025-01-01',
    '2025-01-01\n',
    '2025-01-01T00:00:00Z',
    '٢٠٢٥-٠١-٠١',
    '',
  ])('is not %j', (text) => {
    expect(isDate(text)).toBe(false)
  })

  it('accepts every day of the calendar', () => {
    fc.assert(fc.property(day, (date) => void expect(isDate(date.toISOString().slice(0, 10))).toBe(true)))
  })
})

describe('an instant', () => {
  it.each([
    ['2026-01-15T09:30:00.000Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15T09:30:00Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15t09:30:00z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15 09:30:00Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15T09:30:00.1Z', '2026-01-15T09:30:00.100Z'],
    ['2026-01-15T09:30:00.123999999Z', '2026-01-15T09:30:00.123Z'],
    ['2026-01-15T09:30:00+05:30', '2026-01-15T04:00:00.000Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
    ['2026-01-15T23:30:00-02:00', '2026-01-16T01:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalDateTime(text)).toBe(canonical)
    expect(isDateTime(text)).toBe(true)
  })

  it.each([
    '2025-02-30T00:00:00Z',
    '2026-01-15T09:30:00',
    '2026-01-15T24:00:00Z',
    '2026-01-15T25:00:00Z',
    '2026-01-15T09:60:00Z',
    '2026-01-15T09:30Z',
    '2026-01-15',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-01-15T09:30:00.Z',
    '2026-01-15T09:30:00.1234567890Z',
    '2026-01-15T09:30:00 05:30',
    '',
  ])('is not %j', (text) => {
    expect(canonicalDateTime(text)).toBeUndefined()
    expect(isDateTime(text)).toBe(false)
  })

  it('keeps its canonical form', () => {
    fc.assert(fc.property(day, (date) => void expect(canonicalDateTime(date.toISOString())).toBe(date.toISOString())))
  })
})

describe('a UUID', () => {
  it('accepts a UUID of any version, in upper and lower case', () => {
    fc.assert(fc.property(fc.uuid(), (id) => void expect([id, id.toUpperCase()].map(isUuid)).toEqual([true, true])))
  })

  it.each([
    '',
    'abc',
    '00000000000000000000000000000000',
    '{00000000-0000-0000-0000-000000000000}',
    '00000000-0000-0000-0000-00000000000g',
    '00000000-0000-0000-0000-000000000000 ',
  ])('is not %j', (text) => {
    expect(isUuid(text)).toBe(false)
  })
})
