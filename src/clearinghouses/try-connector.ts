// Sends one harmless inquiry through a connector and explains the result to the operator who sets it up (users.md 24).

import { type RejectSubject, rejectReasonNames, subjectOfReason } from '../x12/codes/rejections.ts'
import { PLAN_SERVICE } from '../x12/codes/service-types.ts'
import { readEnvelope } from '../x12/envelope.ts'
import type { Inquiry, Rejection } from '../x12/model.ts'
import { readResponse } from '../x12/response-reader.ts'
import { type Clearinghouse, type ClearinghouseAnswer, ClearinghouseError } from './clearinghouse.ts'
import { objectsOf, textOf } from './json-values.ts'

interface Trial {
  works: boolean
  explanation: string
}

interface TrialInquiry {
  /** A payer that the clearinghouse reaches; not required when it can list its payers. */
  payerId?: string
  /** The NPI of a provider that the payer recognizes. */
  npi?: string
  at: Date
}

/** A well-formed NPI that is not assigned: that of the published mocks (rules.md 13.4). */
const UNASSIGNED_NPI = '1999999984'

/**
 * Requests the payer list if the clearinghouse has one, else inquires about an invented patient that no payer has. Undefined when a payer
 * id is required and missing.
 */
export async function tryConnector(clearinghouse: Clearinghouse, inquiry: TrialInquiry): Promise<Trial | undefined> {
  try {
    if (clearinghouse.listPayers && inquiry.payerId === undefined) return await listFirstPayer(clearinghouse)
    if (inquiry.payerId === undefined) return undefined
    const options = { controlNumber: 1, at: inquiry.at }
    const answer = await clearinghouse.checkEligibility(trialInquiry(inquiry, inquiry.payerId), options)
    return explainAnswer(answer)
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return explainFailure(error)
  }
}

async function listFirstPayer({ listPayers }: Clearinghouse): Promise<Trial> {
  for await (const payer of listPayers?.() ?? []) {
    const name = textOf(payer.displayName) ?? objectsOf([payer.payer]).map(({ displayName }) => textOf(displayName))[0]
    return {
      works: true,
      explanation: `The clearinghouse lists its payers${name ? `, ${name} among them` : ''}: the connection works`,
    }
  }
  return {
    works: false,
    explanation: 'The clearinghouse answers, but lists no payer: check that the account is enabled for eligibility',
  }
}

function trialInquiry({ npi = UNASSIGNED_NPI, at }: TrialInquiry, payerId: string): Inquiry {
  return {
    reference: 'CONNECTIONTEST',
    traceNumber: 'CONNECTIONTEST',
    payer: { id: payerId },
    provider: { npi, organizationName: 'CONNECTION TEST' },
    subscriber: { memberId: 'TEST000000', firstName: 'CONNECTION', lastName: 'TEST', dateOfBirth: '1900-01-01' },
    dateOfService: at.toISOString().slice(0, 10),
    serviceTypeCodes: [PLAN_SERVICE],
  }
}

function explainAnswer({ rawResponse, responses }: ClearinghouseAnswer): Trial {
  if (responses) return explainRejections(responses.flatMap(({ rejections }) => rejections))
  const { transactions, acknowledgements } = readEnvelope(rawResponse)
  const refusal = acknowledgements.find(({ accepted }) => !accepted)
  if (refusal) {
    const explanation = `The clearinghouse rejected our X12 (${refusal.kind}: ${refusal.description}); check the ISA and GS ids and the usage`
    return { works: false, explanation }
  }
  const answers = transactions.filter(({ setId }) => setId === '271').map(readResponse)
  if (answers.length === 0) {
    return {
      works: false,
      explanation: 'The clearinghouse answered without an eligibility response (X12 271); check the URL and the form',
    }
  }
  return explainRejections(answers.flatMap(({ rejections }) => rejections))
}

/** Subjects that concern our side of the connection rather than the invented patient. Source: x12-271.md 8. */
const PROVIDER_SUBJECTS: ReadonlySet<RejectSubject | undefined> = new Set(['access', 'provider'])
const PAYER_SUBJECTS: ReadonlySet<RejectSubject | undefined> = new Set(['outage', 'payer'])

function explainRejections(rejections: Rejection[]): Trial {
  const codes = rejections.flatMap(({ reasonCode }) => reasonCode ?? [])
  const named = codes.map((code) => `AAA ${code} ${rejectReasonNames[code] ?? ''}`.trim()).join('; ')
  if (codes.some((code) => PROVIDER_SUBJECTS.has(subjectOfReason(code)))) {
    const advice = 'the payer does not accept the provider; test with the NPI of one that is enrolled with it'
    return { works: true, explanation: `The connection works, but ${advice} (${named})` }
  }
  if (codes.some((code) => PAYER_SUBJECTS.has(subjectOfReason(code)))) {
    const advice = 'the payer did not answer; check the payer id, or try again later'
    return { works: true, explanation: `The connection works, but ${advice} (${named})` }
  }
  const summary = named === '' ? 'an eligibility response' : named
  return { works: true, explanation: `The payer answered about an invented patient (${summary}): the connection works` }
}

function explainFailure({ message, code, detail, retryable }: ClearinghouseError): Trial {
  const quoted = detail ? `; details: ${detail}` : ''
  const advice = retryable ? ' This may be temporary: try again.' : ''
  const said = message.includes(`(${code})`) ? message : `${message} [${code}]`
  return { works: false, explanation: `${said}${quoted}.${advice}` }
}
