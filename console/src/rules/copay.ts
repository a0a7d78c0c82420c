// The copay of a visit in words, the same on the board and in the panel. Source: eligibility/users.md 3.

import { money } from '../../../src/contract/money.ts'
import type { BoardItem } from '../api/generated.ts'
import { notesOf } from './benefits.ts'
import { coveragesOf, type FiledCoverages } from './filed-coverages.ts'
import { type Covered, isCounted, lightOf } from './light.ts'

/** `amount`: what to collect, or why it is not known. `note`: who states it, where that is not the payer of active coverage alone. */
interface Copay {
  amount: string
  note?: string
}

/** Of a Qualified Medicare Beneficiary: to bill the patient is against the law. */
export const DO_NOT_BILL = 'do not bill'

/** After the heading of amounts of the plan, which are not what this patient owes. */
export const NOT_BILLED = `: ${DO_NOT_BILL} (QMB)`

/**
 * Whether any coverage of the visit says that the patient may not be billed: often the secondary one, Medicaid, which is active with a limit
 * because Medicare pays first. It holds until a new answer has arrived.
 */
const isBillingProhibited = (visit: FiledCoverages): boolean => coveragesOf(visit).some(prohibitsBilling)

/**
 * Whether the last answer about a coverage that counts says so. One that is not active may say it, too: a part of Medicaid has ended, and the
 * patient is a QMB still.
 */
export const prohibitsBilling = (coverage: Covered): boolean =>
  isCounted(coverage) && notesOf(coverage.benefits?.notes).prohibitsBilling

type Costs = NonNullable<NonNullable<BoardItem['primary_coverage']>['office_visit_costs']>

/**
 * An amount of the visit is shown without a note only if the payer of active coverage states it for an office visit, or if there is no
 * coverage to ask about: somebody may have entered it before the payer answered.
 */
export function copayOf(item: BoardItem): Copay {
  const { appointment, patient, primary_coverage: primary } = item
  if (isBillingProhibited(item)) return { amount: DO_NOT_BILL, note: 'QMB' }
  // Nothing is collected at a visit that did not take place.
  if (appointment.status === 'NO_SHOW') return { amount: 'none' }
  const { estimated_copay_cents: cents } = appointment
  const { state } = lightOf(primary, patient.self_pay)
  const stated = state === 'active' ? (primary?.office_visit_costs ?? []).filter(isOfThePatient) : []
  const byPayer = costsInWords(stated)
  if (cents === undefined) {
    if (byPayer) return { amount: byPayer, note: 'by the payer' }
    if (patient.self_pay && state === 'none') return { amount: 'self-pay' }
    return { amount: state === 'active' ? 'not stated' : 'no estimate' }
  }
  const amount = money(cents / 100)
  if (state === 'none' || stated.some((cost) => centsOf(cost) === cents)) return { amount }
  return { amount, note: byPayer ? `payer: ${byPayer}` : 'unconfirmed' }
}

const isOfThePatient = ({ coverageLevel }: Costs[number]) => coverageLevel !== 'FAMILY'

const centsOf = ({ type, unit, value }: Costs[number]) =>
  type === 'COPAY' && unit === 'CURRENCY' ? Math.round(value * 100) : undefined

/** `$25 or $50`, `$10 to $70`, `10% coinsurance`; a plan with copays and coinsurance has both. */
function costsInWords(costs: Costs): string {
  const copays = [...new Set(costs.flatMap((cost) => centsOf(cost) ?? []))].sort((a, b) => a - b)
  const shares = costs
    .filter(({ type, unit }) => type === 'COINSURANCE' && unit === 'PERCENT')
    .map(({ value }) => value)
  const percents = [...new Set(shares)].sort((a, b) => a - b)
  return [
    range(copays.map((cents) => money(cents / 100))),
    percents.length > 0 && `${range(percents.map((each) => `${each}%`))} coinsurance`,
  ]
    .filter(Boolean)
    .join(', ')
}

const range = (values: readonly string[]) =>
  values.length > 2 ? `${values[0]} to ${values.at(-1)}` : values.join(' or ')
