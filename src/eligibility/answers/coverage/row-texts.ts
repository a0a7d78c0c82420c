import { isActiveRow, isPlanRow, textsOf } from '../../../x12/benefit-row.ts'
import { ASSISTANCE_CATEGORY, PLAN_NUMBER, referenceName } from '../../../x12/codes/references.ts'
import type { BenefitRow, PatientResponse } from '../../../x12/model.ts'
import { LONGEST_TEXT, partsOf } from '../payer-text.ts'
import { withFullStops } from '../words/sentences/full-stops.ts'

/**
 * The answer with all that its rows state in words where the words are looked for: the texts of III and the name of a Medicaid category (REF*M7)
 * among the messages of a row, and the name of the plan that a reference alone has (REF*18). The same answer when there is none of them.
 */
export function withAllTexts<Answered extends { patient: PatientResponse }>(answer: Answered): Answered {
  const { patient } = answer
  const name = referenceName(patient.dependent, PLAN_NUMBER) ?? referenceName(patient.subscriber, PLAN_NUMBER)
  const named = patient.benefits.some((row) => isToBeNamed(row, name))
    ? patient.benefits.map((row) => (isToBeNamed(row, name) ? withNames(row, name) : row))
    : patient.benefits
  const stated = named.map(withStatements)
  const isSame = stated.every((row, place) => row === named[place])
  const benefits = rowsWithTexts(isSame ? named : stated)
  return benefits === patient.benefits ? answer : { ...answer, patient: { ...patient, benefits } }
}

/** The row with full stops between the statements of its texts; the same object in most cases. */
function withStatements(row: BenefitRow): BenefitRow {
  const { messages } = row
  if (messages.length === 0) return row
  const stated = messages.map(withFullStops)
  return stated.every((text, place) => text === messages[place]) ? row : { ...row, messages: stated }
}

/** True for an active row about the plan whose references, or those of the patient, name it. */
function isToBeNamed(row: BenefitRow, ofPatient: string | undefined): boolean {
  if (!isActiveRow(row) || !isPlanRow(row)) return false
  if (ofPatient !== undefined && row.planDescription === undefined) return true
  return row.references.some(({ qualifier, description }) => {
    return description && (qualifier === ASSISTANCE_CATEGORY || (qualifier === PLAN_NUMBER && !row.planDescription))
  })
}

function withNames(row: BenefitRow, ofPatient: string | undefined): BenefitRow {
  const category = referenceName(row, ASSISTANCE_CATEGORY)
  const { planDescription = referenceName(row, PLAN_NUMBER) ?? ofPatient ?? category, messages } = row
  return { ...row, planDescription, messages: category === undefined ? messages : [...messages, category] }
}

/**
 * The rows with the texts of their III among their messages, and with long texts in parts, also a plan's name. A payer may state in any of them, and
 * nowhere else, that the coverage has ended. Rows without such texts are the same objects. Source: 005010X279A1 2115C III04.
 */
export function rowsWithTexts(rows: BenefitRow[]): BenefitRow[] {
  if (!rows.some(isToBeRead)) return rows
  return rows.map((row) => (isToBeRead(row) ? withTextsAsMessages(row) : row))
}

function isToBeRead({ messages, additionalInformation, planDescription }: BenefitRow): boolean {
  if (additionalInformation.length > 0 && additionalInformation.some(({ text }) => text !== undefined)) return true
  return isLong(planDescription) || (messages.length > 0 && messages.some(isLong))
}

const isLong = (text: string | undefined) => text !== undefined && text.length > LONGEST_TEXT

function withTextsAsMessages(row: BenefitRow): BenefitRow {
  const others = row.additionalInformation.flatMap(({ text, ...other }) => (other.code === undefined ? [] : [other]))
  const { planDescription } = row
  const texts = isLong(planDescription) ? [planDescription!, ...textsOf(row)] : textsOf(row)
  return { ...row, messages: texts.flatMap(partsOf), additionalInformation: others }
}
