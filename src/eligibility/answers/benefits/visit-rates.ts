// Counts of visits that are a rate, and not the number of visits that a patient has: by HSD03 and HSD06, or by a label. x12-271.md 4.
import { readDecimal } from '../../../x12/decimals.ts'
import type { BenefitRow, ServiceDelivery } from '../../../x12/model.ts'
import { RATE_OF_VISITS } from '../words/figures/figure-labels.ts'
import { LONGEST_LABEL, states } from '../words/phrase-group.ts'

/** EB09 or HSD01: visits. */
export const VISITS = 'VS'

/** Two visits a week, or six in two years. */
export function isRateOf({ frequencyUnit, periodCount }: ServiceDelivery): boolean {
  const spansOne = periodCount === undefined || readDecimal(periodCount) === 1
  return !spansOne || (frequencyUnit !== undefined && frequencyUnit !== VISITS)
}

/** True for a label like VISITS PER WEEK. "One visit per day" beside 20 visits is a condition of them. */
export function isRateInWords({ messages }: BenefitRow, count: number): boolean {
  return messages.some((text) => {
    if (text.length > LONGEST_LABEL || !states(RATE_OF_VISITS, text)) return false
    const [stated] = /\b(?:\d+|ONE|TWO|THREE|FOUR|ONCE|TWICE)\b(?=.*\b(?:PER|AN?|EACH|EVERY|IN)\b)/i.exec(text) ?? []
    return stated === undefined || (NUMBERS.get(stated.toUpperCase()) ?? Number(stated)) === count
  })
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['ONCE', 1],
  ['ONE', 1],
  ['TWICE', 2],
  ['TWO', 2],
  ['THREE', 3],
  ['FOUR', 4],
])
