import { DATE } from '../../x12/codes/dates.ts'
import { PROVIDER } from '../../x12/codes/entities.ts'
import { MEMBER_ID, NPI } from '../../x12/codes/identification.ts'
import { type RejectSubject, rejectReasonNames, subjectOfReason } from '../../x12/codes/rejections.ts'
import { SELF } from '../../x12/codes/relationships.ts'
import type { Inquiry, Party, PatientResponse, Rejection, Response } from '../../x12/model.ts'
import { ANNOUNCED_CHANGE, emptyParty } from '../../x12/party.ts'
import { beyondRows, type Fitted, fitShape } from '../fit-shape.ts'
import { type JsonObject, objectOf, objectsOf, textOf, truthOf } from '../json-values.ts'
import { COVERAGE_ROWS, coverageShape } from './coverage-shape.ts'
import { compactDay, identified, readPeriod } from './coverage-values.ts'
import { readFieldMessages } from './failures.ts'
import { readAddress, readPayer } from './read-parties.ts'
import { readPlans } from './read-plans.ts'

/**
 * Reads Availity's Coverage as the 271 that it represents: one patient, codes raw. Never throws, for any JSON. The reference is the
 * inquiry's, because Availity stores each coverage under the id that it assigned to our inquiry; the names in the answer still decide whose
 * answer it is. Source: clearinghouse.md C.
 */
export function readCoverage(coverage: JsonObject, inquiry: Pick<Inquiry, 'reference' | 'dependent'>): Response {
  return readFittedCoverage(fitCoverage(coverage), inquiry)
}

/** The coverage in the shapes of its description. */
export const fitCoverage = (coverage: JsonObject): Fitted => fitShape(coverage, coverageShape, COVERAGE_ROWS)

/** Reads what `fitCoverage` returns. */
export function readFittedCoverage(fitted: Fitted, inquiry: Pick<Inquiry, 'reference' | 'dependent'>): Response {
  const coverage = fitted.json
  const { stray, ...beyond } = beyondRows(fitted)
  const patientJson = objectOf(coverage.patient)
  const relationship = textOf(patientJson.subscriberRelationshipCode)
  const isCalledDependent = relationship === undefined ? inquiry.dependent !== undefined : relationship !== SELF
  // Payers that give each person a number of their own have a child as the patient and as the subscriber.
  const isDependent = isCalledDependent && !isSamePerson(patientJson, objectOf(coverage.subscriber))
  const subscriber = isDependent
    ? readMember(objectOf(coverage.subscriber))
    : readMember({ ...objectOf(coverage.subscriber), ...withoutBlanks(patientJson) })
  const dependent = isDependent ? readMember(patientJson) : undefined
  const { benefits, references, dates } = readPlans(objectsOf(coverage.plans))
  subscriber.references.push(...references)
  subscriber.dates.push(...dates)
  dependent?.dates.push(...dates)
  const rejections = readRejections(coverage, isDependent)
  const patient: PatientResponse = {
    payer: readPayer(objectOf(coverage.payer)),
    provider: readProvider(objectOf(coverage.requestingProvider)),
    subscriber,
    ...(dependent && { dependent }),
    rejections,
    benefits: [...benefits, ...stray],
    ...beyond,
  }
  const reference = inquiry.reference
  const controlNumber = textOf(coverage.controlNumber) ?? ''
  return { controlNumber, reference, warnings: [], rejections, patients: [patient] }
}

function isSamePerson(patient: JsonObject, subscriber: JsonObject): boolean {
  const isSame = (key: string) => {
    const value = textOf(patient[key])?.toUpperCase()
    return value !== undefined && value === textOf(subscriber[key])?.toUpperCase()
  }
  return isSame('firstName') && isSame('birthDate')
}

function readMember(json: JsonObject): Party {
  const address = readAddress(json.address)
  const death = readPeriod(DATE.death, json.deathDate)
  return {
    ...emptyParty(),
    entityType: '1',
    lastName: textOf(json.lastName),
    firstName: textOf(json.firstName),
    middleName: textOf(json.middleName),
    suffix: textOf(json.suffix),
    ...identified(MEMBER_ID, textOf(json.memberId)),
    birthDate: compactDay(json.birthDate) ?? textOf(json.birthDate),
    gender: textOf(json.genderCode),
    relationshipCode: textOf(json.subscriberRelationshipCode),
    dates: death ? [death] : [],
    // INS03 and INS04: the payer's records differ from the inquiry.
    ...(truthOf(json.updateYourRecords) && ANNOUNCED_CHANGE),
    ...(address && { address }),
  }
}

function readProvider(json: JsonObject): Party {
  const firstName = textOf(json.firstName)
  return {
    ...emptyParty(),
    entityCode: PROVIDER,
    entityType: firstName === undefined ? '2' : '1',
    lastName: textOf(json.lastName) ?? textOf(json.name),
    firstName,
    ...identified(NPI, textOf(json.npi)),
  }
}

/**
 * The messages of a coverage as rejections, if one of them has an X12 reject reason. A message without one is then a rejection for a
 * private reason: it must not be lost beside an informational one. Messages in words alone are the connector's failure.
 */
function readRejections(coverage: JsonObject, isDependent: boolean): Rejection[] {
  const messages = readFieldMessages(coverage.validationMessages).map(({ field, code }) => {
    const reasonCode = code?.trim().toUpperCase()
    return { field, reasonCode, isKnown: reasonCode !== undefined && rejectReasonNames[reasonCode] !== undefined }
  })
  if (!messages.some(({ isKnown }) => isKnown)) return []
  return messages.map(({ field, reasonCode }) => ({
    ...(reasonCode !== undefined && { reasonCode }),
    loop: loopOf(field, reasonCode, isDependent),
  }))
}

/** Subjects of reasons whose level is the payer's even without a field. Source: x12-271.md 8. */
const PAYER_SUBJECTS: ReadonlySet<RejectSubject | undefined> = new Set(['outage', 'payer', 'access'])

function loopOf(field: string | undefined, reasonCode: string | undefined, isDependent: boolean): string {
  const subject = field === undefined ? subjectOfReason(reasonCode) : undefined
  if (field?.startsWith('payer') || PAYER_SUBJECTS.has(subject)) return '2100A'
  const isProvider = field === undefined ? subject === 'provider' : /^(provider|submitter)/.test(field)
  if (isProvider) return '2100B'
  return isDependent && field !== 'memberId' && field?.startsWith('subscriber') !== true ? '2100D' : '2100C'
}

function withoutBlanks(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null && value !== ''))
}
