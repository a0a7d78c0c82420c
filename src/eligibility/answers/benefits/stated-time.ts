// The time that a figure is of: by the dates of its row, or by a label, which some payers send instead. decisions/0183.
import type { BenefitRow } from '../../../x12/model.ts'
import { isInForce } from '../coverage/other-coverage.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { datesOf } from '../payer-text.ts'
import {
  DAYS_OF_FIGURE,
  FIRST_DAY_OF_FIGURE,
  LAST_DAY_OF_FIGURE,
  OTHER_YEAR,
  YEAR_OF_FIGURE,
} from '../words/days/times-of-figures.ts'
import { cachedByName } from '../words/names/known-names.ts'
import { LONGEST_LABEL, states } from '../words/phrase-group.ts'

/** True when the figures of a row are those of this day (YYYY-MM-DD), as far as the row and its labels say. */
export function isOfDay(row: BenefitRow, day: string): boolean {
  return isInForce(row, day) && !labelsWithTime(row.messages).some((text) => isOfOtherTime(text, day))
}

const labelsWithTime = onceForTexts((texts) =>
  texts.filter((text) => text.length <= LONGEST_LABEL && ANY_TIME.test(text)),
)

/** Most texts have none of these, so that they are searched once. */
const ANY_TIME = /20\d\d|\d[/-]\d|\bYEAR|\bPERIOD/i

function isOfOtherTime(text: string, day: string): boolean {
  const { isOther, years, first, last } = readTime(text)
  if (isOther) return true
  if (years.length > 0) return !years.includes(day.slice(0, 'YYYY'.length))
  return (first !== undefined && first > day) || (last !== undefined && last < day)
}

interface StatedTime {
  isOther: boolean
  years: readonly string[]
  first: string | undefined
  last: string | undefined
}

const UNSTATED: StatedTime = { isOther: false, years: [], first: undefined, last: undefined }

/** What a label says of its time. A payer repeats its labels in every answer. */
const readTime = cachedByName((label): StatedTime => {
  const text = label.toUpperCase()
  const [date, end] = datesOf(text)
  if (end !== undefined) return { ...UNSTATED, ...(states(DAYS_OF_FIGURE, text) && { first: date, last: end }) }
  return {
    isOther: states(OTHER_YEAR, text),
    years: date === undefined && states(YEAR_OF_FIGURE, text) ? yearsOf(text) : [],
    first: date !== undefined && states(FIRST_DAY_OF_FIGURE, text) ? date : undefined,
    last: date !== undefined && states(LAST_DAY_OF_FIGURE, text) ? date : undefined,
  }
})

/** `2025-26` is both years. */
function yearsOf(text: string): string[] {
  const [, year = '', next] = /(20\d\d)(?: ?[/-] ?(?:20)?(\d\d))?/.exec(text) ?? []
  return next === undefined ? [year] : [year, `20${next}`]
}
