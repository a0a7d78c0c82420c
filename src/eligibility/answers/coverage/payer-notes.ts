// What a person reads beside the status, because no rule decides what it means: the payer's own words on the rows that make a coverage active, and
// other insurance without an order.
// decisions/0147-the-payers-note-beside-the-status.md

import { isAlert, OTHER_INSURANCE, PAYER_NOTE, toNote } from '../../../contract/answer-notes.ts'
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { CONTACT_ENTITY } from '../../../x12/codes/benefits.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { saysProviderIsOut } from '../benefits/gather-notes.ts'
import { networkNamed } from '../benefits/stated-network.ts'
import type { ParsedResponse } from '../wire.ts'
import { withFullStops } from '../words/sentences/full-stops.ts'
import { explainOutOfForce } from './in-force.ts'
import type { Answer } from './other-coverage.ts'
import { findOtherPayers, paysFor } from './other-payers.ts'
import type { ReadinessIssue } from './readiness-issues.ts'
import { rowsWithTexts } from './row-texts.ts'
import { isAbout } from './uncovered-rows.ts'

/** An EB has at most ten MSG. A board shows the first, and the answer has all of them. */
const MOST_NOTES = 10

/** Each text is looked for in every readiness issue, and an answer may have thousands of both: those beyond are in the notes alone. */
const MOST_COMPARED = 100

interface Evaluated {
  /** X12 1365 codes of the visit. */
  services: readonly string[]
  /** YYYY-MM-DD. */
  day: string
  readinessIssues: readonly ReadinessIssue[]
}

/**
 * The texts of the active rows in force on the day, about the plan or a service of the visit, and of "contact the payer" about the plan; not
 * those that are stated anyway: in a readiness issue, in an alert, as the network or as the name of the plan.
 */
export function payerNotesOf(rows: BenefitRow[], { services, day, readinessIssues }: Evaluated): string[] {
  const decisive = rowsWithTexts(rows).filter((row) => {
    const decides = isActiveRow(row) ? isAbout(row, services) : row.code === CONTACT_ENTITY && isPlanRow(row)
    return decides && !row.procedure && row.messages.length > 0 && explainOutOfForce(row.dates, day) === undefined
  })
  const texts = decisive.flatMap(({ messages, planDescription = '' }) =>
    messages.filter((message) => message.trim() !== planDescription.trim()),
  )
  const isStated = (text: string) =>
    networkNamed(text) !== undefined ||
    saysProviderIsOut(text) ||
    readinessIssues.some(({ note }) => note.includes(text) || note.includes(withFullStops(text)))
  const compared = [...new Set(texts)].slice(0, MOST_COMPARED)
  return compared.filter((text) => !isStated(text)).slice(0, MOST_NOTES)
}

/** Payers that are named. */
const MOST_NAMES = 3

/**
 * Other insurance for the visit, in force on the day, of which the answer does not say whether it pays first: the visit may be READY, and a person asks
 * the patient. None where another payer or the asked one is first, or where the answer has no name. Source: x12-271.md 10, EB01 R.
 */
export function otherInsuranceOf(answer: Answer, { services, readinessIssues }: Omit<Evaluated, 'day'>): string[] {
  if (readinessIssues.some(({ kind }) => kind === 'OTHER_PAYER')) return []
  const found = findOtherPayers(answer)
  if (found?.primacy !== 'UNDETERMINED') return []
  const others = found.other_payers.filter((other) => other.order === 'UNKNOWN' && paysFor(other, services))
  const names = new Set(others.flatMap(({ payer_name }) => payer_name ?? []))
  if (names.size === 0) return []
  const named = [...names].slice(0, MOST_NAMES).join(', ')
  const more = names.size > MOST_NAMES ? ` and ${names.size - MOST_NAMES} more` : ''
  return [`${OTHER_INSURANCE}${named}${more}. The payer does not say which plan pays first: ask the patient.`]
}

/** The answer with lines beside its status, after the alerts: `others`, and the payer's own texts. */
export function withStatusNotes(
  parsed: ParsedResponse,
  others: readonly string[],
  texts: readonly string[],
): ParsedResponse {
  if (others.length + texts.length === 0) return parsed
  const lines = parsed.benefits?.notes?.split('\n') ?? []
  const plain = new Set(texts.flatMap((text) => toNote(text).split('\n')))
  const rest = lines.filter((line) => !plain.has(line))
  const place = rest.findLastIndex(isAlert) + 1
  const notes = [...others, ...texts.map((text) => PAYER_NOTE + text)].map((line) => line.replaceAll('\n', ' '))
  return { ...parsed, benefits: { ...parsed.benefits, notes: rest.toSpliced(place, 0, ...notes).join('\n') } }
}
