import { expect, it } from 'vitest'
import { filterValue, foundWords, readSearch } from './search.ts'

const telephone = (text: string) => ({ telephone: text, sort_field: 'patient.id' })
const mrn = (digits: string) => ({ filters: `patient.mrn|contains|${digits}`, sort_field: 'patient.id' })

it.each([
  ['a birth date as forms write it', '2/29/1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['a birth date with a short year of the last century', '02-29-84', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['a birth date with blanks', '02 29 1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['the year first', '1984/2/29', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['the name of a month', 'Feb 29, 1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['the name of a month, written out', 'february 29th 1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['the day first, with the name of the month', '29-Feb-1984', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['an ISO date', '1984-02-29', { filters: 'patient.birthDate|eq|1984-02-29' }],
  ['a telephone number', '(207) 555-0142', telephone('(207) 555-0142')],
  ['one with the country', '+1 207 555 0142', telephone('+1 207 555 0142')],
  ['an MRN', 'S00005', { filters: 'patient.mrn|contains|S00005', sort_field: 'patient.id' }],
  [
    'an MRN with characters of the filter syntax',
    'A1,B;C\\',
    { filters: 'patient.mrn|contains|A1\\,B\\;C\\\\', sort_field: 'patient.id' },
  ],
])('finds patients by %s', (_, text, query) => {
  expect(readSearch(text)).toEqual({ queries: [query] })
})

it.each([
  ['żak', [{ family_begins: 'żak' }], 'similar_name:żak'],
  ['doe, jane q', [{ family_begins: 'doe', given_begins: 'jane q' }], 'similar_name:doe  jane q'],
  ['doe,', [{ family_begins: 'doe' }], 'similar_name:doe '],
  [
    'Łukasz de Wit',
    [
      { family_begins: 'Łukasz de Wit' },
      { family_begins: 'Łukasz de', given_begins: 'Wit' },
      { family_begins: 'de Wit', given_begins: 'Łukasz' },
    ],
    'similar_name:Łukasz de Wit',
  ],
])(
  'finds patients by the first letters of their names in either order, otherwise by a similar name: %s',
  (text, names, similar) => {
    expect(readSearch(text)).toEqual({
      queries: names.map((name) => ({ ...name, sort_field: 'patient.name.family' })),
      otherwise: { sort_field: similar, shared: 'similar name' },
    })
  },
)

it.each(['Doe 2/29/1984', '02-29-84, doe', 'doe, 1984-02-29'])(
  'finds patients by a name and a birth date, and by the date alone where the name is spelled otherwise: %s',
  (text) => {
    const filters = 'patient.birthDate|eq|1984-02-29'
    expect(readSearch(text)).toEqual({
      queries: [{ family_begins: expect.stringMatching(/^doe$/i), filters, sort_field: 'patient.name.family' }],
      otherwise: { filters, shared: 'same birth date' },
    })
  },
)

it('finds patients by digits that may be an MRN, a telephone number or a birth date', () => {
  expect(readSearch('2611220004').queries).toEqual([mrn('2611220004'), telephone('2611220004')])
  expect(readSearch('02291984').queries).toEqual([{ filters: 'patient.birthDate|eq|1984-02-29' }, mrn('02291984')])
  for (const date of ['022984', '19840229'])
    expect(readSearch(date).queries, date).toEqual([{ filters: 'patient.birthDate|eq|1984-02-29' }, mrn(date)])
})

it('finds patients by the last digits of a telephone number, which may be a part of an MRN as well', () => {
  expect(readSearch('0142').queries).toEqual([mrn('0142'), telephone('0142')])
  expect(readSearch('55-0142').queries).toEqual([mrn('55-0142'), telephone('55-0142')])
  expect(readSearch('142').queries).toEqual([mrn('142')])
})

it('rejects a date that does not exist, and requires two characters', () => {
  expect(readSearch('Foo 12 1984').queries).toContainEqual(mrn('Foo 12 1984'))
  expect(readSearch('2/30/1984').queries).toEqual([mrn('2/30/1984')])
  expect([readSearch(''), readSearch(' d ')]).toEqual([{ queries: [] }, { queries: [] }])
  expect(filterValue('plain')).toBe('plain')
})

it.each([
  [0, 0, 'No patients found.'],
  [1, 0, '1 found.'],
  [8, 0, 'The 8 best matches.'],
  [1, 1, 'No exact match. 1 with a similar name.'],
  [8, 8, 'No exact match. 8 with a similar name.'],
  [8, 6, '2 found. 6 with a similar name.'],
])('never says of a patient with a similar name that the patient was found: %i, of which %i', (found, others, words) =>
  expect(foundWords(found, others, 'similar name', 8)).toBe(words),
)

it('says that the patients listed for a name and a birth date share only the date', () => {
  expect(foundWords(3, 3, 'same birth date', 8)).toBe('No exact match. 3 with the same birth date.')
})
