// Texts below a figure of the plan that say that the coverage has ended. Source: rules.md 17; decisions/0235.
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { type BetweenRows, sentencesOfAll } from '../payer-text.ts'
import { explainOutOfForce } from './in-force.ts'
import { planNameOf } from './plan-rows.ts'
import { isAbout } from './uncovered-rows.ts'

/**
 * The figures of the only active plan, or of a requested service, below which a sentence about the coverage or the person denies it: "coverage terminated 02/28/2026". All other texts below
 * a figure are about the figure, and so is what is used up.
 */
export async function findEndedBelowFigures(
  rows: readonly BenefitRow[],
  {
    services,
    day,
    pause,
    denies,
  }: { services: readonly string[]; day: string; pause: BetweenRows; denies: (sentence: string) => boolean },
): Promise<BenefitRow[]> {
  const plans = new Set(rows.filter((row) => isActiveRow(row) && isPlanRow(row)).map(planNameOf))
  const isFigure = (row: BenefitRow) =>
    (row.amount ?? row.percent) !== undefined && !row.procedure && isAbout(row, services)
  if (plans.size !== 1) return []
  const found: BenefitRow[] = []
  for (const row of rows) {
    if (row.messages.length === 0 || !isFigure(row) || !plans.has(planNameOf(row) ?? [...plans][0])) continue
    const isOver = sentencesOfAll(row.messages).some(
      (text) => OF_COVERAGE.test(text) && !USED.test(text) && denies(text),
    )
    if (isOver && !explainOutOfForce(row.dates, day)) found.push(row)
    const paused = pause(row)
    if (paused) await paused
  }
  return found
}

const OF_COVERAGE =
  /^\W*(?:(?:THE|THIS|YOUR|MEDICAL|HEALTH) )*(?:COVERAGE|COV|ELIGIBILITY|ENROLLMENT|MEMBER(?:SHIP)?|MBR|POLICY|PATIENT|SUBSCRIBER)\b/
const USED = /\b(?:EXHAUSTED|EXCEEDED|MET|REACHED|SATISFIED|USED)\b/
