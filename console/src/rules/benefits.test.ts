import { describe, expect, it } from 'vitest'
import { PROHIBITION_TO_BILL } from '../../../src/contract/answer-notes.ts'
import type { ServiceCoverage, StoredCheck } from '../api/generated.ts'
import { barsOf, costOf, gistOf, lightOfCheck, notesOf, remainingWords, servicesOf } from './benefits.ts'
import { differences } from './differences.ts'
import { describeRecommendation } from './recommendations.ts'
import { describeEvent } from './timeline.ts'

describe('deductible and out-of-pocket', () => {
  const only = (details: object) => barsOf({ in_network: details })[0]

  it('computes the missing amount from the other two', () => {
    expect(only({ deductible: { individual: 1500 }, deductible_remaining: { individual: 900 } })).toMatchObject({
      met: 600,
    })
    expect(only({ deductible: { individual: 1500 }, deductible_year_to_date: { individual: 600 } })).toMatchObject({
      remaining: 900,
    })
    expect(
      only({ deductible_year_to_date: { individual: 600 }, deductible_remaining: { individual: 900 } }),
    ).toMatchObject({ total: 1500 })
  })

  it('guesses nothing from one amount', () => {
    expect(only({ deductible_remaining: { family: 900 } })).toEqual({
      what: 'Deductible',
      who: 'Family',
      network: 'in',
      total: undefined,
      met: undefined,
      remaining: 900,
    })
    expect(barsOf(undefined)).toEqual([])
  })

  it('shows every level of coverage, and marks what it computes', () => {
    const bars = barsOf({
      in_network: { deductible: { employeeAndSpouse: 2000 }, deductible_remaining: { employeeAndSpouse: 600 } },
    })
    expect(bars).toEqual([
      {
        what: 'Deductible',
        who: 'Employee and spouse',
        network: 'in',
        total: 2000,
        met: 1400,
        remaining: 600,
        computed: 'met',
      },
    ])
  })

  it('computes nothing from amounts that contradict each other', () => {
    expect(only({ deductible: { individual: 500 }, deductible_remaining: { individual: 900 } })).toMatchObject({
      met: undefined,
      remaining: 900,
    })
  })

  it('computes nothing from an amount that means no limit', () => {
    expect(only({ oop_max: { individual: 999999.99 }, oop_max_year_to_date: { individual: 120 } })).toMatchObject({
      remaining: undefined,
    })
  })

  it('gives what is met and remains to the contract year where that has the only total', () => {
    expect(only({ deductible_contract: { individual: 900 }, deductible_remaining: { individual: 300 } })).toMatchObject(
      {
        what: 'Deductible of the contract year',
        total: 900,
        met: 600,
      },
    )
  })

  it('shows the total of the contract year beside that of the year', () => {
    const bars = barsOf({ in_network: { deductible: { individual: 750 }, deductible_contract: { individual: 900 } } })
    expect(bars.map(({ what, total }) => [what, total])).toEqual([
      ['Deductible', 750],
      ['Deductible of the contract year', 900],
    ])
  })

  it('reads zero as an amount, not as a missing one', () => {
    expect(only({ deductible: { individual: 0 }, deductible_remaining: { individual: 0 } })).toMatchObject({
      total: 0,
      met: 0,
      remaining: 0,
    })
  })
})

describe('what a service costs', () => {
  it('shows each figure with its unit, its coverage level and any required authorization', () => {
    const cost = { type: 'COINSURANCE', coverageLevel: 'FAMILY', unit: 'PERCENT', value: 20 } as const
    expect(costOf({ ...cost, additional_notes: 'Authorization or certification required; PRECERT' })).toEqual({
      text: '20% coinsurance (family)',
      note: 'Authorization or certification required; PRECERT',
      needsAuthorization: true,
    })
    expect(costOf({ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 0 }).text).toBe('$0 copay')
    expect(costOf({ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 12.5 }).text).toBe(
      '$12.50 copay',
    )
    expect(costOf({ type: 'OOP_MAX', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value: 99999.99 }).text).toContain(
      'no limit',
    )
    expect(costOf({ type: 'NON_COVERED', coverageLevel: 'INDIVIDUAL', unit: 'COUNT', value: 0 }).text).toBe(
      'not covered',
    )
    const limit = { type: 'LIMITATION', coverageLevel: 'INDIVIDUAL', unit: 'COUNT' } as const
    const words = (value: number, additional_notes: string) => costOf({ ...limit, value, additional_notes })
    expect(words(20, 'Visits, Calendar Year')).toMatchObject({ text: 'limit of 20', note: 'Visits, Calendar Year' })
    expect(words(15, 'Visits, Remaining')).toMatchObject({ text: '15 remaining', note: 'Visits' })
    expect(words(6, 'Visits, Year to Date').text).toBe('6 used')
    expect(words(6, 'Quantity Used, Calendar Year')).toMatchObject({ text: '6 used', note: 'Calendar Year' })
    expect(words(60, 'Visits, Lifetime Remaining')).toMatchObject({
      text: '60 remaining',
      note: 'Visits, Lifetime Remaining',
    })
    // Labels of the payer in a base period were shown as limits.
    expect(words(800, 'Calendar Year; DENTAL MAXIMUM USED').text).toBe('800 used')
    expect(words(9, 'Visits, Calendar Year; REMAINING CHIROPRACTIC VISITS').text).toBe('9 remaining')
    expect(words(11, 'Visits, Calendar Year; VISITS AVAILABLE').text).toBe('11 available')
    expect(words(20, 'Visits, Calendar Year; REMAINING VISITS REQUIRE AUTHORIZATION').text).toBe('limit of 20')
    // It was shown as a limit of twelve, which the patient has not used yet.
    expect(words(12, 'Visits, Remaining; Authorization or certification required')).toEqual({
      text: '12 remaining',
      note: 'Visits; Authorization or certification required',
      needsAuthorization: true,
    })
  })

  it('lists the clinic’s own services first and omits none', () => {
    const services = ['33', '98', '30'].map((service_code) => ({ service_code }) as ServiceCoverage)
    expect(servicesOf(services, ['98', '30', 'UC']).map(({ code }) => code)).toEqual(['98', '30', '33'])
  })
})

it.each([
  ['2026-11-27', {}, undefined],
  ['2026-11-27', { end_date: '2023-12-31' }, 'The plan ended 12/31/2023.'],
  ['2026-11-27', { start_date: '2090-01-01' }, 'The plan begins 01/01/2090.'],
  [undefined, { start_date: '2015-01-01', end_date: '2023-12-31' }, 'The plan ended 12/31/2023.'],
])('says beside an answer that is not active why, as the board does: on %s, %o', (day, plan, reason) => {
  const answer = { eligibility_status: 'INACTIVE', plan_metadata: { payer_name: 'CIGNA', ...plan } }
  const stored = {
    check_id: 'c1',
    status: 'COMPLETED',
    initiated_at: '2026-11-27T10:00:00.000Z',
    ...(day && { date_of_service: day }),
    check: { parsed_response: answer },
  } as unknown as StoredCheck
  expect([lightOfCheck(stored).state, lightOfCheck(stored).reason]).toEqual(['inactive', reason])
})

it('separates warnings, and apart from them that a QMB may not be billed', () => {
  const notes = `ATTENTION: another payer is primary\nATTENTION: ${PROHIBITION_TO_BILL}\nActive Coverage`
  expect(notesOf(notes)).toEqual({
    prohibitsBilling: true,
    alerts: ['another payer is primary'],
    parts: [],
    rest: ['Active Coverage'],
  })
  expect(notesOf(undefined)).toEqual({ prohibitsBilling: false, alerts: [], parts: [], rest: [] })
  // Days as everywhere in the console.
  expect(notesOf('Medicare Part A: active, from 2019-06-01; plan H1036-137').parts).toEqual([
    'Medicare Part A: active, from 06/01/2019; plan H1036-137',
  ])
  // Of an earlier check, which the service labels; and the payer's own words, about which the service decides.
  expect(notesOf(`As of 2026-11-02 (check c1): ATTENTION: ${PROHIBITION_TO_BILL}`).prohibitsBilling).toBe(true)
  expect(notesOf('QMB: N').prohibitsBilling).toBe(false)
})

it('lists what changed since the last answer, without the amounts that decrease with every visit', () => {
  const answer = (plan_name: string, remaining: number) => ({
    eligibility_status: 'ACTIVE' as const,
    plan_metadata: { plan_name },
    benefits: {
      plan_coverage: {
        in_network: { deductible: { individual: 1500 }, deductible_remaining: { individual: remaining } },
      },
    },
  })
  expect(differences(gistOf(answer('PPO', 900)), gistOf(answer('PPO', 700)))).toEqual([])
  expect(differences(gistOf(answer('PPO', 900)), gistOf(answer('HMO', 900)))).toEqual([
    { path: 'Plan', before: 'PPO', after: 'HMO' },
  ])
  const withCopay = (value: number) => {
    const copay = { type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value } as const
    const service_specific_coverage = [{ service_code: '98' as const, in_network_flat: [copay] }]
    return { eligibility_status: 'ACTIVE' as const, benefits: { service_specific_coverage } }
  }
  expect(differences(gistOf(withCopay(25)), gistOf(withCopay(40)))).toEqual([
    { path: 'In network › Professional (Physician) Visit - Office', before: '$25 copay', after: '$40 copay' },
  ])
})

it('lists the differences of two versions of a record, without the service’s own fields', () => {
  const before = { version: 1, updated_at: 'x', name: { given: ['Jane'], family: 'Doe' }, telecoms: [{ value: '1' }] }
  const after = { version: 2, updated_at: 'y', name: { given: ['Jane', 'Q'], family: 'Doe' }, telecoms: [] }
  expect(differences(before, after)).toEqual([
    { path: 'Name › First and middle names', before: 'Jane', after: 'Jane, Q' },
    { path: 'Telecoms › 1 › Value', before: '1', after: undefined },
  ])
})

it('writes telephone numbers of two versions as the screens do, unless only their punctuation was changed', () => {
  const of = (value: string) => ({ primary_telecom: { value }, contacts: [{ telecoms: [{ value }] }] })
  const shown = (before: string, after: string) =>
    differences(of(before), of(after)).map((each) => [each.before, each.after])
  const twice = (...pair: string[]) => [pair, pair]
  expect(shown('2125551234', '+1 (212) 555-9876')).toEqual(twice('212-555-1234', '212-555-9876'))
  expect(shown('2125551234', '212.555.1234')).toEqual(twice('2125551234', '212.555.1234'))
})

it('words the differences of two versions as the forms do', () => {
  const before = { birth_date: '1990-01-31', biological_sex: 'FEMALE', relationship: 'SELF', payer_name: 'AETNA' }
  const after = {
    birth_date: '1990-01-13',
    biological_sex: 'MALE',
    relationship: 'COMMON_LAW_SPOUSE',
    payer_name: 'CIGNA',
  }
  expect(differences({ ...before, self_pay: false }, { ...after, self_pay: true })).toEqual([
    { path: 'Birth date', before: '01/31/1990', after: '01/13/1990' },
    { path: 'Sex', before: 'Female', after: 'Male' },
    { path: 'Relationship', before: 'Self', after: 'Common law spouse' },
    { path: 'Payer name', before: 'AETNA', after: 'CIGNA' },
    { path: 'Self-pay', before: 'no', after: 'yes' },
  ])
})

it('describes every recommendation and event in a sentence, never by a code alone', () => {
  const payload = { payer_id: '61101', payer_name: 'HUMANA', member_id: 'H1' }
  expect(describeRecommendation({ type: 'MEDICARE_ADVANTAGE', payload }).title).toBe(
    'A Medicare Advantage plan pays instead of Medicare: HUMANA',
  )
  expect(
    describeEvent({
      event_type: 'ELIG_CHECK_COMPLETED',
      payload: { payer_name: 'Aetna', eligibility_status: 'UNKNOWN', error_code: '75' },
    }),
  ).toBe('Checked with Aetna: unknown. The payer does not find the subscriber.')
  expect(
    describeEvent({
      event_type: 'APPOINTMENT_STATUS_CHANGED',
      payload: { from_status: 'PENDING', to_status: 'NOT_READY' },
      appointment_date: '2026-11-24',
    }),
  ).toBe('Visit of 11/24/2026: from not verified yet to not ready')
  const marked = (payload: object) =>
    describeEvent({ event_type: 'APPOINTMENT_WORK_QUEUE_CHANGED', payload: { ...payload } })
  expect(marked({ from_work_queue: 'NEW_PATIENT', to_work_queue: 'EMERGENT_ISSUE' })).toBe('Visit: marked “Urgent”')
  expect(marked({ from_work_queue: 'NEW_PATIENT' })).toBe('Visit: no longer marked “New patient”')
})

it('names the dates of notes in words', () => {
  expect(
    notesOf('Inactive: the plan; eligibilityEnd 2025-01-31\nAlso active: McDonald (premiumPaidToDateEnd 2026-01-01)')
      .rest,
  ).toEqual([
    'Inactive: the plan; eligibility end 01/31/2025',
    'Also active: McDonald (premium paid to date end 01/01/2026)',
  ])
})

it.each([
  [{ remaining: 300, total: 500 }, '$300 remaining of $500'],
  [{ remaining: 0, total: 0 }, '$0 remaining of $0'],
  [{ total: 0 }, '$0'],
  [{ total: 500 }, '$500, of which the rest is not stated'],
  [{ remaining: 300 }, '$300 remaining'],
])('says of a deductible what the payer states, and of nothing that nothing remains: %o', (bar, words) => {
  expect(remainingWords({ remaining: undefined, total: undefined, ...bar })).toBe(words)
})
