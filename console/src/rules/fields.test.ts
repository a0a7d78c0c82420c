import { describe, expect, it } from 'vitest'
import type { MutableCoverage, Patient } from '../api/generated.ts'
import {
  coverageFields,
  coverageFieldsOf,
  isCorrected,
  newCoverage,
  otherBirthDate,
  withCorrection,
} from './coverages.ts'
import {
  applyTyped,
  changedFields,
  type Field,
  fieldAt,
  findConflicts,
  missingFields,
  missingWords,
  shortYears,
  type Typed,
} from './fields.ts'
import { nextVisit, visitFields } from './new-visit.ts'
import { moved, newPatient, patientFields } from './patients.ts'

interface Thing {
  name: string
  city: string
  kept: number
}
const text = (name: 'name' | 'city', isRequired: boolean): Field<Thing> => ({
  name,
  label: name,
  group: '',
  isRequired,
  read: (thing) => thing[name],
  write: (thing, value) => ({ ...thing, [name]: value }),
})
const fields = [text('name', true), text('city', false)]
const base: Thing = { name: 'Doe', city: 'Bath', kept: 1 }

it('finds dates whose year has fewer than four digits, unless they are stored so', () => {
  const stored = { ...newPatient(), birth_date: '0090-01-02' }
  expect(shortYears(patientFields, newPatient(), { birth_date: '0090-01-02', family: '0' })).toEqual(['birth_date'])
  expect(shortYears(patientFields, stored, { birth_date: '0090-01-02', family: '0' })).toEqual([])
  expect(shortYears(patientFields, stored, { birth_date: '1990-01-02' })).toEqual([])
  expect(shortYears(patientFields, newPatient(), { birth_date: '' })).toEqual([])
})

describe('a path of the interface', () => {
  const person = { ...newPatient(), birth_date: '2030-01-01', email: 'zoe@example.com' }
  person.name = { family: 'Doe', given: ['Zoe'], use: 'OFFICIAL' }
  person.primary_address = { ...person.primary_address, line: ['1 A Street'], city: 'Bath', postal_code: '1' }

  it.each([
    ['name.family', 'family'],
    ['name.given[0]', 'given'],
    ['birth_date', 'birth_date'],
    ['primary_address.line[0]', 'line'],
    ['primary_address.line', 'line'],
    ['primary_address.postal_code', 'postal_code'],
    ['email', 'email'],
    // Several fields, none of the form, and nothing.
    ['name', undefined],
    ['primary_address', undefined],
    ['other_names[0].family', undefined],
    ['primary_telecom.value', undefined],
    ['', undefined],
  ])('%s of a patient is the field %s', (path, name) => {
    expect(fieldAt(patientFields, person, path)?.name).toBe(name)
  })

  it.each([
    ['insurance_plan.member_id', 'member_id'],
    ['insurance_plan.payer_id', 'payer'],
    ['insurance_plan.period.end', 'period_end'],
    ['subscriber.name.family', 'subscriber_family'],
    ['subscriber.date_of_birth', 'subscriber_birth_date'],
    ['insurance_plan', undefined],
  ])('%s of a coverage is the field %s', (path, name) => {
    const coverage = newCoverage({ ...person, id: 'p' } as unknown as Patient)
    coverage.insurance_plan = { member_id: 'A', payer_id: '60054', payer_name: 'Aetna', period: { end: '2020-01-01' } }
    expect(fieldAt(coverageFields, coverage, path)?.name).toBe(name)
  })

  it.each([
    ['start_timestamp', 'day'],
    ['service_duration', 'minutes'],
    ['attending_doctor.npi', 'npi'],
    ['attending_doctor.name.given[0]', 'given'],
    ['services[0]', undefined],
  ])('%s of a visit is the field %s', (path, name) => {
    expect(fieldAt(visitFields, nextVisit(0, 'UTC'), path)?.name).toBe(name)
  })
})

describe('the subscriber of a coverage', () => {
  const name = { family: 'Doe', given: ['Baby'], use: 'USUAL' } as const
  const patient = { id: 'p', name, birth_date: '2026-11-20', biological_sex: 'FEMALE' } as unknown as Patient
  const ofPatient = coverageFieldsOf(patient)
  const own = newCoverage(patient)
  const choose = (relationship: string, typed: Typed = {}): Typed => {
    const value = (of: string) => typed[of] ?? ofPatient.find((field) => field.name === of)?.read(own) ?? ''
    const followed = ofPatient.find((field) => field.name === 'relationship')?.follow?.(relationship, value)
    return { ...typed, ...followed, relationship }
  }

  it('begins empty and is required when the patient is not the subscriber', () => {
    expect(missingFields(ofPatient, own, choose('CHILD'))).toEqual(
      expect.arrayContaining(['subscriber_given', 'subscriber_family', 'subscriber_sex']),
    )
    expect(choose('CHILD').subscriber_birth_date).toBe('')
  })

  it('keeps its input while the relationship is another person, and is the patient again for "self"', () => {
    const mother = { ...choose('CHILD'), subscriber_given: 'Mary', subscriber_family: 'Doe' }
    expect(choose('OTHER', mother)).toMatchObject({ subscriber_given: 'Mary', subscriber_family: 'Doe' })
    expect(applyTyped(ofPatient, own, choose('SELF', mother))).toEqual(own)
  })
})

describe('a person with a single name', () => {
  /** As a form does: a choice brings its consequences with it. */
  function fillIn<Value>(fields: readonly Field<Value>[], record: Value, ...inputs: [name: string, text: string][]) {
    let typed: Typed = {}
    const value = (of: string) => typed[of] ?? fields.find(({ name }) => name === of)?.read(record) ?? ''
    for (const [name, text] of inputs) {
      typed = { ...typed, ...fields.find((field) => field.name === name)?.follow?.(text, value), [name]: text }
    }
    return { record: applyTyped(fields, record, typed), missing: missingFields(fields, record, typed) }
  }

  it('can be added with a confirmation that there is no first name; others need one', () => {
    const cher = fillIn(patientFields, newPatient(), ['family', 'Cher'])
    expect(cher.missing).toContain('given')
    const stated = fillIn(patientFields, newPatient(), ['given', 'Miss'], ['family', 'Cher'], ['single_name', 'yes'])
    expect(stated.missing).not.toContain('given')
    expect(stated.record.name).toEqual({ family: 'Cher', given: [], use: 'OFFICIAL' })
    const both = fillIn(patientFields, newPatient(), ['family', 'Bono'], ['single_name', 'yes'], ['given', 'Sonny'])
    expect(both.missing).not.toContain('given')
    expect(both.record.name.given).toEqual(['Sonny'])
  })

  it('may be the subscriber of a child that has a first name, and is the subscriber under that name', () => {
    const named = (...given: string[]) =>
      ({
        name: { family: 'Cher', given, use: 'USUAL' },
        birth_date: '1976-03-04',
        biological_sex: 'MALE',
      }) as unknown as Patient
    const [child, single] = [named('Chaz'), named()]
    const ofParent: [string, string][] = [
      ['relationship', 'CHILD'],
      ['subscriber_family', 'Cher'],
    ]
    const asked = fillIn(coverageFieldsOf(child), newCoverage(child), ...ofParent)
    expect(asked.missing).toContain('subscriber_given')
    const stated = fillIn(coverageFieldsOf(child), newCoverage(child), ...ofParent, ['subscriber_single_name', 'yes'])
    expect(stated.missing).not.toContain('subscriber_given')
    expect(stated.record.subscriber.name).toMatchObject({ family: 'Cher', given: [] })
    expect(fillIn(coverageFieldsOf(single), newCoverage(single)).missing).not.toContain('subscriber_given')
  })
})

describe('two users who edit the same record', () => {
  const theirs: Thing = { name: 'Dow', city: 'Bath', kept: 2 }

  it('keep the changes of both, and the fields that the form does not show', () => {
    expect(applyTyped(fields, theirs, { city: 'Rome' })).toEqual({ name: 'Dow', city: 'Rome', kept: 2 })
  })

  it('see the other user’s changes field by field, next to their own', () => {
    expect(findConflicts(fields, base, theirs, { name: 'Doh' })).toEqual([
      { name: 'name', label: 'name', before: 'Doe', theirs: 'Dow', mine: 'Doh' },
    ])
    expect(findConflicts(fields, base, theirs, { city: 'Rome' })[0]?.mine).toBeUndefined()
  })

  it('do not conflict when both entered the same value', () => {
    expect(findConflicts(fields, base, theirs, { name: 'Dow' })[0]?.mine).toBeUndefined()
  })
})

it('a field with its original value is not a change', () => {
  expect(changedFields(fields, base, { name: ' Doe ', city: 'Rome' }).map(({ name }) => name)).toEqual(['city'])
})

it('names required fields that are empty or blank', () => {
  expect(missingFields(fields, base, { name: '  ' })).toEqual(['name'])
  expect(missingFields(patientFields, newPatient(), {}).sort()).toContain('birth_date')
  expect([1, 2].map(missingWords)).toEqual(['1 required field is empty.', '2 required fields are empty.'])
})

it('a person with a single name can be corrected and insured, and a first name that is stored cannot be emptied', () => {
  const named = (...given: string[]) =>
    ({ ...newPatient(), name: { family: 'Suharto', given, use: 'USUAL' } }) as Patient
  const missing = (patient: Patient, typed: Typed) =>
    missingFields(patientFields, patient, typed, true).filter((name) => name === 'given')
  expect(missing(named(), { primary_telecom: '207 555 0142' })).toEqual([])
  expect(missing(named('Ana'), { given: ' ' })).toEqual(['given'])
  const ofCoverage = (patient: Patient) => missingFields(coverageFieldsOf(patient), newCoverage(patient), {})
  expect(ofCoverage(named())).not.toContain('subscriber_given')
})

it('every field of a patient reads back what it wrote, and an empty optional field is removed', () => {
  const typed: Record<string, string> = {
    birth_date: '2000-01-01',
    biological_sex: 'FEMALE',
    self_pay: 'yes',
    given: 'Anna Maria',
    line: '1 A St, Apt 2',
    single_name: 'yes',
  }
  const blank = newPatient()
  const cher = { ...blank, name: { ...blank.name, family: 'Cher' } }
  for (const { name, read, write } of patientFields) {
    const value = typed[name] ?? 'x'
    const written = write(name === 'single_name' ? cher : blank, value)
    expect(read(written), name).toBe(value)
    if (['suffix', 'email', 'language', 'telephone'].includes(name)) expect(write(written, ''), name).toEqual(blank)
  }
})

describe('a correction of the payer', () => {
  const coverage: MutableCoverage = {
    status: 'ACTIVE',
    patient: 'p',
    relationship: 'SELF',
    verified: false,
    subscriber: { name: { family: 'Doh', given: ['Jane'], use: 'USUAL' }, biological_sex: 'FEMALE' },
    insurance_plan: { member_id: 'A1', payer_id: '60054', payer_name: 'Aetna' },
  }
  const correction = (property: string, corrected_value: string) => ({ property, request_value: '', corrected_value })

  it('is applied to its field', () => {
    expect(withCorrection(coverage, correction('subscriber.last_name', 'DOE'))?.subscriber.name.family).toBe('DOE')
    expect(withCorrection(coverage, correction('subscriber.member_id', 'B2'))?.insurance_plan.member_id).toBe('B2')
    expect(
      withCorrection(coverage, correction('subscriber.date_of_birth', '2000-01-01'))?.subscriber.date_of_birth,
    ).toBe('2000-01-01')
  })

  it('is done once the coverage has the value, in any order of the stored fields, and only then', () => {
    for (const [property, value] of [
      ['subscriber.last_name', 'DOE'],
      ['subscriber.member_id', 'B2'],
      ['subscriber.date_of_birth', '2000-01-01'],
    ] as const) {
      const payers = correction(property, value)
      expect(isCorrected(coverage, payers), property).toBe(false)
      const { insurance_plan: plan, ...rest } = withCorrection(coverage, payers) ?? coverage
      const stored = { ...rest, insurance_plan: Object.fromEntries(Object.entries(plan).sort()) as typeof plan }
      expect(isCorrected(stored, payers), property).toBe(true)
    }
    expect(isCorrected(coverage, correction('subscriber.last_name', 'DOH'))).toBe(true)
    expect(isCorrected(coverage, correction('dependent.first_name', 'JO'))).toBe(false)
  })

  it('does not change a coverage when it applies to the patient or to an unknown property', () => {
    expect(withCorrection(coverage, correction('dependent.first_name', 'JO'))).toBeUndefined()
    expect(withCorrection(coverage, correction('constructor', 'x'))).toBeUndefined()
  })

  it('every field of a coverage reads back what it wrote', () => {
    const typed: Record<string, string> = {
      payer: '1|A|B',
      status: 'DRAFT',
      relationship: 'CHILD',
      subscriber_sex: 'MALE',
      subscriber_single_name: 'yes',
    }
    for (const { name, read, write } of coverageFields) {
      const value = typed[name] ?? '2020-01-01'
      expect(read(write(coverage, value)), name).toBe(value)
    }
  })
})

it('a coverage moves by one position and stays within the order', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b'], 'a', -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 'z', 1)).toEqual(['a', 'b'])
})

it('finds a birth date of the subscriber that is not the patient’s, where both are one person', () => {
  const patient = { ...newPatient(), birth_date: '1984-02-29' } as Patient
  const own = newCoverage(patient)
  const born = (date_of_birth: string) => ({ ...own, subscriber: { ...own.subscriber, date_of_birth } })
  const { date_of_birth: _, ...unstated } = own.subscriber
  expect(otherBirthDate(own, patient)).toBeUndefined()
  expect(otherBirthDate(born('1984-02-28'), patient)).toBe('1984-02-28')
  expect(otherBirthDate({ ...born('1950-01-01'), relationship: 'CHILD' }, patient)).toBeUndefined()
  expect(otherBirthDate({ ...own, subscriber: unstated }, patient)).toBeUndefined()
})
