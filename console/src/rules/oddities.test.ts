import { expect, it } from 'vitest'
import { coverageFields } from './coverages.ts'
import { oddityOf } from './fields.ts'
import { patientFields } from './patients.ts'

const read = (values: Record<string, string>) => (name: string) => values[name] ?? ''
const us = read({ country: 'US' })
const patient = (name: string, text: string, value = us) =>
  oddityOf(patientFields.find((field) => field.name === name) ?? fail(name), text, value)
const fail = (name: string): never => {
  throw new Error(name)
}

it.each([
  ['postal_code', ['62701', '62701-1234', '627011234'], ['1220', '6270A', '627012']],
  ['state', ['NY', 'il', 'PR'], ['New York', 'XX']],
  ['telephone', ['5551234567', '+1 (555) 123-4567', '555.123.4567 x12', '+44 20 7946 0958'], ['555-123', 'call home']],
  ['email', ['foo@example.com', 'a.b+c@mail.example.org'], ['foo', 'foo@example', 'foo @example.com']],
  ['birth_date', ['1950-02-28'], ['1850-02-28', '2999-01-01']],
])('warns of a probably mistyped %s, and of no other', (name, usual, odd) => {
  expect(usual.map((text) => patient(name, text))).toEqual(usual.map(() => undefined))
  for (const text of odd) expect(patient(name, text), text).toMatch(/\.$/)
})

it('does not warn of an empty field, nor of addresses of other countries', () => {
  expect(patientFields.map((field) => oddityOf(field, ' ', us)).filter(Boolean)).toEqual([])
  expect(patient('postal_code', 'K1A 0B1', read({ country: 'CA' }))).toBeUndefined()
  expect(patient('state', 'Ontario', read({ country: 'Canada' }))).toBeUndefined()
})

it('warns of a member ID that an inquiry cannot contain, and of a plan that ends before it begins', () => {
  const coverage = (name: string, text: string, value = us) =>
    oddityOf(coverageFields.find((field) => field.name === name) ?? fail(name), text, value)
  expect(coverage('member_id', 'X')).toMatch(/too short/)
  for (const text of ['X'.repeat(81), 'W1é', 'W1*2', '😀1'])
    expect(coverage('member_id', text), text).toMatch(/too long/)
  for (const text of ['X1', 'AB-12/3_4(5)', 'x'.repeat(80)]) expect(coverage('member_id', text), text).toBeUndefined()
  expect(coverage('period_end', '2026-01-01', read({ period_start: '2026-02-01' }))).toMatch(/before/)
  expect(coverage('period_end', '2026-03-01', read({ period_start: '2026-02-01' }))).toBeUndefined()
})
