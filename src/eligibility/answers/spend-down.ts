import type { BenefitRow } from '../../x12/model.ts'
import { readDecimal } from './benefit-values.ts'
import { explainOutOfForce } from './in-force.ts'

/** EB01: spend down, the amount a Medicaid patient pays before the program pays. */
const SPEND_DOWN = 'Y'
/** EB06: remaining. */
const REMAINING = '29'

const NAMED = /SPEND\s*-?\s*DOWN|SHARE OF COST/i
/** Words that state that it is met, and words that negate this: NOT MET, UNTIL IT IS MET, $40 REMAINING. */
const MET = /\bMET\b|SATISFIED|NO (?:SPEND\s*-?\s*DOWN|SHARE OF COST)/i
const UNMET =
  /\bNOT\b|N'T\b|UNMET|UNTIL|UNLESS|\bIF\b|\bONCE\b|\bWHEN\b|\bAFTER\b|\bBEFORE\b|\bMUST\b|REMAIN|BALANCE|\bOWES?\b/i

/**
 * The rows that state an unmet spend-down on the day. A spend-down without a word or figure that it is met counts as unmet: the coverage
 * pays nothing until then. Source: x12-271.md 5, rule 7.
 */
export function findUnmetSpendDown(rows: readonly BenefitRow[], day: string): BenefitRow[] {
  const named = rows.filter((row) => {
    return (
      (row.code === SPEND_DOWN || row.messages.some((text) => NAMED.test(text))) && !explainOutOfForce(row.dates, day)
    )
  })
  // The remainder decides if the payer states it: the full amount stays listed when it is met.
  const remaining = named.filter((row) => row.code === SPEND_DOWN && row.timeQualifier === REMAINING)
  if (remaining.length > 0 && remaining.every((row) => readDecimal(row.amount) === 0)) {
    return named.filter((row) => row.code !== SPEND_DOWN && !isMet(row))
  }
  return named.filter((row) => !isMet(row))
}

function isMet(row: BenefitRow): boolean {
  if (row.code === SPEND_DOWN && readDecimal(row.amount) === 0) return true
  const words = row.messages.filter((text) => NAMED.test(text) || row.code === SPEND_DOWN)
  return words.length > 0 && words.every((text) => MET.test(text) && !UNMET.test(text))
}
