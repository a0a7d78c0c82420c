import { expect, it } from 'vitest'
import { filterValue, readSearch } from './search.ts'

const mrn = (digits: string) => ({ filters: `patient.mrn|contains|${digits}`, sort_field: 'patient.id' })

it.each([
  ['a birth date as forms write it', '2/29/1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['a birth date with a short year of the last century', '02-29-84', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['an ISO date', '1984-02-29', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['a telephone number', '(207) 555-0142', { filters: 'patient.primaryTelecom.value|contains|2075550142' }],
  ['one with the country', '+1 207 555 0142', { filters: 'patient.primaryTelecom.value|contains|2075550142' }],
  ['an MRN', 'S00005', { filters: 'patient.mrn|contains|S00005', sort_field: 'patient.id' }],
  [
    'an MRN with characters of the filter syntax',
    'A1,B;C\\',
    { filters: 'patient.mrn|contains|A1\\,B\\;C\\\\', sort_field: 'patient.id' },
  ],
  ['a name', 'doe, jane', { sort_field: 'similar_name:doe  jane' }],
  ['a name in another script', 'Łukasz Żak', { sort_field: 'similar_name:Łukasz Żak' }],
])('finds patients by %s', (_, text, query) => {
  expect(readSearch(text)).toEqual([query])
})

it('finds patients by digits that may be an MRN, a telephone number or a birth date', () => {
  expect(readSearch('2611220004')).toEqual([
    mrn('2611220004'),
    { filters: 'patient.primaryTelecom.value|contains|2611220004' },
  ])
  expect(readSearch('02291984')).toEqual([{ filters: 'patient.birthDate|eq|1984-02-29' }, mrn('02291984')])
  expect(readSearch('1234')).toEqual([mrn('1234')])
})

it('rejects a date that does not exist, and requires two characters', () => {
  expect(readSearch('2/30/1984')).toEqual([mrn('2/30/1984')])
  expect([readSearch(''), readSearch(' d ')]).toEqual([[], []])
  expect(filterValue('plain')).toBe('plain')
})
