import { describe, expect, it } from 'vitest'
import { PROHIBITION_TO_BILL } from '../../../src/contract/answer-notes.ts'
import type { BoardItem } from '../api/generated.ts'
import { copayOf } from './copay.ts'

const QMB = `ATTENTION: ${PROHIBITION_TO_BILL}`
const CHECK = { check_id: 'c', initiated_at: '2026-11-22T08:30:00.000Z' }

const copay = (value: number) => ({ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit: 'CURRENCY', value })
const share = { type: 'COINSURANCE', coverageLevel: 'INDIVIDUAL', unit: 'PERCENT', value: 10 }
const stated = (costs: object[], more: object = {}) => ({
  status: 'ACTIVE',
  limits: [],
  office_visit_costs: costs,
  latest_eligibility_check: { ...CHECK, status: 'ACTIVE' },
  ...more,
})
const answered = (status: string) => ({ status: 'ACTIVE', latest_eligibility_check: { ...CHECK, status } })

const copayWith = (cents: number | undefined, primary?: object, secondary?: object) =>
  copayOf({
    appointment: { ...(cents !== undefined && { estimated_copay_cents: cents }) },
    patient: {},
    ...(primary && { primary_coverage: primary }),
    ...(secondary && { secondary_coverage: secondary }),
  } as unknown as BoardItem)

describe('the copay of a visit', () => {
  it('has no note if the payer of active coverage states this amount, or if there is no coverage', () => {
    expect(copayWith(2500, stated([copay(25), copay(50)]))).toEqual({ amount: '$25' })
    expect(copayWith(0, stated([copay(0)]))).toEqual({ amount: '$0' })
    expect(copayWith(5500)).toEqual({ amount: '$55' })
  })

  it.each([
    ['other copays', [copay(25), copay(50), copay(25)], 'payer: $25 or $50'],
    ['many copays', [copay(45), copay(10), copay(70)], 'payer: $10 to $70'],
    ['coinsurance', [share], 'payer: 10% coinsurance'],
    ['a copay and coinsurance', [copay(25), share], 'payer: $25, 10% coinsurance'],
    ['a copay of the family', [{ ...copay(55), coverageLevel: 'FAMILY' }], 'unconfirmed'],
    ['nothing', [], 'unconfirmed'],
  ])('of $55 is not shown as the payer’s when the payer states %s', (_, costs, note) => {
    expect(copayWith(5500, stated(costs))).toEqual({ amount: '$55', note })
  })

  it('is what the payer states if nobody has entered an amount, or says that there is no estimate', () => {
    expect(copayWith(undefined, stated([copay(25), copay(50)]))).toEqual({ amount: '$25 or $50', note: 'by the payer' })
    expect(copayWith(undefined, stated([]))).toEqual({ amount: 'not stated' })
    expect(copayWith(undefined, answered('INACTIVE'))).toEqual({ amount: 'no estimate' })
    expect(copayWith(undefined)).toEqual({ amount: 'no estimate' })
  })

  it('is none for a no-show, and "self-pay" for a self-pay patient without an amount', () => {
    const [appointment, primary_coverage] = [{ status: 'NO_SHOW', estimated_copay_cents: 2500 }, stated([copay(25)])]
    expect(copayOf({ appointment, patient: {}, primary_coverage } as unknown as BoardItem)).toEqual({ amount: 'none' })
    const paying = { appointment: {}, patient: { self_pay: true } }
    expect(copayOf(paying as unknown as BoardItem)).toEqual({ amount: 'self-pay' })
    const entered = { ...paying, appointment: { estimated_copay_cents: 9000 } }
    expect(copayOf(entered as unknown as BoardItem)).toEqual({ amount: '$90' })
  })

  it('is not confirmed when the coverage is not active, unknown, limited, or not checked', () => {
    const limited = stated([copay(55)], { limits: [{ kind: 'OTHER_PAYER', note: 'another payer pays first' }] })
    for (const primary of [answered('INACTIVE'), answered('UNKNOWN'), limited, { status: 'ACTIVE' }]) {
      expect(copayWith(5500, primary)).toEqual({ amount: '$55', note: 'unconfirmed' })
    }
  })

  it('is not to be billed to a Qualified Medicare Beneficiary, whatever is stated or entered, and whichever coverage says so', () => {
    const beneficiary = { benefits: { notes: QMB } }
    const otherPayer = { limits: [{ kind: 'OTHER_PAYER', note: 'another payer is primary: Medicare' }] }
    const isAsked = { check_id: 'd', initiated_at: '2026-11-22T09:00:00.000Z', status: 'PENDING' }
    for (const cents of [2500, undefined]) {
      for (const [primary, secondary] of [
        [stated([copay(25)], beneficiary)],
        [stated([copay(25)], { ...beneficiary, ...otherPayer })],
        [stated([copay(25)], { ...beneficiary, eligibility_checks: [isAsked] })],
        // Medicaid that pays only what Medicare leaves.
        [stated([copay(25)]), stated([], { ...beneficiary, ...otherPayer })],
        // The service removes what an earlier answer said when the coverage ends.
        [stated([copay(25)]), { ...answered('INACTIVE'), ...beneficiary }],
        // The payer could not be asked again.
        [{ ...answered('UNKNOWN'), ...beneficiary }],
      ]) {
        expect(copayWith(cents, primary, secondary)).toEqual({ amount: 'do not bill', note: 'QMB' })
      }
    }
    expect(copayWith(2500, stated([copay(25)]), stated([], { ...beneficiary, status: 'CANCELLED' }))).toEqual({
      amount: '$25',
    })
  })
})
