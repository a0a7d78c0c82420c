import { describe, expect, it } from 'vitest'
import { type Body, coverageBody, patientBody } from '../../../test/support/bodies.ts'
import { requireAskable, toCheckRequest } from './check-request.ts'
import {
  type AskedCoverage,
  type AskedPatient,
  COVERAGE_FIELDS,
  changedSince,
  toCoverageRequest,
} from './coverage-request.ts'

const about = { npi: '1999999984', dateOfService: '2026-03-10', serviceTypeCodes: ['30'] }
const patient = patientBody({ birth_date: '1990-01-01' }) as AskedPatient
const coverageOf = (overrides: Body = {}) => coverageBody('a patient', overrides) as unknown as AskedCoverage

describe('the request about a coverage', () => {
  it('contains only the subscriber when that is the patient', () => {
    expect(toCoverageRequest(coverageOf(), patient, about)).toEqual({
      payer_id: '60054',
      provider: { npi: '1999999984' },
      subscriber: { member_id: 'W123456789', first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1984-02-29' },
      encounter: { date_of_service: '2026-03-10', service_type_codes: ['30'] },
    })
  })

  it.each(['SPOUSE', 'CHILD', 'COMMON_LAW_SPOUSE', 'OTHER'])(
    'names the patient as the dependent of a %s',
    (relationship) => {
      const request = toCoverageRequest(coverageOf({ relationship }), patient, about)
      expect(request.dependent).toEqual({ first_name: 'Ana', last_name: 'Rivera', date_of_birth: '1990-01-01' })
      expect(request.subscriber.date_of_birth).toBe('1984-02-29')
    },
  )

  it("uses the patient's birth date only if the subscriber is the patient and has none", () => {
    const { subscriber } = coverageOf()
    const { date_of_birth: _date, ...unknown } = subscriber
    const asSelf = toCoverageRequest(coverageOf({ subscriber: unknown }), patient, about)
    expect(asSelf.subscriber.date_of_birth).toBe('1990-01-01')
    const asChild = toCoverageRequest(coverageOf({ subscriber: unknown, relationship: 'CHILD' }), patient, about)
    expect(asChild.subscriber).not.toHaveProperty('date_of_birth')
  })

  it('leaves out a member id that is blank, and takes a name without given names', () => {
    const nameless = { name: { family: 'Rivera', given: [], use: 'USUAL' }, biological_sex: 'FEMALE' }
    const plan = { member_id: ' ', payer_id: 'Cash Pay', payer_name: 'Cash' }
    const { subscriber } = toCoverageRequest(coverageOf({ subscriber: nameless, insurance_plan: plan }), patient, about)
    expect(subscriber).toEqual({ first_name: '', last_name: 'Rivera', date_of_birth: '1990-01-01' })
  })

  it.each([
    ['insurance_plan.payer_id', { payer_id: '9'.repeat(81) }, {}],
    ['insurance_plan.member_id', { member_id: '9'.repeat(81) }, {}],
    ['insurance_plan.member_id', { member_id: 'W123*4' }, {}],
    ['npi', {}, { npi: '9'.repeat(81) }],
    ['npi', {}, { npi: '1234567890' }],
    ['service_code', {}, { serviceTypeCodes: ['EF'] }],
  ])('names %s, as a coverage calls it, where no inquiry can carry it', (field, plan, changes) => {
    const { insurance_plan } = coverageOf()
    const coverage = coverageOf({ insurance_plan: { ...insurance_plan, ...plan } })
    const asked = toCheckRequest(toCoverageRequest(coverage, patient, { ...about, ...changes }), '2026-11-22')
    expect(() => requireAskable(asked, COVERAGE_FIELDS)).toThrow(new RegExp(`^${field} must`))
  })
})

describe('what was changed since a check', () => {
  const asked = toCoverageRequest(coverageOf(), patient, about)
  const { insurance_plan, subscriber } = coverageOf()
  const changed = (member_id: string, name: object, isFound: boolean) =>
    changedSince(
      { ...asked, subscriber: { ...asked.subscriber, member_id: 'W12 345-6', last_name: 'OConnor' } },
      coverageOf({
        insurance_plan: { ...insurance_plan, member_id },
        subscriber: { ...subscriber, name: { ...subscriber.name, ...name } },
      }),
      patient,
      { isFound },
    )

  it('includes blanks and hyphens of a member id, and the spelling of a name, where the payer did not find the person', () => {
    expect(changed('W123456', { family: 'OConnor' }, false)).toEqual(['subscriber member ID'])
    expect(changed('W12 345-6', { family: "O'Connor" }, false)).toEqual(['subscriber last name'])
    // An inquiry is written in capitals, without accents.
    expect(changed(' w12 345-6', { family: 'OCónnor' }, false)).toEqual([])
  })

  it('is nothing where the payer found the person by another spelling', () => {
    expect(changed('W123456', { family: "O'Connor" }, true)).toEqual([])
    expect(changed('W123457', { family: 'Conner' }, true)).toEqual(['subscriber member ID', 'subscriber last name'])
  })
})
