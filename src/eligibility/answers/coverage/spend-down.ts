import type { BenefitRow } from '../../../x12/model.ts'
import { readDecimal } from '../benefits/benefit-values.ts'
import { type BetweenRows, DATES, datesOf, LONGEST_TEXT, MOST_TEXTS, sentencesOf } from '../payer-text.ts'
import { explainOutOfForce } from './in-force.ts'

/** EB01: spend down, the amount a Medicaid patient pays before the program pays. */
const SPEND_DOWN = 'Y'
/** EB06: remaining. */
const REMAINING = '29'

const NAME =
  '(?:SPE?ND(?:[ -]*D)?O?WN|SHARE[ -]OF[ -]COST|SOC\\b(?! DATE)|(?:EXCESS|SURPLUS) INCOME|(?:MONTHLY|MEDICAID|MA) DEDUCTIBLE)'
const NAMED = new RegExp(`\\b${NAME}`)

/** Words that contradict an amount of zero. */
const UNMET = /\bNOT\b|N'T\b|CANNOT|UNMET|NEVER|NO LONGER/

/**
 * The sentences that state that the spend-down is met. Everything else that names one counts as unmet: there is no end to the ways in which
 * payers say that something is not met yet. Amounts are read as `#` and dates as `@`.
 */
const MET = [
  new RegExp(
    `^(?:(?:THE|MEMBER|PATIENT|MEDICAID|MONTHLY|CURRENT|RECIPIENT|#)S? )*${NAME}(?: (?:AMOUNT|OBLIGATION|REQUIREMENT|LIABILITY|STATUS|OF|FOR|THE|THIS|CURRENT|MONTH|PERIOD|#|@))*(?: (?:HAS|IS|WAS|BEEN|FULLY|ALREADY|NOW))* (?:MET|SATISFIED)(?: (?:YES|Y|IN FULL|FOR|THE|THIS|CURRENT|MONTH|PERIOD|ON|AS OF|DATE|@))*$`,
  ),
  new RegExp(
    `^(?:THE )?(?:MEMBER|PATIENT|RECIPIENT)? ?(?:HAS |HAVE )?(?:FULLY |ALREADY )?(?:MET|SATISFIED)(?: (?:THE|HIS|HER|THEIR|MEDICAID|MONTHLY|#))* ${NAME}(?: (?:FOR|THE|THIS|CURRENT|MONTH|PERIOD|OF|#|@))*$`,
  ),
  new RegExp(
    `^NO (?:MEDICAID |MONTHLY )?${NAME}(?: (?:AMOUNT|OBLIGATION|REQUIREMENT|LIABILITY|DUE|APPLIES|REQUIRED))*$`,
  ),
  new RegExp(
    `^(?!.*\\b(?:NOT|UNMET|IF|WHEN|UNLESS|UNTIL|AFTER)\\b).*\\b(?:W|WITH|HAS) NO ${NAME}(?: (?:OR|AMOUNT|OBLIGATION|DUE|${NAME}))*$`,
  ),
  /^(?:HAS BEEN |IS |FULLY )*(?:MET|SATISFIED)$/,
]

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
    if ((row.code !== SPEND_DOWN && textsAbout(row).length === 0) || explainOutOfForce(row.dates, day)) continue
    named.push(row)
    if (!saysMet(row, day)) unmet.add(row)
    await pause(row)
  }
  // The remainder decides if the payer states it: the full amount stays listed when it is met.
  const remaining = named.filter((row) => row.code === SPEND_DOWN && row.timeQualifier === REMAINING)
  if (remaining.length > 0 && remaining.every((row) => readDecimal(row.amount) === 0)) {
    return named.filter((row) => {
      if (row.code === SPEND_DOWN) return textsAbout(row).some((text) => UNMET.test(text))
      return unmet.has(row)
    })
  }
  return named.filter((row) => unmet.has(row) && !isZero(row))
}

function isZero(row: BenefitRow): boolean {
  return row.code === SPEND_DOWN && readDecimal(row.amount) === 0 && !textsAbout(row).some((text) => UNMET.test(text))
}

/** The texts of a row that name a spend-down; all messages of a spend-down row are about it. */
function textsAbout({ code, planDescription = '', messages }: BenefitRow): string[] {
  const texts = [planDescription, ...messages.slice(0, MOST_TEXTS)].map((text) => text.toUpperCase())
  return texts.filter((text, place) => NAMED.test(text) || (code === SPEND_DOWN && place > 0))
}

function saysMet(row: BenefitRow, day: string): boolean {
  const texts = textsAbout(row)
  return texts.length > 0 && texts.every((text) => isMet(text, day))
}

/** Other sentences of the text, such as the identity of the member, must not limit the one that it is met. */
function isMet(text: string, day: string): boolean {
  if (text.length > LONGEST_TEXT) return false
  if (confirms(text, day)) return true
  const sentences = sentencesOf(text)
  const [about, others] = [true, false].map((named) => sentences.filter((sentence) => NAMED.test(sentence) === named))
  return (
    about!.length > 0 && about!.every((sentence) => confirms(sentence, day)) && !others!.some((text) => OPEN.test(text))
  )
}

const OPEN = new RegExp(`${UNMET.source}|\\b(?:REMAIN|BALANCE|OWE|DUE|UNTIL|BEFORE|FIRST)`)

/** `SHARE OF COST: $0.00`, `SPENDDOWN: NO`. */
const NOTHING = new RegExp(
  `^\\W*(?:(?:MEDICAID|MONTHLY|MEMBER|PATIENT) )*${NAME}(?: (?:AMOUNT|OBLIGATION|REMAINING|INDICATOR|DUE|IS))*[ :=-]*\\$? ?(?:0+(?:\\.0+)?|NONE|NO|N)\\W*$`,
)

/** A day on which it will be met is not one on which it is met. */
function confirms(text: string, day: string): boolean {
  if (NOTHING.test(text)) return true
  if (datesOf(text).some((date) => date === undefined || date > day)) return false
  const words = text
    .replace(DATES, ' @ ')
    .replace(/\$? ?\d[\d,]*(?:\.\d+)?/g, ' # ')
    .replace(/[^A-Z#@'-]+/g, ' ')
    .replace(/ -+ /g, ' ')
    .trim()
  return MET.some((pattern) => pattern.test(words))
}
