import type { BenefitRow, PatientResponse } from '../../../x12/model.ts'

/** The answer with the texts of III among the messages of its rows (`rowsWithTexts`); the same answer when it has none. */
export function withAllTexts<Answered extends { patient: PatientResponse }>(answer: Answered): Answered {
  const { patient } = answer
  const benefits = rowsWithTexts(patient.benefits)
  return benefits === patient.benefits ? answer : { ...answer, patient: { ...patient, benefits } }
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
  const texts = row.additionalInformation.flatMap(({ text }) => text ?? [])
  const others = row.additionalInformation.flatMap(({ text, ...other }) => (other.code === undefined ? [] : [other]))
  return { ...row, messages: [...row.messages, ...texts], additionalInformation: others }
}
