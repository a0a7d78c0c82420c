import { describe, expect, it } from 'vitest'
import type { Coverage, Patient } from '../api/generated.ts'
import { coverageFieldsOf } from './coverages.ts'
import { isRecorded, readFound, toDiscovery, toTyped } from './discovery.ts'
import { newPatient } from './patients.ts'

const patient = {
  name: { family: 'Doe', given: ['Jane', 'Q'], use: 'USUAL' },
  birth_date: '2004-04-04',
  biological_sex: 'FEMALE',
  social_security_number: '123456789',
  primary_address: {
    use: 'HOME',
    line: ['12 Harbor Street', 'Unit 2'],
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
} as Patient

const item = {
  payer: { name: 'AETNA', payorIdentification: '60054' },
  subscriber: { memberId: 'W1', firstName: 'JANE', lastName: 'DOE', dateOfBirth: '20040404', groupNumber: '7' },
  planDateInformation: { planBegin: '20150101' },
  confidence: { level: 'HIGH', reason: 'Name and date of birth match' },
}

describe('the search for coverages', () => {
  it('sends the recorded data of the patient', () => {
    expect(toDiscovery(patient, '1999999984', '2026-11-23')).toEqual({
      provider: { npi: '1999999984' },
      subscriber: {
        first_name: 'Jane',
        middle_name: 'Q',
        last_name: 'Doe',
        date_of_birth: '20040404',
        gender: 'F',
        ssn: '123456789',
        address: {
          address_1: '12 Harbor Street',
          address_2: 'Unit 2',
          city: 'Springfield',
          state: 'IL',
          postal_code: '62701',
        },
      },
      encounter: { date_of_service: '20261123' },
    })
    const { subscriber } = toDiscovery({ ...patient, biological_sex: 'UNKNOWN' }, '1', '2026-11-23')
    expect(subscriber).not.toHaveProperty('gender')
  })

  it('shows what was sent twice once, and two plans of one member', () => {
    const other = { ...item, planDateInformation: { planBegin: '20250101' } }
    const found = readFound([item, other, structuredClone(item)])
    expect(found.map(({ begins }) => begins)).toEqual(['2015-01-01', '2025-01-01'])
  })

  it('fills in the form for a new coverage, whose subscriber is the patient or somebody else', () => {
    const [own] = readFound([item])
    expect(own).toMatchObject({ relationship: 'SELF', review: '' })
    expect(toTyped(own!)).toEqual({
      payer: '60054|AETNA',
      member_id: 'W1',
      group_number: '7',
      period_start: '2015-01-01',
      relationship: 'SELF',
    })
    const dependent = { firstName: 'MAX', lastName: 'DOE', relationToSubscriberCode: '19' }
    const [child] = readFound([{ ...item, dependent }])
    expect(toTyped(child!)).toMatchObject({
      relationship: 'CHILD',
      subscriber_given: 'JANE',
      subscriber_family: 'DOE',
      subscriber_birth_date: '2004-04-04',
    })
  })

  it('leaves empty what it does not know of a subscriber who is not the patient, and takes nothing from the patient', () => {
    const dependent = { firstName: 'MAX', lastName: 'DOE', relationToSubscriberCode: '19' }
    const [unstated] = readFound([{ ...item, dependent }])
    expect(toTyped(unstated!)).toMatchObject({ subscriber_sex: '', subscriber_suffix: '' })
    const [stated] = readFound([{ ...item, subscriber: { ...item.subscriber, gender: 'F' }, dependent }])
    expect(toTyped(stated!)).toMatchObject({ subscriber_sex: 'FEMALE' })
    // Each field of the subscriber in the form is decided here.
    const names = coverageFieldsOf(newPatient() as Patient).map(({ name }) => name)
    expect(Object.keys(toTyped(unstated!))).toEqual(
      expect.arrayContaining(names.filter((name) => /^subscriber_/.test(name))),
    )
  })

  it('searches for the name of a payer that was found without an ID, because it cannot be filed without one', () => {
    const [found] = readFound([{ ...item, payer: { name: 'Community Care' } }])
    expect(toTyped(found!)).toMatchObject({ payer: '', payer_search: 'Community Care' })
    expect(toTyped(readFound([item])[0]!)).not.toHaveProperty('payer_search')
  })

  it('says why a result may be another person, and leaves out what cannot be filed', () => {
    const unsure = { ...item, confidence: { level: 'REVIEW_NEEDED', reason: 'The SSN differs' } }
    const { confidence: _, ...unrated } = item
    const found = readFound([unsure, unrated, { payer: item.payer }, { subscriber: item.subscriber }, null, 'x'])
    expect(found.map(({ review }) => review)).toEqual(['The SSN differs', 'The match is not certain'])
  })

  it('recognizes a coverage that is already recorded, in any spelling of its member ID', () => {
    const recorded = (payer_id: string, member_id: string) =>
      [{ insurance_plan: { payer_id, member_id, payer_name: 'x' } }] as unknown as Coverage[]
    const [found] = readFound([item])
    expect(isRecorded(found!, recorded('60054', 'w-1'))).toBe(true)
    expect(isRecorded(found!, recorded('87726', 'W1'))).toBe(false)
    expect(isRecorded(found!, recorded('60054', 'W12'))).toBe(false)
  })
})
