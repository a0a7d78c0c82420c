import { describe, expect, it } from 'vitest'
import type { CoverageLimit, MutableCoverage } from '../api/generated.ts'
import { isOld, isToCorrect, lightOf } from './light.ts'

type Latest = NonNullable<MutableCoverage['latest_eligibility_check']>
const at = '2026-11-20T10:00:00.000Z'
const latest = (status: Latest['status'], errors?: Latest['errors']): Latest => ({
  check_id: 'c1',
  status,
  initiated_at: at,
  ...(errors && { errors }),
})
const covered = (check?: Latest) => ({
  status: 'ACTIVE' as const,
  limits: [],
  ...(check && { latest_eligibility_check: check }),
})
const limited = (...limits: CoverageLimit[]) => lightOf({ ...covered(latest('ACTIVE')), limits })
const pharmacy: CoverageLimit = { kind: 'COVERAGE', note: 'active for Pharmacy only' }
const otherId: CoverageLimit = { kind: 'IDENTITY', note: 'confirm with the patient: the payer has another member ID' }

describe('the status of a coverage', () => {
  it('distinguishes active, not active and unknown in words', () => {
    const words = (['ACTIVE', 'INACTIVE', 'UNKNOWN'] as const).map((status) => lightOf(covered(latest(status))).word)
    expect(words).toEqual(['Active', 'Not active', 'Unknown'])
  })

  it('states the reason for unknown in plain words, or in the payer’s own for an unlisted code', () => {
    expect(lightOf(covered(latest('UNKNOWN', [{ code: '75' }]))).reason).toBe('The payer does not find the subscriber.')
    expect(lightOf(covered(latest('UNKNOWN', [{ code: 'ZZ', description: 'System down' }]))).reason).toBe('System down')
    expect(lightOf(covered(latest('UNKNOWN'))).reason).toMatch(/did not state/)
  })

  it.each([
    ['Inactive on 2026-11-24.\nThe plan begins 2027-01-01.', 'The plan begins 01/01/2027.'],
    [
      'Inactive on 2026-11-24.\nATTENTION: not in force on 2026-11-24: ended 2026-10-31',
      'Not in force on 11/24/2026: ended 10/31/2026',
    ],
    ['Inactive on 2026-11-24.\nCall us.', undefined],
    ['As of 2026-01-01 (check c0): The plan ended 2025-12-31.', undefined],
    [
      'Inactive on 2026-03-09.\nActive Coverage: Pharmacy; Individual\nActive Coverage: Dental Care',
      'Only a part is active: Pharmacy, Dental Care.',
    ],
    ['Inactive on 2026-03-09.\nThe plan ended 2025-12-31.\nActive Coverage: Pharmacy', 'The plan ended 12/31/2025.'],
    ['Active Coverage: Pharmacy', undefined],
    ['Inactive on 2026-03-09.\nActive Coverage: Pharmacy; benefit 2019-01-01 to 2019-12-31', undefined],
  ])('states the reason for not active, or what is active beside it, if the payer does: %s', (notes, reason) => {
    expect(lightOf({ ...covered(latest('INACTIVE')), benefits: { notes } }).reason).toBe(reason)
  })

  it.each([
    ["Payer's note: PENDING UPDATE 03/01/2026", "Payer's note: PENDING UPDATE 03/01/2026"],
    ["Payer's note: A\nPayer's note: B\nPayer's note: C\nCall us.", "Payer's note: A (and 2 more notes)"],
    ["Other insurance: HUMANA. Ask.\nPayer's note: A", 'Other insurance: HUMANA. Ask. (and 1 more note)'],
    ["As of 2026-01-01 (check c0): Payer's note: A", undefined],
    ['Call us.', undefined],
  ])('states beside active what the payer wrote about it and nobody else has read: %s', (notes, reason) => {
    const { state, reason: shown } = lightOf({ ...covered(latest('ACTIVE')), benefits: { notes } })
    expect([state, shown]).toEqual(['active', reason])
  })

  it.each([
    ['the payer does not find the subscriber', [{ code: '75' }], true],
    ['the payer refuses the provider', [{ code: '51' }], false],
    ['the payer cannot answer', [{ code: '42' }], false],
    [
      'the clearinghouse fails',
      [{ code: 'HTTP 503', description: 'the clearinghouse reported a server error' }],
      false,
    ],
    ['the credentials are refused', [{ code: 'HTTP 401', description: 'the credentials were refused' }], false],
    ['the payer states no status', undefined, false],
  ])('leads to a correction of the coverage only where one helps: %s', (_, errors, expected) => {
    expect(isToCorrect(lightOf(covered(latest('UNKNOWN', errors))))).toBe(expected)
  })

  it('leads to a correction of a coverage that is not active, and to another check of one that was corrected', () => {
    expect(isToCorrect(lightOf(covered(latest('INACTIVE'))))).toBe(true)
    expect(isToCorrect(lightOf(covered(latest('ACTIVE'))))).toBe(false)
    expect(
      isToCorrect(lightOf({ ...covered(latest('INACTIVE')), limits: [{ kind: 'CHANGED', note: 'changed' }] })),
    ).toBe(false)
  })

  it('does not treat a code such as "constructor" as a known one', () => {
    expect(lightOf(covered(latest('UNKNOWN', [{ code: 'constructor', description: 'odd' }]))).reason).toBe('Odd')
  })

  it('shows that a coverage was never checked, that there is none, or that the patient pays', () => {
    expect([lightOf(covered()).state, lightOf(undefined).state, lightOf(undefined, true).word]).toEqual([
      'unchecked',
      'none',
      'Self-pay',
    ])
  })

  it('shows a running check only when it is newer than the latest answer', () => {
    const open = (initiated_at: string) => ({
      ...covered(latest('ACTIVE')),
      eligibility_checks: [
        { check_id: 'c2', status: 'PENDING' as const, initiated_at, initiated_by: 'u', service_code: '30' as const },
      ],
    })
    expect(lightOf(open('2026-11-21T10:00:00.000Z')).state).toBe('checking')
    expect(lightOf(open('2026-11-19T10:00:00.000Z')).state).toBe('active')
  })

  it('has a separate state with the limit for limited active coverage, never the green of a plain Active', () => {
    expect(limited(pharmacy)).toMatchObject({
      state: 'limited',
      word: 'Active, but limited',
      reason: 'Active for Pharmacy only',
    })
    expect(limited(pharmacy, otherId).reason).toBe('Active for Pharmacy only (and 1 more reason)')
  })

  it('says that it is not confirmed where only the identity is in question', () => {
    expect(limited(otherId)).toMatchObject({ state: 'limited', word: 'Active, not confirmed' })
    expect(limited(otherId, pharmacy).word).toBe('Active, but limited')
  })

  it('is not green before the limits are known', () => {
    const { limits: _, ...unread } = covered(latest('ACTIVE'))
    expect(lightOf(unread).state).toBe('checking')
  })

  it('is not green for a coverage that is recorded as cancelled', () => {
    expect(lightOf({ ...covered(latest('ACTIVE')), status: 'CANCELLED' }).state).toBe('inactive')
    expect(lightOf({ ...covered(latest('ACTIVE')), status: 'ENTERED_IN_ERROR' }).state).toBe('inactive')
    expect(lightOf({ ...covered(), status: 'DRAFT' })).toMatchObject({ word: 'Draft', reason: expect.any(String) })
  })

  it('counts the evening of the last day in the month of the clinic, not in that of UTC', () => {
    // 7 p.m. on November 30 in Chicago.
    const evening = '2026-12-01T01:00:00Z'
    const isPast = (now: string, zone: string) => isOld(evening, Date.parse(now), zone)
    expect(isPast('2026-12-01T15:00:00Z', 'America/Chicago')).toBe(true)
    expect(isPast('2026-12-01T02:00:00Z', 'America/Chicago')).toBe(false)
    expect(isPast('2026-12-01T15:00:00Z', 'UTC')).toBe(false)
  })

  it('marks an answer of another month as old, because coverage begins and ends with months', () => {
    const now = Date.parse('2026-12-01T08:00:00Z')
    const isPast = (at: string) => isOld(at, now, 'UTC')
    expect([isPast('2026-11-30T20:00:00Z'), isPast('2026-12-01T00:00:00Z')]).toEqual([true, false])
  })
})
