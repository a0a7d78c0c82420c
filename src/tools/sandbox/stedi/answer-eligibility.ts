// The sandbox simulates the vendor, not a connector: it writes Stedi's JSON with the same writer that renders the service's own answers in
// Stedi's form, so that both stay consistent.

import { randomUUID } from 'node:crypto'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../../../clearinghouses/json-values.ts'
import { MEDICARE_NUMBER_PAYER } from '../../../clearinghouses/stedi/write-request.ts'
import { withHyphens } from '../../../contract/formats.ts'
import { withoutUndefined } from '../../../contract/without-undefined.ts'
import { stediResponse } from '../../../eligibility/answers/stedi-form/stedi-response.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { readEnvelope } from '../../../x12/envelope.ts'
import { writeInquiry } from '../../../x12/inquiry-writer.ts'
import type { Inquiry, InquiryMember, PatientResponse, Response } from '../../../x12/model.ts'
import { readResponse } from '../../../x12/response-reader.ts'
import type { Answered } from '../answer-core.ts'
import { answerInterchange } from '../answer-interchange.ts'
import { matches } from '../find-member.ts'
import { type Reply, replyUnknownPayer, replyWithHtml, replyWithText, write999, writeTa1 } from '../replies.ts'
import type { Roster, RosterAnswer } from '../roster.ts'
import { checkEligibilityInput } from './check-input.ts'
import { replyWithFaults, replyWithJson } from './json-replies.ts'

/** An inquiry answered in Stedi's JSON, before any fault of the roster is applied. */
type JsonAnswer =
  | { kind: 'unknown-payer' }
  | { kind: 'answered'; json: JsonObject; x12: string; behavior: RosterAnswer }

/** Answers one real-time check. Source: clearinghouse.md A2, A3. */
export function answerEligibility(roster: Roster, body: JsonObject, at: Date): Answered {
  const faults = checkEligibilityInput(body)
  if (faults.length > 0) return { outcome: 'input faults', reply: replyWithFaults(faults) }
  const answered = answerInJson(roster, toInquiry(body, at), at)
  if (answered.kind === 'unknown-payer') return { outcome: 'unknown payer', reply: replyUnknownPayer() }
  const { json, x12, behavior } = answered
  const { instead, afterMs } = behavior
  const reply = instead ? misbehave(instead, json, x12) : replyWithJson(200, json)
  return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
}

const UNKNOWN_MEMBER_ID = 'NOTFOUND'

/** The inquiry to Medicare, with the number of the member who has these names, this birth date and this social security number. */
function withMedicareNumber(roster: Roster, inquiry: Inquiry): Inquiry {
  const { subscriber } = inquiry
  const medicare = roster.payers.find(({ programs }) => programs?.includes('MEDICARE'))
  const member = roster.members.find(
    (each) => each.payer === medicare?.id && each.ssn === subscriber.ssn && matches(each, subscriber, 'always'),
  )
  const { ssn: _, ...person } = subscriber
  return {
    ...inquiry,
    payer: { id: medicare?.id ?? inquiry.payer.id },
    subscriber: { ...person, memberId: member && subscriber.ssn ? member.memberId : UNKNOWN_MEMBER_ID },
  }
}

/** A 271 of the roster and the values from which Stedi's JSON is written. */
interface Written {
  raw: string
  response: Response
  patient: PatientResponse
  behavior: RosterAnswer
  ids: { id: string; eligibilitySearchId: string }
}

/** Writes the 270, answers it from the roster like any other, and renders its 271 as JSON. */
export function answerInJson(roster: Roster, inquiry: Inquiry, at: Date): JsonAnswer {
  const written = answerInX12(roster, inquiry, at)
  if (!written) return { kind: 'unknown-payer' }
  const { raw, response, patient, behavior, ids } = written
  return { kind: 'answered', json: { ...stediResponse(response, patient, { raw, ...ids }) }, x12: raw, behavior }
}

/** Undefined for a payer that is not in the roster. */
export function answerInX12(roster: Roster, original: Inquiry, at: Date): Written | undefined {
  const inquiry = original.payer.id === MEDICARE_NUMBER_PAYER ? withMedicareNumber(roster, original) : original
  const interchange = writeInquiry(inquiry, {
    senderQualifier: 'ZZ',
    senderId: 'STEDI',
    receiverQualifier: 'ZZ',
    receiverId: 'SANDBOX',
    usage: 'T',
    controlNumber: 1,
    at,
  })
  const outcome = answerInterchange(roster, interchange, at)
  if (outcome.kind !== 'answered') return undefined
  const { text: raw, behavior } = outcome
  const [transaction] = readEnvelope(raw).transactions
  const response = transaction && readResponse(transaction)
  const patient = response?.patients[0]
  if (!response || !patient) return undefined
  return { raw, response, patient, behavior, ids: { id: `ec_${randomUUID()}`, eligibilitySearchId: randomUUID() } }
}

/** The inquiry in a request's body. */
function toInquiry(body: JsonObject, at: Date): Inquiry {
  const provider = objectOf(body.provider)
  const encounter = objectOf(body.encounter)
  const [dependent] = objectsOf(body.dependents)
  const trace = randomUUID().replaceAll('-', '').toUpperCase()
  const services = textsOf(encounter.serviceTypeCodes)
  return {
    reference: trace,
    traceNumber: trace,
    payer: { id: textOf(body.tradingPartnerServiceId) ?? '' },
    provider: {
      npi: textOf(provider.npi) ?? '',
      ...withoutUndefined({
        organizationName: textOf(provider.organizationName),
        firstName: textOf(provider.firstName),
        lastName: textOf(provider.lastName),
      }),
    },
    subscriber: toMember(objectOf(body.subscriber)),
    ...(dependent && { dependent: toMember(dependent) }),
    dateOfService: withHyphens(textOf(encounter.dateOfService)) ?? at.toISOString().slice(0, 10),
    serviceTypeCodes: services.length > 0 ? services : [PLAN_SERVICE],
  }
}

function toMember(person: JsonObject): InquiryMember {
  const { gender } = person
  return withoutUndefined({
    memberId: textOf(person.memberId),
    firstName: textOf(person.firstName),
    lastName: textOf(person.lastName),
    middleName: textOf(person.middleName),
    dateOfBirth: withHyphens(textOf(person.dateOfBirth)),
    ssn: textOf(person.ssn),
    gender: gender === 'M' || gender === 'F' ? gender : undefined,
  })
}

/** The faulty answers that all of Stedi's operations share; undefined when no reply is ever sent. */
export function misbehave(
  instead: NonNullable<RosterAnswer['instead']>,
  json: JsonObject,
  x12: string,
): Reply | undefined {
  switch (instead) {
    case 'nothing':
      return undefined
    case 'empty':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.alloc(0) }
    case 'html':
      return replyWithHtml('<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon</body></html>')
    case 'half-envelope': {
      const whole = replyWithJson(200, json)
      return { ...whole, body: whole.body.subarray(0, whole.body.length / 2) }
    }
    case 'truncated-271':
      return replyWithJson(200, { ...json, x12: x12.slice(0, Math.floor(x12.length / 2)) })
    case 'another-patient':
      return replyWithJson(200, json)
    case '999':
      return replyWithJson(200, { meta: json.meta, errors: [], transactionSetAcknowledgement: 'R', x12: write999(x12) })
    case 'TA1':
      return replyWithJson(200, { meta: json.meta, errors: [], x12: writeTa1(x12) })
    case 'error-code':
      return replyWithFaults([{ path: '/controlNumber', message: 'The control number was used before' }])
    case 'soap-fault':
      return replyWithJson(200, { status: 'ERROR', errors: [{ description: 'The payer gateway is not available' }] })
    case 'http-503':
      return replyWithText(503, 'Service Unavailable', { 'retry-after': '30' })
  }
}
