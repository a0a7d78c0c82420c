// One harmless inquiry through a connector, and what came back in words for whoever sets it up (users.md 24).
import { rejectReasonNames } from '../x12/codes/rejections.ts'
import { readEnvelope } from '../x12/envelope.ts'
import type { Inquiry, Rejection } from '../x12/model.ts'
import { readResponse } from '../x12/response-reader.ts'
import { type Clearinghouse, type ClearinghouseAnswer, ClearinghouseError } from './clearinghouse.ts'
import { objectsOf, textOf } from './json-values.ts'

export interface Trial {
  works: boolean
  explanation: string
}

export interface TrialInquiry {
  /** A payer that the other side reaches; not needed where it can be asked for its payers. */
  payerId?: string
  /** Of a provider that the payer knows. */
  npi?: string
  at: Date
}

/** A well-formed NPI that nobody has: the one of the published mocks (rules.md 13.4). */
const NOBODYS_NPI = '1999999984'

/**
 * Asks for the list of payers where there is one, else about an invented patient whom no payer knows. Undefined when neither
 * can be asked without a payer id.
 */
export async function tryConnector(clearinghouse: Clearinghouse, inquiry: TrialInquiry): Promise<Trial | undefined> {
  try {
    if (clearinghouse.listPayers && inquiry.payerId === undefined) return await listFirstPayer(clearinghouse)
    if (inquiry.payerId === undefined) return undefined
    const options = { controlNumber: 1, at: inquiry.at }
    const answer = await clearinghouse.checkEligibility(aboutNobody(inquiry, inquiry.payerId), options)
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
      explanation: `It lists its payers${name ? `, ${name} among them` : ''}: the connection works`,
    }
  }
  return {
    works: false,
    explanation: 'It answers, but lists no payer: ask whether the account is set up for eligibility',
  }
}

function aboutNobody({ npi = NOBODYS_NPI, at }: TrialInquiry, payerId: string): Inquiry {
  return {
    reference: 'CONNECTIONTEST',
    traceNumber: 'CONNECTIONTEST',
    payer: { id: payerId },
    provider: { npi, organizationName: 'CONNECTION TEST' },
    subscriber: { memberId: 'TEST000000', firstName: 'CONNECTION', lastName: 'TEST', dateOfBirth: '1900-01-01' },
    dateOfService: at.toISOString().slice(0, 10),
    serviceTypeCodes: ['30'],
  }
}

function explainAnswer({ rawResponse, responses }: ClearinghouseAnswer): Trial {
  if (responses) return explainRejections(responses.flatMap(({ rejections }) => rejections))
  const { transactions, acknowledgements } = readEnvelope(rawResponse)
  const refusal = acknowledgements.find(({ accepted }) => !accepted)
  if (refusal) {
    const explanation = `It refused our X12 (${refusal.kind}: ${refusal.description}); check the ISA and GS ids and the usage`
    return { works: false, explanation }
  }
  const answers = transactions.filter(({ setId }) => setId === '271').map(readResponse)
  if (answers.length === 0) {
    return {
      works: false,
      explanation: 'It answered without an eligibility response (X12 271); check the URL and the form',
    }
  }
  return explainRejections(answers.flatMap(({ rejections }) => rejections))
}

/** Reasons that are about our side of the connection rather than about the invented patient. Source: x12-271.md 8. */
const PROVIDER_REASONS = new Set(['41', '43', '44', '45', '46', '47', '48', '49', '50', '51', '97'])
const PAYER_REASONS = new Set(['42', '79', '80', 'T4', '04'])

function explainRejections(rejections: Rejection[]): Trial {
  const codes = rejections.flatMap(({ reasonCode }) => reasonCode ?? [])
  const named = codes.map((code) => `AAA ${code} ${rejectReasonNames[code] ?? ''}`.trim()).join('; ')
  if (codes.some((code) => PROVIDER_REASONS.has(code))) {
    const advice = 'the payer does not accept the provider; name one with --npi that is enrolled with it'
    return { works: true, explanation: `The connection works, but ${advice} (${named})` }
  }
  if (codes.some((code) => PAYER_REASONS.has(code))) {
    const advice = 'the payer did not answer; check the payer id, or try again later'
    return { works: true, explanation: `The connection works, but ${advice} (${named})` }
  }
  const said = named === '' ? 'an eligibility response' : named
  return { works: true, explanation: `The payer answered about an invented patient (${said}): the connection works` }
}

function explainFailure({ message, code, detail, retryable }: ClearinghouseError): Trial {
  const said = detail ? `; it says: ${detail}` : ''
  const advice = retryable ? ' This may pass: try again.' : ''
  return { works: false, explanation: `${message} [${code}]${said}.${advice}` }
}
