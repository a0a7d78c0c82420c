import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import type { BenefitRow, PatientResponse, Reference } from '../../../x12/model.ts'

/** REF01: plan number, Medicaid assistance category. REF03 has the name. */
const PLAN_NUMBER = '18'
const ASSISTANCE_CATEGORY = 'M7'

/**
 * The answer with all that its rows state in words where the words are looked for: the texts of III and the name of a Medicaid category (REF*M7)
 * among the messages of a row, and the name of the plan that a reference alone has (REF*18). The same answer when there is none of them.
 */
export function withAllTexts<Answered extends { patient: PatientResponse }>(answer: Answered): Answered {
  const { patient } = answer
  const name =
    nameIn(patient.dependent?.references ?? [], PLAN_NUMBER) ?? nameIn(patient.subscriber.references, PLAN_NUMBER)
  const named = patient.benefits.some((row) => isToBeNamed(row, name))
    ? patient.benefits.map((row) => (isToBeNamed(row, name) ? withNames(row, name) : row))
    : patient.benefits
  const benefits = rowsWithTexts(named)
  return benefits === patient.benefits ? answer : { ...answer, patient: { ...patient, benefits } }
}

function nameIn(references: readonly Reference[], wanted: string): string | undefined {
  return references.find(({ qualifier, description }) => qualifier === wanted && description)?.description
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
  const { planDescription = nameIn(row.references, PLAN_NUMBER) ?? ofPatient, messages, references } = row
  const category = nameIn(references, ASSISTANCE_CATEGORY)
  return { ...row, planDescription, messages: category === undefined ? messages : [...messages, category] }
}

/**
 * The rows with the texts of their III among their messages: a payer may state there, and nowhere else, that the coverage has ended. Rows
 * without such texts are the same objects. Source: 005010X279A1 2115C III04.
 */
export function rowsWithTexts(rows: BenefitRow[]): BenefitRow[] {
  if (!rows.some(hasText)) return rows
  return rows.map((row) => (hasText(row) ? withTextsAsMessages(row) : row))
}

function hasText({ additionalInformation }: BenefitRow): boolean {
  return additionalInformation.length > 0 && additionalInformation.some(({ text }) => text !== undefined)
}

function withTextsAsMessages(row: BenefitRow): BenefitRow {
  const others = row.additionalInformation.flatMap(({ text, ...other }) => (other.code === undefined ? [] : [other]))
  return { ...row, messages: textsOf(row), additionalInformation: others }
}

/** The texts of MSG and of III. */
export function textsOf({ messages, additionalInformation }: BenefitRow): string[] {
  if (additionalInformation.length === 0) return messages
  return [...messages, ...additionalInformation.flatMap(({ text }) => text ?? [])]
}
