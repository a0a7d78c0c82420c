import { expect, it } from 'vitest'
import { readDate, readTime } from './read-date.ts'

it.each([
  ['3/9/1990', '1990-03-09'],
  ['03-09-1990', '1990-03-09'],
  ['1990-03-09', '1990-03-09'],
  ['09 Mar 1990', '1990-03-09'],
  ['March 9th, 1990', '1990-03-09'],
  ['19900309', '1990-03-09'],
  ['1990-03-09T00:00:00Z', '1990-03-09'],
  ['3/9/1990 12:00 AM', '1990-03-09'],
  ['03 / 09 / 1990', '1990-03-09'],
  ['3–9–1990', '1990-03-09'],
  ['Mar. 9, 1990', '1990-03-09'],
])('reads the pasted date %s', (text, date) => {
  expect(readDate(text)).toBe(date)
})

it('reads a year of two digits as the latest one that may be meant', () => {
  expect(readDate('3/9/30', 2026)).toBe('1930-03-09')
  expect(readDate('3/9/30', 2036)).toBe('2030-03-09')
})

it('reads no date in another text, nor a day that does not exist', () => {
  for (const text of ['', '2/30/1990', '13/1/1990', 'tomorrow', '5551234567', '3/9'])
    expect(readDate(text), text).toBeUndefined()
})

it.each([
  ['9:30', '09:30'],
  ['21:05:00', '21:05'],
  ['9:30 AM', '09:30'],
  ['12:15 am', '00:15'],
  ['12 p.m.', '12:00'],
  ['9pm', '21:00'],
])('reads the pasted time %s', (text, time) => {
  expect(readTime(text)).toBe(time)
})

it('reads no time in another text', () => {
  for (const text of ['', '9', '24:00', '9:60', '13 pm', '0 am', 'noon', '3/9/1990'])
    expect(readTime(text), text).toBeUndefined()
})
