// One answer through every door: as X12, in the two forms of Stedi's JSON without the X12, and in Availity's form, as the sandbox writes them.
import { readCoverage } from '../../src/clearinghouses/availity/read-coverage.ts'
import { writeCoverage } from '../../src/clearinghouses/availity/write-coverage.ts'
import type { ClearinghouseAnswer } from '../../src/clearinghouses/clearinghouse.ts'
import { CONNECTOR_KINDS, type ConnectorKindName } from '../../src/clearinghouses/connector-kind-names.ts'
import { toError, unusableAnswers } from '../../src/clearinghouses/failures.ts'
import { type JsonObject, readJsonObject } from '../../src/clearinghouses/json-values.ts'
import { readEligibility } from '../../src/clearinghouses/stedi/read-eligibility.ts'
import { readPlans } from '../../src/clearinghouses/stedi/read-plans.ts'
import { takeEligibility } from '../../src/clearinghouses/stedi/take-answer.ts'
import type { CheckOutcome } from '../../src/eligibility/answers/outcome.ts'
import { stediResponse } from '../../src/eligibility/answers/stedi-form/stedi-response.ts'
import type { CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { writePlans } from '../../src/tools/sandbox/stedi/write-plans.ts'
import type { Inquiry, PatientResponse, Response } from '../../src/x12/model.ts'
import { readAnswer } from './answers.ts'

/** The forms in which answers arrive at each kind of connector. */
const formsOfKind = {
  core: ['x12'],
  stedi: ['benefits', 'plans'],
  availity: ['availity'],
} as const satisfies Record<ConnectorKindName, readonly string[]>

export const DOORS = CONNECTOR_KINDS.flatMap((kind): readonly Door[] => formsOfKind[kind])
export type Door = (typeof formsOfKind)[ConnectorKindName][number]

/** The outcome of a check whose payer sends this 271, by the door through which it arrives. */
export function throughDoor(door: Door, text: string, request: CheckRequest): Promise<CheckOutcome> {
  const clearinghouse = {
    name: door,
    checkEligibility: async (inquiry: Inquiry): Promise<ClearinghouseAnswer> => {
      if (door === 'x12') return { rawResponse: text }
      const response = read(text)
      const patient = response.patients.find((each) => isOf(each, inquiry)) ?? response.patients[0]
      if (!patient) return { rawResponse: text }
      return { rawResponse: '{}', responses: [FORMS[door](response, patient, inquiry)] }
    },
  }
  const options = { organizationId: 'o1', checkId: 'TRACE-1', controlNumber: 1, at: new Date(0) }
  return runCheck(clearinghouse, request, options)
}

/** The outcome of a check whose clearinghouse answers with this JSON, in one of the forms. */
export function throughForm(
  form: Exclude<Door, 'x12'>,
  json: JsonObject,
  request: CheckRequest,
): Promise<CheckOutcome> {
  const checkEligibility = async (inquiry: Inquiry): Promise<ClearinghouseAnswer> => {
    const own = sent(json)
    if (form === 'availity') return { rawResponse: '{}', responses: [readCoverage(own, inquiry)] }
    const response = form === 'plans' ? readPlans(own) : readEligibility(own)
    return { rawResponse: '{}', responses: [traced(response, inquiry.traceNumber)] }
  }
  const options = { organizationId: 'o1', checkId: 'TRACE-1', controlNumber: 1, at: new Date(0) }
  return runCheck({ name: form, checkEligibility }, request, options)
}

/** The JSON of a clearinghouse for a 271, in one of the forms. */
export function writtenIn(form: Exclude<Door, 'x12'>, text: string, dateOfService: string): JsonObject {
  const response = read(text)
  const [patient] = response.patients
  if (!patient) throw new Error('no patient in the answer')
  if (form === 'benefits') return sent(stediResponse(response, patient, { raw: '' }))
  const { x12: _, ...plans } = sent(writePlans(response, patient, { raw: '', id: 'ec', eligibilitySearchId: 'es' }))
  if (form === 'plans') return plans
  const frame = { id: 'c1', createdAt: new Date(0), payerId: 'P1', dateOfService, serviceTypeCodes: ['30'] }
  return sent(writeCoverage(patient, frame))
}

/** The outcome of a check whose clearinghouse answers with this text, as its connector takes it. */
export function throughText(form: Exclude<Door, 'x12'>, text: string, request: CheckRequest): Promise<CheckOutcome> {
  const checkEligibility = async (inquiry: Inquiry): Promise<ClearinghouseAnswer> => {
    const { traceNumber } = inquiry
    if (form === 'availity') {
      const json = readJsonObject(text)
      if (typeof json !== 'object') throw toError(unusableAnswers.truncated)
      return { rawResponse: text, responses: [readCoverage(json, inquiry)] }
    }
    const answer = { status: 200, contentType: 'application/json', retryAfter: undefined, location: undefined }
    return takeEligibility(
      { ...answer, body: Buffer.from(text) },
      { rawInquiry: '{}', traceNumber, at: new Date(0), form },
    )
  }
  const options = { organizationId: 'o1', checkId: 'TRACE-1', controlNumber: 1, at: new Date(0) }
  return runCheck({ name: form, checkEligibility }, request, options)
}

let latest: { text: string; response: Response } | undefined

/** Read once for three doors, which write it in their forms and change nothing of it. */
function read(text: string): Response {
  if (latest?.text !== text) latest = { text, response: readAnswer(text) }
  return latest.response
}

/** A form holds one patient: the one that the clearinghouse asked about. */
const isOf = (found: PatientResponse, { subscriber, dependent }: Inquiry) =>
  (found.dependent ?? found.subscriber).firstName?.toUpperCase() === (dependent ?? subscriber).firstName?.toUpperCase()

/** As it is sent and received. */
const sent = (json: object) => JSON.parse(JSON.stringify(json)) as JsonObject

type Form = (response: Response, patient: PatientResponse, inquiry: Inquiry) => Response

const FORMS: Readonly<Record<Exclude<Door, 'x12'>, Form>> = {
  benefits: (response, patient, { traceNumber }) =>
    traced(readEligibility(sent(stediResponse(response, patient, { raw: '' }))), traceNumber),
  plans: (response, patient, { traceNumber }) => {
    const { x12: _, ...json } = sent(writePlans(response, patient, { raw: '', id: 'ec', eligibilitySearchId: 'es' }))
    return traced(readPlans(json), traceNumber)
  },
  availity: (_, patient, inquiry) => {
    const { payer, dateOfService, serviceTypeCodes } = inquiry
    const frame = { id: 'c1', createdAt: new Date(0), payerId: payer.id, dateOfService, serviceTypeCodes }
    return readCoverage(sent(writeCoverage(patient, frame)), inquiry)
  },
}

/** The clearinghouse's own trace went to the payer: the connector adds ours. */
function traced(response: Response, number: string): Response {
  for (const { subscriber, dependent } of response.patients)
    (dependent ?? subscriber).traces.push({ type: '2', number })
  return response
}
