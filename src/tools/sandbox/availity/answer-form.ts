import { randomUUID } from 'node:crypto'
import { type CoverageFrame, coverageStatuses, writeCoverage } from '../../../clearinghouses/availity/write-coverage.ts'
import type { JsonObject } from '../../../clearinghouses/json-values.ts'
import { SELF } from '../../../x12/codes/relationships.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { readEnvelope } from '../../../x12/envelope.ts'
import { writeInquiry } from '../../../x12/inquiry-writer.ts'
import type { Inquiry } from '../../../x12/model.ts'
import { readResponse } from '../../../x12/response-reader.ts'
import { answerInterchange } from '../answer-interchange.ts'
import { type Reply, replyWithHtml, replyWithText } from '../replies.ts'
import type { Roster, RosterAnswer } from '../roster.ts'
import { replyWithJson } from '../stedi/json-replies.ts'

export type AnsweredForm =
  | { kind: 'faults'; errors: JsonObject[] }
  | { kind: 'answered'; frame: CoverageFrame; coverage: JsonObject; behavior: RosterAnswer }

const REQUIRED = ['payerId', 'providerNpi', 'patientLastName'] as const

/** The form as a 270, answered from the roster like any other, with its 271 rendered as a coverage. */
export function answerForm(roster: Roster, form: URLSearchParams, { id, at }: { id: string; at: Date }): AnsweredForm {
  const missing = REQUIRED.filter((name) => !form.get(name))
  if (missing.length > 0)
    return { kind: 'faults', errors: missing.map((field) => fault(field, `${field} is required`)) }
  const inquiry = toInquiry(form, at)
  const interchange = writeInquiry(inquiry, { ...address, at })
  const outcome = answerInterchange(roster, interchange, at)
  const [transaction] = outcome.kind === 'answered' ? readEnvelope(outcome.text).transactions : []
  const response = transaction && readResponse(transaction)
  const patient = response?.patients[0]
  if (outcome.kind !== 'answered' || !response || !patient) {
    return { kind: 'faults', errors: [fault('payerId', 'The payer is not known')] }
  }
  const frame = {
    id,
    createdAt: at,
    payerId: inquiry.payer.id,
    dateOfService: inquiry.dateOfService,
    serviceTypeCodes: inquiry.serviceTypeCodes,
    controlNumber: response.controlNumber,
  }
  return { kind: 'answered', frame, coverage: writeCoverage(patient, frame), behavior: outcome.behavior }
}

/** The faulty answers of the roster in Availity's form; undefined when no reply is ever sent. */
export function misbehave(instead: NonNullable<RosterAnswer['instead']>, coverage: JsonObject): Reply | undefined {
  const { plans: _plans, ...unanswered } = coverage
  const whole = replyWithJson(200, coverage)
  switch (instead) {
    case 'nothing':
      return undefined
    case 'empty':
      return { ...whole, body: Buffer.alloc(0) }
    case 'html':
      return replyWithHtml('<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon</body></html>')
    case 'half-envelope':
    case 'truncated-271':
      return { ...whole, body: whole.body.subarray(0, whole.body.length / 2) }
    case 'another-patient':
      return whole
    case '999':
    case 'TA1':
      return replyWithJson(200, { ...unanswered, status: 'Communication Error', statusCode: '13' })
    case 'error-code':
    case 'soap-fault':
      return replyWithJson(200, { ...unanswered, ...coverageStatuses.communicationError })
    case 'http-503':
      return replyWithText(503, 'Service Unavailable')
  }
}

const address = {
  senderQualifier: 'ZZ',
  senderId: 'AVAILITY',
  receiverQualifier: 'ZZ',
  receiverId: 'SANDBOX',
  usage: 'T',
  controlNumber: 1,
} as const

const fault = (field: string, errorMessage: string): JsonObject => ({ field, errorMessage, code: 'invalid' })

function toInquiry(form: URLSearchParams, at: Date): Inquiry {
  const field = (name: string) => form.get(name) || undefined
  const services = [...form.getAll('serviceType'), ...form.getAll('serviceType[]')].filter((code) => code !== '')
  const patient = {
    firstName: field('patientFirstName'),
    lastName: field('patientLastName'),
    dateOfBirth: field('patientBirthDate')?.slice(0, 10),
  }
  const isDependent = (field('subscriberRelationship') ?? SELF) !== SELF
  const memberId = field('memberId')
  const trace = randomUUID().replaceAll('-', '').toUpperCase()
  return {
    reference: trace,
    traceNumber: trace,
    payer: { id: field('payerId') ?? '' },
    provider: { npi: field('providerNpi') ?? '' },
    subscriber: isDependent ? { memberId } : { ...patient, memberId },
    ...(isDependent && { dependent: patient }),
    dateOfService: field('asOfDate')?.slice(0, 10) ?? at.toISOString().slice(0, 10),
    serviceTypeCodes: services.length > 0 ? services : [PLAN_SERVICE],
  }
}
