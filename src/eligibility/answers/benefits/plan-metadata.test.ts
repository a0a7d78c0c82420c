import { expect, test } from 'vitest'
import { answerAbout, interchangeOf, readAnswer, SUBSCRIBER } from '../../../../test/support/answers.ts'
import { judgeEligibility } from '../coverage/status.ts'
import { describePlan } from './plan-metadata.ts'

function plan(rows: string, level = '') {
  const patient = answerAbout(rows, SUBSCRIBER + level)
  return describePlan(patient, judgeEligibility(patient).chosen)
}

test('the payer, the member and the trading partner are named as the payer spelled them', () => {
  expect(plan('EB*1**30*C1*HARBOR GOLD~')).toEqual({
    payer_name: 'NORTHWIND HEALTH',
    insurance_type_code: 'C1',
    insurance_type: 'Commercial',
    plan_name: 'HARBOR GOLD',
    member_id: 'NW-100200',
    subscriber: {
      member_id: 'NW-100200',
      first_name: 'IRIS',
      middle_name: 'Q',
      last_name: 'MARLOWE',
      date_of_birth: '1984-02-29',
      gender: 'F',
      address: { address1: '4 QUAY ST', city: 'PORTLAND', state: 'ME', postal_code: '04101' },
    },
    trading_partner: 'NWH01',
  })
})

test('an answer without any names yields no metadata', () => {
  const patient = readAnswer(interchangeOf('AAA*N**42*R~')).patients[0]!
  expect(describePlan(patient, undefined)).toBeUndefined()
})

test('the plan is named by the chosen row, else by the plan reference, else by the group reference', () => {
  const references = 'REF*6P*G-77*HARBOR GROUP~REF*18*P-1*HARBOR BASIC~'
  expect(plan('EB*1**30**HARBOR GOLD~', references)?.plan_name).toBe('HARBOR GOLD')
  expect(plan('EB*1**30~', references)?.plan_name).toBe('HARBOR BASIC')
  expect(plan('EB*1**30~', 'REF*6P*G-77*HARBOR GROUP~')?.plan_name).toBe('HARBOR GROUP')
  expect(plan('EB*1**30~EB*1**30*PR*HARBOR GOLD~')?.plan_name).toBe('HARBOR GOLD')
  expect(plan('EB*1**30*MA~EB*1**30*QM*QMB~')?.plan_name).toBeUndefined()
})

test('the insurance type never comes from a row about another payer', () => {
  expect(plan('EB*1**30~EB*R**30*HN~EB*C**30*C1*500~')?.insurance_type_code).toBe('C1')
  expect(plan('EB*1**30~EB*R**30*HN~')?.insurance_type_code).toBeUndefined()
})

test('an insurance type code that has no name is passed through without one', () => {
  const metadata = plan('EB*1**30*QQ~')
  expect(metadata?.insurance_type_code).toBe('QQ')
  expect(metadata).not.toHaveProperty('insurance_type')
})

test('the group number is the group reference, else the policy, else the insurance policy', () => {
  expect(plan('EB*1**30~', 'REF*IG*I~REF*1L*L~REF*6P*P~')?.group_number).toBe('P')
  expect(plan('EB*1**30~', 'REF*IG*I~REF*1L*L~')?.group_number).toBe('L')
  expect(plan('EB*1**30~', 'REF*IG*I~')?.group_number).toBe('I')
})

test('a social security number in the name segment is not read as a member id', () => {
  const patient = answerAbout('EB*1**30~', 'HL*3*2*22*0~NM1*IL*1*MARLOWE*IRIS****34*078051120~')
  expect(JSON.stringify(describePlan(patient, undefined))).not.toContain('078051120')
})

test("a dependent's own id, group and dates take precedence over the subscriber's, whose values fill the gaps", () => {
  const family = `${SUBSCRIBER}REF*6P*G-77~DTP*346*D8*20200101~HL*4*3*23*0~NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~`
  const alone = answerAbout('EB*1**30~', family)
  expect(describePlan(alone, alone.benefits[0])).toMatchObject({
    member_id: 'NW-100200',
    group_number: 'G-77',
    start_date: '2020-01-01',
    dependent: { first_name: 'FINN', last_name: 'MARLOWE', date_of_birth: '2015-05-04', gender: 'M' },
  })
  const own = answerAbout('DTP*346*D8*20210101~EB*1**30~', `${family}`)
  expect(describePlan(own, own.benefits[0])?.start_date).toBe('2021-01-01')
})

test('every date of the level is listed under its name, in order, and unreadable ones are dropped', () => {
  const dates = 'DTP*307*RD8*20260101-20261231~DTP*346*D8*20200101~DTP*347*D8*99991231~DTP*356*D8*20261340~DTP*442*D8*~'
  expect(plan('EB*1**30~', dates)).toMatchObject({
    start_date: '2020-01-01',
    end_date: '9999-12-31',
    plan_dates: [
      { start_date: '2026-01-01', end_date: '2026-12-31', field_name: 'eligibility' },
      { start_date: '2020-01-01', field_name: 'planBegin' },
      { start_date: '9999-12-31', field_name: 'planEnd' },
    ],
  })
})

test("the chosen row's dates are used when the level states nothing about the coverage", () => {
  const rows = 'EB*1**30~DTP*348*D8*20260101~DTP*349*D8*20261231~'
  expect(plan(rows, 'DTP*636*D8*20260220~')?.plan_dates).toEqual([
    { start_date: '2026-02-20', field_name: 'dateOfLastUpdate' },
    { start_date: '2026-01-01', field_name: 'benefitBegin' },
    { start_date: '2026-12-31', field_name: 'benefitEnd' },
  ])
  expect(plan(rows, 'DTP*346*D8*20200101~')?.plan_dates).toEqual([
    { start_date: '2020-01-01', field_name: 'planBegin' },
  ])
})

test('an echo of the inquiry date is listed, but is neither start nor end of the coverage', () => {
  const metadata = plan('EB*1**30~', 'DTP*307*RD8*20260301-20260301~')
  expect(metadata?.plan_dates).toEqual([
    { start_date: '2026-03-01', end_date: '2026-03-01', field_name: 'eligibility' },
  ])
  expect(metadata).not.toHaveProperty('start_date')
  expect(metadata).not.toHaveProperty('end_date')
})

test.each([
  ['ranges', 'DTP*291*RD8*20250101-20251231~DTP*291*RD8*20260101-20261231~', ['2026-01-01', '2026-12-31']],
  [
    'pairs of first and last days',
    'DTP*356*D8*20200101~DTP*357*D8*20211231~DTP*356*D8*20260101~DTP*357*D8*20261231~',
    ['2026-01-01', '2026-12-31'],
  ],
  ['last days', 'DTP*347*D8*20241231~DTP*347*D8*20251231~', [undefined, '2025-12-31']],
  ['ended ranges', 'DTP*291*RD8*20240101-20241231~DTP*291*RD8*20250101-20251231~', ['2025-01-01', '2025-12-31']],
])('of several %s, start and end are those of the period on the date of service, else the last', (_, dates, days) => {
  const patient = answerAbout('EB*1**30~', SUBSCRIBER + dates)
  const metadata = describePlan(patient, patient.benefits[0], '2026-03-09')
  expect([metadata?.start_date, metadata?.end_date]).toEqual(days)
  expect(metadata?.plan_dates).toHaveLength(dates.split('~').length - 1)
})
