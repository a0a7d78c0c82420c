import { SPEND_DOWN_ROW } from '../../../x12/codes/benefits.ts'
import { REMAINING } from '../../../x12/codes/time-qualifiers.ts'
import { readDecimal } from '../../../x12/decimals.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { type BetweenRows, DATE, DATES, datesOf, LONGEST_TEXT, MOST_TEXTS, sentencesOf } from '../payer-text.ts'
import { NO_SPEND_DOWN, OF_OTHER_PAYER, OPEN, SPEND_DOWN, SPEND_DOWN_MET, UNMET } from '../words/figures/spend-down.ts'
import { states } from '../words/phrase-group.ts'
import { explainOutOfForce } from './in-force.ts'

/**
 * The rows that state an unmet spend-down on the day. A spend-down without a word or figure that it is met counts as unmet: the coverage
 * pays nothing until then. Source: x12-271.md 5, rule 7.
 */
export async function findUnmetSpendDown(
  rows: readonly BenefitRow[],
  day: string,
  pause: BetweenRows,
): Promise<BenefitRow[]> {
  const named: BenefitRow[] = []
  const unmet = new Set<BenefitRow>()
  for (const row of rows) {
    if ((row.code !== SPEND_DOWN_ROW && textsAbout(row).length === 0) || explainOutOfForce(row.dates, day)) continue
    named.push(row)
    if (!saysMet(row, day)) unmet.add(row)
    await pause(row)
  }
  // The remainder decides if the payer states it: the full amount stays listed when it is met.
  const remaining = named.filter((row) => row.code === SPEND_DOWN_ROW && row.timeQualifier === REMAINING)
  if (remaining.length > 0 && remaining.every((row) => readDecimal(row.amount) === 0)) {
    return named.filter((row) => {
      if (row.code === SPEND_DOWN_ROW) return textsAbout(row).some((text) => UNMET.test(text))
      return unmet.has(row)
    })
  }
  return named.filter((row) => unmet.has(row) && !isZero(row))
}

function isZero(row: BenefitRow): boolean {
  return (
    row.code === SPEND_DOWN_ROW && readDecimal(row.amount) === 0 && !textsAbout(row).some((text) => UNMET.test(text))
  )
}

const isNamedIn = (text: string) => text !== '' && states(SPEND_DOWN, text.toUpperCase())
const areAbout = onceForTexts((messages) => messages.slice(0, MOST_TEXTS).some(isNamedIn))
const NO_TEXTS: readonly string[] = []

/** The texts of a row that name a spend-down; all messages of a spend-down row are about it. */
function textsAbout({ code, planDescription = '', messages }: BenefitRow): readonly string[] {
  if (code !== SPEND_DOWN_ROW && !isNamedIn(planDescription) && !areAbout(messages)) return NO_TEXTS
  const texts = [planDescription, ...messages.slice(0, MOST_TEXTS)].map((text) => text.toUpperCase())
  return texts.filter((text, place) => states(SPEND_DOWN, text) || (code === SPEND_DOWN_ROW && place > 0))
}

function saysMet(row: BenefitRow, day: string): boolean {
  const texts = textsAbout(row)
  return texts.length > 0 && texts.every((text) => isMet(text, day))
}

/** Other sentences of the text, such as the identity of the member, must not limit the one that it is met. */
function isMet(text: string, day: string): boolean {
  if (text.length > LONGEST_TEXT) return false
  if (confirms(text, day)) return true
  const sentences = sentencesOf(text).flatMap((sentence) => sentence.split(/ -+ (?!\d)/))
  const [about, others] = [true, false].map((named) =>
    sentences.filter((sentence) => states(SPEND_DOWN, sentence) === named),
  )
  return (
    about!.length > 0 &&
    about!.some((sentence) => confirms(sentence, day)) &&
    about!.every((sentence) => confirms(sentence, day) || (AMOUNT_ALONE.test(sentence) && !OPEN.test(sentence))) &&
    !others!.some((text) => OPEN.test(text) && !OF_OTHER_PAYER.test(text))
  )
}

/** "Medi-Cal eligible w/ LTC/SOC of $345": the amount, of which another sentence says that it is met. */
const AMOUNT_ALONE = /(?:SOC|COST|SPEND ?DOWN)(?: AMOUNT)?(?: OF)?[ :]*\$? ?\d[\d,]*(?:\.\d+)?\W*$/

const LAST_DAY = new RegExp(`\\b(?:MET|SATISFIED)\\b.*(?:\\b(?:THROUGH|THRU|TO|UNTIL)|${DATE} ?-) ?${DATE}\\W*$`)

/** A day on which it will be met is not one on which it is met. */
function confirms(text: string, day: string): boolean {
  if (states(NO_SPEND_DOWN, text)) return true
  const dates = datesOf(text)
  // "Met 03/02/2026 through 03/31/2026".
  const last = LAST_DAY.test(text) ? dates.pop() : day
  if (last === undefined || last < day || dates.some((date) => date === undefined || date > day)) return false
  const words = text
    .replace(DATES, ' @ ')
    .replace(/\$? ?\d[\d,]*(?:\.\d+)?/g, ' # ')
    .replace(/[^A-Z#@'-]+/g, ' ')
    .replace(/ -+ /g, ' ')
    .trim()
  return states(SPEND_DOWN_MET, words)
}
