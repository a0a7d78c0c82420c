// Whose share a percentage is, where a text below EB01 A says so. x12-271.md 4, EB08; decisions/0181, 0183.
import {
  NAMED_SHARE_OF_PLAN,
  PAID_IN_FULL,
  SHARE_OF_PATIENT,
  SHARE_OF_PLAN,
  SHARES_OF_BOTH,
} from '../words/figures/figure-labels.ts'
import { states } from '../words/phrase-group.ts'

/** True when a text makes a percentage (0 to 100) the plan's share, or states another one as the patient's. `isLabel`: the text is a short one. */
export function isNotOfPatient(text: string, percent: number, isLabel: boolean): boolean {
  const ofPatient = shareIn(SHARE_OF_PATIENT, text)
  if (ofPatient !== undefined) return ofPatient !== percent
  if (percent === HALF) return false
  if (shareIn(SHARE_OF_PLAN, text) === percent) return true
  if (percent === WHOLE && PAID_IN_FULL.test(text)) return true
  const [, ofPlan, rest] = SHARES_OF_BOTH.exec(text) ?? []
  if (Number(ofPlan) === percent && Number(ofPlan) + Number(rest) === WHOLE) return true
  return isLabel && states(NAMED_SHARE_OF_PLAN, text)
}

function shareIn(pattern: RegExp, text: string): number | undefined {
  if (!text.includes('%') && !/PERCENT|PCT|\d\W*$/i.test(text)) return undefined
  const share = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return share === undefined ? undefined : Number(share)
}

/** Percent: the share of the patient is that of the plan. */
const HALF = 50
/** Percent. */
const WHOLE = 100
