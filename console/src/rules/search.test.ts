import { expect, it } from 'vitest'
import { filterValue, foundWords, matchWords, noneWords, readSearch } from './search.ts'

const telephone = (text: string) => ({ telephone: text, sort_field: 'patient.id' })
const member = (text: string) => ({ member_id: text, sort_field: 'patient.id' })
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
  ['a short part of an MRN', 'S05', mrn('S05')],
  [
    'an MRN with characters of the filter syntax',
    'A1,;\\',
    { filters: 'patient.mrn|contains|A1\\,\\;\\\\', sort_field: 'patient.id' },
  ],
])('finds patients by %s', (_, text, query) => {
  expect(readSearch(text).queries).toEqual([query])
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
    expect(readSearch(text)).toMatchObject({
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
  expect(readSearch('2611220004').queries).toEqual([mrn('2611220004'), telephone('2611220004'), member('2611220004')])
  for (const date of ['02291984', '022984', '19840229'])
    expect(readSearch(date).queries, date).toEqual([
      { filters: 'patient.birthDate|eq|1984-02-29' },
      mrn(date),
      member(date),
    ])
})

it('finds patients by the last digits of a telephone number, which may be a part of an MRN as well', () => {
  expect(readSearch('0142').queries).toEqual([mrn('0142'), telephone('0142'), member('0142')])
  expect(readSearch('55-0142').queries).toEqual([mrn('55-0142'), telephone('55-0142'), member('55-0142')])
  expect(readSearch('142').queries).toEqual([mrn('142')])
})

it.each([
  ['W123456789', [mrn('W123456789'), member('W123456789')]],
  ['1EG4-TE5-MK73', [mrn('1EG4-TE5-MK73'), member('1EG4-TE5-MK73')]],
  ['123 456 789 01', [telephone('123 456 789 01'), member('123 456 789 01')]],
  ['(207) 555-0142', [telephone('(207) 555-0142'), member('(207) 555-0142')]],
  ['mk73', [mrn('mk73'), member('mk73')]],
])('finds patients by the member ID of an insurance card: %s', (text, queries) => {
  expect(readSearch(text)).toMatchObject({ queries })
})

it('finds the record that is kept of a merge by the whole MRN of the other one, in capitals or not', () => {
  const filters = 'patient.mrn|ieq|S0000004'
  expect(readSearch('S0000004').ofMerged).toEqual({ filters, redirect_to_primary: true, sort_field: 'patient.id' })
  for (const text of ['S0', 'doe', '(207) 555-0142']) expect(readSearch(text).ofMerged, text).toBeUndefined()
})

it('asks for a first name of three letters and more before similar names', () => {
  const given = (text: string) => ({ given_begins: text, sort_field: 'patient.name.family' })
  for (const text of ['Ngozi', 'mary ann']) expect(readSearch(text).givenNames, text).toEqual(given(text))
  for (const text of ['ng', 'doe,', 'doe, jane', 'W1234']) expect(readSearch(text).givenNames, text).toBeUndefined()
})

it('rejects a date that does not exist, and requires two characters', () => {
  expect(readSearch('Foo 12 1984').queries).toContainEqual(mrn('Foo 12 1984'))
  expect(readSearch('2/30/1984').queries).toEqual([mrn('2/30/1984'), member('2/30/1984')])
  expect([readSearch(''), readSearch(' d ')]).toEqual([{ queries: [] }, { queries: [] }])
  expect(filterValue('plain')).toBe('plain')
})

it.each([
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

it('says which parts of a telephone number are searched when nobody was found by another part', () => {
  const hint = 'No patients found. Of a telephone number, enter the last four digits or all of it.'
  for (const text of ['555', '(212) 555', '212-55']) expect(noneWords(text), text).toBe(hint)
  for (const text of ['doe', '0142', '207 555 0142', '555-0142', '2/29/84', 'S12'])
    expect(noneWords(text), text).toBe('No patients found.')
})

it('says by which member ID a patient was found, and what tells that it is of an old card', () => {
  const insurance_plan = { payer_name: 'Aetna', member_id: 'W1 2345' }
  expect(matchWords({ status: 'ACTIVE', insurance_plan })).toBe('member ID W1 2345, Aetna')
  const ended = { ...insurance_plan, period: { start: '2020-01-01', end: '2023-12-31' } }
  expect(matchWords({ status: 'ACTIVE', insurance_plan: ended })).toBe('member ID W1 2345, Aetna, until 12/31/2023')
  expect(matchWords({ status: 'ENTERED_IN_ERROR', insurance_plan })).toBe('member ID W1 2345, Aetna, entered in error')
})
