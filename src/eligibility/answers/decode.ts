import { readEnvelope } from '../../x12/envelope.ts'
import type { Envelope, PatientResponse, Rejection, Transaction } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { decodeBenefits } from './benefits/benefits.ts'
import { describePlan } from './benefits/plan-metadata.ts'
import { levelsOfOthers } from './coverage/covered-people.ts'
import { readMedicare } from './coverage/medicare.ts'
import { type InquiryContext, type Judgment, judgeEligibility } from './coverage/status.ts'
import { describeReason, locationOf } from './rejections/rejections.ts'
import type { ParsedResponse } from './wire.ts'

/** The output of `anteroom x12 decode FILE --json`. */
export interface DecodedFile {
  envelope_warnings: string[]
  transactions: DecodedTransaction[]
}

interface DecodedTransaction {
  warnings: string[]
  errors: DecodedError[]
  patients: ParsedResponse[]
}

/**
 * An AAA. Our choice: every key is always present, with null where the payer left the element out, so that strict consumers need only one
 * shape.
 */
interface DecodedError {
  /** AAA03 as sent. */
  code: string | null
  /** AAA04 as sent. */
  followup_action: string | null
  /** `Loop 2100C`. */
  location: string
  /** AAA03 in words; null for a private code. */
  description: string | null
}

/** The input contains neither a transaction nor an acknowledgement: not X12, or cut off before its first ST. */
export class UnreadableInterchangeError extends Error {
  constructor() {
    super('The input contains no readable X12 interchange.')
    this.name = 'UnreadableInterchangeError'
  }
}

/** A file with each patient and the decoded answer, for callers that need to know which patient a rejection concerns. */
export interface DecodedAnswers {
  warnings: string[]
  transactions: { warnings: string[]; rejections: Rejection[]; answers: DecodedAnswer[] }[]
}

export interface DecodedAnswer {
  patient: PatientResponse
  parsed: ParsedResponse
}

/**
 * Decodes every 271 of a file. Transactions of other sets (a 270, say) are listed as empty with a warning; a TA1 or 999 is not a
 * transaction and is reported in the envelope's warnings.
 * @throws UnreadableInterchangeError
 */
export function decodeAnswers(text: string, options: InquiryContext = {}): DecodedAnswers {
  const envelope = readEnvelope(text)
  if (envelope.transactions.length === 0 && envelope.acknowledgements.length === 0)
    throw new UnreadableInterchangeError()
  const acknowledged = envelope.acknowledgements.map(describeAcknowledgement)
  return {
    warnings: [...envelope.warnings, ...acknowledged],
    transactions: envelope.transactions
      .filter((transaction) => !ACKNOWLEDGEMENTS.has(transaction.setId))
      .map((transaction) => decodeTransaction(transaction, options)),
  }
}

/** Decodes a file to the form that programs read. @throws UnreadableInterchangeError */
export function decodeResponse(text: string, options: InquiryContext = {}): DecodedFile {
  return describeFile(decodeAnswers(text, options))
}

/** Decoded answers in the form that programs read. */
export function describeFile({ warnings, transactions }: DecodedAnswers): DecodedFile {
  return {
    envelope_warnings: warnings,
    transactions: transactions.map(({ warnings, rejections, answers }) => ({
      warnings,
      errors: rejections.map(decodeRejection),
      patients: answers.map(({ parsed }) => parsed),
    })),
  }
}

/** One patient's answer as `parsed_response`. Pure; accepts every result of the reader. */
export function decodePatient(patient: PatientResponse, options: InquiryContext = {}): ParsedResponse {
  return describeJudgment(patient, judgeEligibility(patient, options))
}

/** Like `decodePatient`, for a caller that has evaluated the answer already and needs the reason as well. */
export function describeJudgment(patient: PatientResponse, judgment: Judgment): ParsedResponse {
  const parsed: ParsedResponse = { eligibility_status: judgment.status }
  const plan = describePlan(patient, judgment.chosen, judgment.day)
  if (plan) parsed.plan_metadata = plan
  const others = levelsOfOthers(patient, judgment.day)
  const benefits = decodeBenefits(patient.benefits, judgment, readMedicare(patient, judgment), others)
  if (benefits) parsed.benefits = benefits
  return parsed
}

type Acknowledgement = Envelope['acknowledgements'][number]

/** The acknowledgement by which our interchange or transaction was rejected instead of answered. */
export function findRefusal(envelope: Envelope): Acknowledgement | undefined {
  return envelope.acknowledgements.find(({ accepted }) => !accepted)
}

/** Acknowledgement sets; `readEnvelope` has read them already. */
const ACKNOWLEDGEMENTS: ReadonlySet<string> = new Set(['999', '997'])

function describeAcknowledgement({ kind, codes, description }: Acknowledgement): string {
  const numbers = codes.length > 0 ? ` (${codes.join(', ')})` : ''
  return `${kind}: ${description}${numbers}`
}

function decodeTransaction(transaction: Transaction, options: InquiryContext): DecodedAnswers['transactions'][number] {
  if (transaction.setId !== '271') {
    return { warnings: [...transaction.warnings, describeOtherSet(transaction.setId)], rejections: [], answers: [] }
  }
  const { warnings, rejections, patients } = readResponse(transaction)
  const decode = (patient: PatientResponse) =>
    transaction.isCutOff ? describeJudgment(patient, TRUNCATED) : decodePatient(patient, options)
  const answers = patients.map((patient) => ({ patient, parsed: decode(patient) }))
  return { warnings, rejections, answers }
}

/** An active row may precede the row that ends the coverage. */
const TRUNCATED: Judgment = {
  status: 'UNKNOWN',
  reason: 'The answer is truncated.',
  alert: 'the answer is truncated, so it does not show whether there is coverage',
}

function describeOtherSet(setId: string): string {
  if (setId === '270') return 'transaction set 270 is an inquiry, not an answer: nothing to decode'
  return `transaction set ${setId || '(none)'} is not a 271: not decoded`
}

function decodeRejection(rejection: Rejection): DecodedError {
  return {
    code: rejection.reasonCode ?? null,
    followup_action: rejection.followUpCode ?? null,
    location: locationOf(rejection),
    description: describeReason(rejection) ?? null,
  }
}
