import { describe, expect, it } from 'vitest'
import {
  addDays,
  age,
  ageOn,
  dayOf,
  duration,
  instantOf,
  isDay,
  isWholeDay,
  nextWorkday,
  otherTime,
  shortDay,
  weekOf,
} from './days.ts'

describe('days', () => {
  it('are those of the clinic, not of the computer or of UTC', () => {
    expect(dayOf('2026-11-23T03:30:00Z', 'America/New_York')).toBe('2026-11-22')
    expect(dayOf('2026-11-23T03:30:00Z', 'Asia/Tokyo')).toBe('2026-11-23')
  })

  it('have a time that is named on a computer with another one', () => {
    const now = Date.parse('2026-11-23T15:00:00Z')
    expect(otherTime(now, 'America/Chicago', -6 * 60)).toBe('')
    expect(otherTime(now, 'America/Chicago', -8 * 60)).toBe('Central Standard Time')
    expect(otherTime(Date.parse('2026-07-23T15:00:00Z'), 'America/Chicago', -6 * 60)).toBe('Central Daylight Time')
    expect(otherTime(now, 'UTC', 60)).toBe('Coordinated Universal Time')
  })

  it('are consecutive across months and clock changes', () => {
    expect([addDays('2026-02-28', 1), addDays('2026-11-01', 1), addDays('2027-01-01', -1)]).toEqual([
      '2026-03-01',
      '2026-11-02',
      '2026-12-31',
    ])
  })

  it('have a next workday, which skips a weekend', () => {
    expect(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map(nextWorkday)).toEqual([
      '2026-11-20',
      '2026-11-23',
      '2026-11-23',
      '2026-11-23',
    ])
  })

  it('are distinguished from other text', () => {
    expect(['2026-11-22', '2026-13-01', '2026-02-30', 'yesterday', 7].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    // What a field has while the year 2026 is typed.
    expect(['0002-11-22', '0202-11-22', '2026-11-22'].map(isWholeDay)).toEqual([false, false, true])
    for (const zone of ['UTC', 'America/New_York', 'Asia/Tokyo'])
      expect(instantOf('0002-11-22', '00:00', zone), zone).toMatch(/^000[12]-/)
    expect(shortDay('unknown')).toBe('unknown')
  })
})

describe('the instant of a day and a time', () => {
  it.each([
    ['in winter', '2026-11-22', '14:30', '2026-11-22T19:30:00.000Z'],
    ['in summer', '2026-07-01', '14:30', '2026-07-01T18:30:00.000Z'],
    ['just after the clocks go back', '2026-11-01', '03:00', '2026-11-01T08:00:00.000Z'],
    ['just before the clocks go forward', '2026-03-08', '01:30', '2026-03-08T06:30:00.000Z'],
    ['in the hour that the clocks leave out: the time after it', '2026-03-08', '02:30', '2026-03-08T07:30:00.000Z'],
    ['in the hour that comes twice: the first', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z'],
  ])('%s', (_, day, time, instant) => {
    expect(instantOf(day, time, 'America/New_York')).toBe(instant)
  })

  it('is undefined for text that is not a time', () => {
    expect(instantOf('2026-11-22', '', 'UTC')).toBeUndefined()
  })
})

it('shows the age of a check in the largest unit that fits', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const ages = [
    '2026-11-22T11:59:40Z',
    '2026-11-22T11:18:00Z',
    '2026-11-21T13:00:00Z',
    '2026-11-21T11:00:00Z',
    '2026-11-01T12:00:00Z',
  ]
  expect(ages.map((at) => age(at, now))).toEqual(['just now', '42 min ago', '23 h ago', '1 day ago', '21 days ago'])
  expect([duration(5), duration(60), duration(80)]).toEqual(['5 min', '1 h', '1 h 20 min'])
})

it.each([
  ['2026-11-22', '0 d'],
  ['2026-10-01', '52 d'],
  ['2026-09-22', '2 mo'],
  ['2025-11-23', '11 mo'],
  ['2024-11-23', '23 mo'],
  ['2024-11-22', '2 y'],
  ['2004-11-22', '22 y'],
  ['2004-11-23', '21 y'],
  ['2026-11-23', 'in the future'],
])('tell the age of a newborn in days, of an infant in months, and else in whole years: born %s', (born, age) =>
  expect(ageOn(born, '2026-11-22')).toBe(age),
)

describe('the week of a day', () => {
  it('has seven days from Sunday on, across months and years', () => {
    const week = ['2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']
    for (const day of week) expect(weekOf(day)).toEqual(week)
  })
})
