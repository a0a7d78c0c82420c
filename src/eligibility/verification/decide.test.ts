import { describe, expect, it } from 'vitest'
import { type Decision, decide, type Facts, type Finding, isFinal } from './decide.ts'

const facts = (findings: Finding[], others: Partial<Facts> = {}): Facts => ({
  findings,
  hoursToVisit: 48,
  hasEarlierVisit: false,
  ...others,
})

const ready = { status: 'READY', ready_source: 'MACHINE', automated_eligibility_check_complete: true }
const notReady = (reason: Decision['not_ready_reason'], others: Partial<Decision> = {}) => ({
  status: 'NOT_READY',
  not_ready_reason: reason,
  work_queue: 'NEW_PATIENT',
  automated_eligibility_check_complete: true,
  ...others,
})

/** Source: rules.md 17, in its order. */
const answered: [Finding[], Partial<Facts>, object][] = [
  [['ACTIVE'], {}, ready],
  [['ACTIVE', 'ACTIVE'], {}, ready],
  [[], {}, notReady('NO_COVERAGE')],
  [['ACTIVE'], { conversion: 'MEDICARE_ADVANTAGE' }, notReady('MEDICARE_ADVANTAGE_CONVERSION')],
  [['INACTIVE'], { conversion: 'MEDICARE_ADVANTAGE' }, notReady('MEDICARE_ADVANTAGE_CONVERSION')],
  [['ACTIVE', 'ACTIVE'], { conversion: 'MEDICAID_MANAGED_CARE' }, notReady('MEDICAID_MANAGED_CONVERSION')],
  [['INACTIVE', 'INACTIVE'], { conversion: 'MEDICAID_MANAGED_CARE' }, notReady('MEDICAID_MANAGED_CONVERSION')],
  [['INACTIVE'], {}, notReady('INACTIVE_PRIMARY')],
  [['INACTIVE', 'INACTIVE'], {}, notReady('INACTIVE_PRIMARY')],
  [['ACTIVE', 'INACTIVE'], {}, notReady('INACTIVE_SECONDARY')],
  [['REJECTED', 'INACTIVE'], {}, notReady('INACTIVE_SECONDARY')],
  [['REJECTED', 'REJECTED'], {}, notReady('ELIGIBILITY_CHECK_FAILED_PRIMARY')],
  [['ACTIVE', 'REJECTED'], {}, notReady('ELIGIBILITY_CHECK_FAILED_SECONDARY')],
  [['UNUSABLE', 'REJECTED'], {}, notReady('ELIGIBILITY_CHECK_FAILED_SECONDARY')],
  [['UNKNOWN'], {}, notReady('ERROR')],
  [['ACTIVE', 'UNUSABLE'], {}, notReady('ERROR')],
  [['NOT_ASKED', 'NOT_ASKED'], {}, notReady('ERROR', { automated_eligibility_check_complete: false })],
  [['INACTIVE', 'NOT_ASKED'], {}, notReady('INACTIVE_PRIMARY', { automated_eligibility_check_complete: false })],
]

/** The decision when the visit is a day away and a payer has not answered. */
const urgent = { work_queue: 'EMERGENT_ISSUE', automated_eligibility_check_complete: false } as const
const unanswered: [Finding[], object][] = [
  [['UNAVAILABLE'], notReady('UNAVAILABLE_PRIMARY', urgent)],
  [['ACTIVE', 'UNAVAILABLE'], notReady('UNAVAILABLE_SECONDARY', urgent)],
  [['PENDING', 'UNAVAILABLE'], notReady('UNAVAILABLE_SECONDARY', urgent)],
  [['UNAVAILABLE', 'REJECTED'], notReady('ELIGIBILITY_CHECK_FAILED_SECONDARY', urgent)],
  [['UNAVAILABLE', 'INACTIVE'], notReady('INACTIVE_SECONDARY', urgent)],
  [['PENDING'], notReady('PENDING_PRIMARY', urgent)],
  [['ACTIVE', 'PENDING'], notReady('PENDING_SECONDARY', urgent)],
  [['UNKNOWN', 'PENDING'], notReady('PENDING_SECONDARY', urgent)],
  [['INACTIVE', 'PENDING'], notReady('INACTIVE_PRIMARY', urgent)],
]

describe('a visit whose payers have answered', () => {
  it.each(answered)('%j with %j', (findings, others, decision) => {
    expect(decide(facts(findings, others))).toEqual(decision)
  })

  it.each(answered)('%j with %j is the same, but urgent, when it is 24 hours away', (findings, others, decision) => {
    const decided = decide(facts(findings, { ...others, hoursToVisit: 24 }))
    expect(decided).toEqual('work_queue' in decision ? { ...decision, work_queue: 'EMERGENT_ISSUE' } : decision)
  })
})

describe('a visit with a payer that has not answered', () => {
  it.each(unanswered)('%j waits while the visit is more than a day away', (findings) => {
    expect(decide(facts(findings, { hoursToVisit: 24.01 }))).toBeUndefined()
  })

  it.each(unanswered)('%j is reported from one day before the visit', (findings, decision) => {
    for (const hoursToVisit of [24, 1, 0, -1]) expect(decide(facts(findings, { hoursToVisit }))).toEqual(decision)
  })
})

describe('the work queue', () => {
  it.each([
    [48, false, 'NEW_PATIENT'],
    [48, true, 'RETURNING_PATIENT'],
    [24.01, true, 'RETURNING_PATIENT'],
    [24, true, 'EMERGENT_ISSUE'],
    [24, false, 'EMERGENT_ISSUE'],
  ] as const)('%f hours ahead, with an earlier visit %s: %s', (hoursToVisit, hasEarlierVisit, queue) => {
    expect(decide(facts(['INACTIVE'], { hoursToVisit, hasEarlierVisit }))?.work_queue).toBe(queue)
  })

  it('is empty for a ready visit', () => {
    expect(decide(facts(['ACTIVE'], { hoursToVisit: 2 }))).not.toHaveProperty('work_queue')
  })
})

describe('the copay', () => {
  it('is filled in if it is empty, also when the visit is not ready', () => {
    expect(decide(facts(['ACTIVE'], { copayCents: 2500 }))?.estimated_copay_cents).toBe(2500)
    expect(decide(facts(['ACTIVE', 'INACTIVE'], { copayCents: 0 }))?.estimated_copay_cents).toBe(0)
  })

  it('is not that of a payer that will not pay first, or whose answer does not stand', () => {
    const others: Finding[] = ['INACTIVE', 'OTHER_PAYER', 'REJECTED', 'UNKNOWN', 'UNUSABLE']
    const decisions = others.map((finding) => decide(facts([finding, 'ACTIVE'], { copayCents: 2500 })))
    const conversion = 'MEDICAID_MANAGED_CARE'
    for (const decision of [...decisions, decide(facts(['ACTIVE'], { copayCents: 300, conversion }))]) {
      expect(decision).not.toHaveProperty('estimated_copay_cents')
    }
  })

  it('is unchanged if it is set or no payer states one', () => {
    const known = decide(facts(['ACTIVE'], { copayCents: 2500, knownCopayCents: 0 }))
    expect(known).not.toHaveProperty('estimated_copay_cents')
    expect(decide(facts(['ACTIVE']))).not.toHaveProperty('estimated_copay_cents')
  })
})

it('only unanswered findings lead to another inquiry', () => {
  const all: Finding[] = [
    'ACTIVE',
    'INACTIVE',
    'UNKNOWN',
    'REJECTED',
    'UNUSABLE',
    'UNAVAILABLE',
    'PENDING',
    'NOT_ASKED',
  ]
  expect(all.filter((finding) => !isFinal(finding))).toEqual(['UNAVAILABLE', 'PENDING', 'NOT_ASKED'])
})
