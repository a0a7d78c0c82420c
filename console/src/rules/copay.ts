// The copay of a visit in words, the same on the board and in the panel. Source: eligibility/users.md 3.
import type { BoardItem } from '../api/generated.ts'
import { prohibitsBilling } from './benefits.ts'
import { lightOf } from './light.ts'
import { money } from './names.ts'

/** `amount`: what to collect, or why it is not known. `note`: who states it, where that is not the payer of active coverage alone. */
export interface Copay {
  amount: string
  note?: string
}

/** Of a Qualified Medicare Beneficiary: to bill the patient is against the law. */
export const DO_NOT_BILL = 'do not bill'

type Costs = NonNullable<NonNullable<BoardItem['primary_coverage']>['office_visit_costs']>

/**
 * An amount of the visit is shown without a note only if the payer of active coverage states it for an office visit, or if there is no
 * coverage to ask about: somebody may have entered it before the payer answered.
 */
export function copayOf({ appointment, patient, primary_coverage: primary }: BoardItem): Copay {
  const { estimated_copay_cents: cents } = appointment
  const { state } = lightOf(primary, patient.self_pay)
  if (state === 'active' && prohibitsBilling(primary?.benefits?.notes)) return { amount: DO_NOT_BILL, note: 'QMB' }
  const stated = state === 'active' ? (primary?.office_visit_costs ?? []).filter(isOfThePatient) : []
  const byPayer = costsInWords(stated)
  if (cents === undefined) {
    if (byPayer) return { amount: byPayer, note: 'by the payer' }
    return { amount: state === 'active' ? 'not stated' : 'no estimate' }
  }
  const amount = money(cents)
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
  return [range(copays.map(money)), percents.length > 0 && `${range(percents.map((each) => `${each}%`))} coinsurance`]
    .filter(Boolean)
    .join(', ')
}

const range = (values: readonly string[]) =>
  values.length > 2 ? `${values[0]} to ${values.at(-1)}` : values.join(' or ')
