// The people whose figure a row has: by EB02, or by a text that is nothing but their name, which some payers send instead. x12-271.md 7.
import { FAMILY, INDIVIDUAL } from '../../../x12/codes/coverage-levels.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { OF_FAMILY } from '../words/figures/figure-labels.ts'
import { states } from '../words/phrase-group.ts'

/** Longer texts say more than the level. */
const LONGEST_NAME = 50

/**
 * EB02, but the family where a text of a blank or individual row is only its name: "FAMILY DEDUCTIBLE". EB05 counts unless it names the plan. A
 * connection may write INDIVIDUAL for a blank level (decisions/0175).
 */
export function statedLevel(row: BenefitRow, plan?: string): string | undefined {
  const { coverageLevel, messages, planDescription } = row
  if (coverageLevel !== undefined && coverageLevel !== INDIVIDUAL) return coverageLevel
  if (nameFamily(messages)) return FAMILY
  if (planDescription === undefined || !namesFamily(planDescription)) return coverageLevel
  return planDescription.trim().toUpperCase() === plan ? coverageLevel : FAMILY
}

/** True for a text that only names the family, or its figure. */
export const namesFamily = (text: string): boolean =>
  text.length <= LONGEST_NAME && /FAMILY/i.test(text) && states(OF_FAMILY, text)

const nameFamily = onceForTexts((texts) => texts.some(namesFamily))
