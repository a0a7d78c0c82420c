// Limits whose text states that nothing is left of them. rules.md 17; decisions/0174, 0213.
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { BENEFIT_DESCRIPTION, LIMITATIONS } from '../../../x12/codes/benefits.ts'
import { isOfLifetime } from '../../../x12/codes/time-qualifiers.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { restrictsRow } from '../benefits/row-labels.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { MOST_TEXTS, sentencesOf, sentencesOfAll } from '../payer-text.ts'
import { EXHAUSTED } from '../words/denials/denied.ts'
import { areCountsUsedUp, isOfEarlierYear, LIMIT_REACHED, USED_UP } from '../words/figures/used-up.ts'
import { states } from '../words/phrase-group.ts'

/**
 * True for a row with such a text: a limit with its figure, or the row of one service, whose own limit it is. A text about the plan without a figure
 * is read with the others about the coverage.
 */
export function isExhausted(row: BenefitRow, day: string): boolean {
  const { code, networkIndicator, procedure, timeQualifier } = row
  const messages = withoutEarlierYears(row.messages, timeQualifier, day)
  if (messages.length === 0 || networkIndicator === 'N' || procedure) return false
  const isOfService = !isPlanRow(row) && (isActiveRow(row) || code === BENEFIT_DESCRIPTION)
  if (code !== LIMITATIONS && !isOfService) return false
  if (code === LIMITATIONS && saysUsedUp(messages)) return true
  // Without the name of what is used up it is the limit of the row, unless another text restricts that.
  const ownTexts = statingNothingLeft(messages)
  return ownTexts !== undefined && !ownTexts.some((text) => restrictsRow(text, row))
}

/** EB06: service year, contract. */
const OTHER_PERIODS: ReadonlySet<string | undefined> = new Set(['22', '25'])
const CALENDAR_YEAR = '23'

/** The texts but those about a limit of an earlier year; the same list if there are none, because what is read of it is kept. */
function withoutEarlierYears(messages: readonly string[], timeQualifier: string | undefined, day: string) {
  const isOther = OTHER_PERIODS.has(timeQualifier) || isOfLifetime(timeQualifier)
  const period = timeQualifier === CALENDAR_YEAR ? 'calendarYear' : isOther ? 'other' : undefined
  const isEarlier = (text: string) => isOfEarlierYear(text, period, day)
  return messages.some(isEarlier) ? messages.filter((text) => !isEarlier(text)) : messages
}

const saysUsedUp = onceForTexts((messages) =>
  sentencesOfAll(messages).some(
    (sentence) => !LABEL.test(sentence) && (states(EXHAUSTED, sentence) || states(USED_UP, sentence)),
  ),
)

/** "Annual maximum used" labels the number of its row, which is then what was used. */
const LABEL = /^\W*(?!.*\b(?:HAS|HAVE|BEEN|IS|ARE|WAS|WERE|ALL|NO)\b)[A-Z ]+ USED\W*$/

/** A row without one of these states no such thing. */
const ANY_WORD =
  /\b(?:REACHED|MET|EXHAUSTED|EXCEEDED|USED|PAID|SATISFIED|ATTAINED|UTILIZED|TAKEN|HIT|DEPLETED|MAXED|NOTHING|NO)\b/i
const CLAUSES = /,(?!\d)| -+ /

/** What texts that state that nothing is left of a limit say besides; undefined for texts that state no such thing. */
const statingNothingLeft = onceForTexts((messages): readonly string[] | undefined => {
  const texts = messages.slice(0, MOST_TEXTS)
  if (!texts.some((text) => ANY_WORD.test(text))) return undefined
  const sentences = texts.flatMap(sentencesOf).map((text) => text.trim())
  const others = sentences.flatMap(withoutLimitReached)
  const areAll = sentences.every((text, at) => text === others[at])
  return !areAll || areCountsUsedUp(sentences) ? others : undefined
})

/** The clauses of a sentence besides one by which a limit is reached; the whole sentence if it has none. */
function withoutLimitReached(whole: string): string[] {
  const sentence = whole.replace(AFFIRMED, '')
  if (states(LIMIT_REACHED, sentence)) return []
  if (CONDITION.test(sentence)) return [whole]
  const clauses = sentence.split(CLAUSES)
  const others = clauses.filter((clause, at) => !states(LIMIT_REACHED, clause) || IS_NO.test(clauses[at + 1] ?? ''))
  return others.length === clauses.length ? [whole] : others
}

/** "Limit reached: yes"; "limit reached - no", in which the answer is a clause of its own. */
const AFFIRMED = /(?: ?[:?=-]{1,3} ?| )(?:YES|Y|TRUE)\W*$/
const IS_NO = /^\W*(?:NO|N|FALSE)\W*$/

const CONDITION = /\b(?:IF|WHEN|WHENEVER|ONCE|UNLESS|AFTER|UNTIL|BEFORE)\b/
