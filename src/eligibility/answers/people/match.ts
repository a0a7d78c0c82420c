import { isDeepStrictEqual } from 'node:util'
import { isoDate } from '../../../x12/iso-date.ts'
import type { Inquiry, InquiryMember, Party, PatientResponse, Rejection, Response } from '../../../x12/model.ts'
import { announcesChange } from '../../../x12/party.ts'
import { refusesPatient } from '../../../x12/refusals.ts'
import { type IdentityVerdict, judgeIdentity } from './identity.ts'
import {
  type Comparison,
  compareDates,
  compareFirstNames,
  compareLastNames,
  compareTexts,
  type Identity,
  identityOf,
} from './person.ts'

/** The parts of an inquiry that identify our answer. */
export type MatchRequest = Pick<Inquiry, 'reference' | 'traceNumber' | 'subscriber' | 'dependent'>

/**
 * The result of the search for our patient.
 * - `found`: the patient's answer. `refused`: the rejection of our inquiry under our trace, without data of the person it names.
 * - `several`: more than one answer about our patient. `other`: only answers about other people. `unidentified`: an answer that does not
 * identify its patient.
 */
export type Match =
  | { kind: 'found'; patient: PatientResponse }
  | { kind: 'refused'; rejections: Rejection[] }
  | { kind: 'several' | 'other' | 'unidentified' }

interface Candidate {
  patient: PatientResponse
  verdict: IdentityVerdict
  memberId: Comparison
  lastName: Comparison
}

/**
 * Finds our patient in an answer: an answer about another person is never accepted.
 *
 * 1. Candidates are the answers that echo our trace (TRN*2), else those under our reference (BHT03), else all.
 * 2. Our patient is the candidate with our patient's identity (identity.ts). Without trace and reference, the last name or the member id
 * must match as well.
 * 3. A single rejection that contradicts nothing of the inquiry is ours: payers reject before they look anyone up and then name no one, or
 * echo only the id.
 *
 * Source: x12-271.md 3, patient rule, and 9.
 */
export function findPatient(responses: readonly Response[], request: MatchRequest): Match {
  const requested = identityOfMember(request.dependent ?? request.subscriber, request.subscriber)
  const isDependent = request.dependent !== undefined
  const subscriber = isDependent ? identityOfMember(request.subscriber, request.subscriber) : undefined
  const toCandidate = (patient: PatientResponse) => compareWith(requested, patient, subscriber)
  const all = responses.flatMap(({ patients }) => patients)
  const traced = all.filter((patient) => echoes(patient, request.traceNumber))
  if (traced.length > 0) return choose(traced.map(toCandidate), requested)
  const referred = responses.filter(({ reference }) => reference !== undefined && reference === request.reference)
  const chosen = choose(referred.flatMap(({ patients }) => patients).map(toCandidate), requested)
  if (chosen.kind === 'found' || chosen.kind === 'several') return chosen
  const others = all.map(toCandidate)
  const akin = others.filter(({ memberId, lastName }) => memberId === 'same' || lastName === 'same')
  const found = choose(akin, requested)
  if (found.kind === 'found' || found.kind === 'several') return found
  const [sole] = others
  if (others.length === 1 && sole && isRejectionOfPatient(sole.patient, requested))
    return { kind: 'found', patient: sole.patient }
  return referred.length > 0 ? chosen : found
}

/** The candidate with our identity, else the one with our identity except for a correction. */
function choose(candidates: readonly Candidate[], requested: Identity): Match {
  for (const wanted of ['same', 'confirm'] as const) {
    const fitting = candidates.filter(({ verdict }) => verdict === wanted)
    const [first] = fitting
    if (!first) continue
    // A clearinghouse may deliver one answer twice.
    return fitting.every(({ patient }) => isDeepStrictEqual(patient, first.patient))
      ? { kind: 'found', patient: first.patient }
      : { kind: 'several' }
  }
  const [sole] = candidates
  if (candidates.length === 1 && sole) {
    const { patient, verdict } = sole
    if (isRejectionOfPatient(patient, requested)) return { kind: 'found', patient }
    if (patient.rejections.some(refusesPatient)) return { kind: 'refused', rejections: patient.rejections }
    if (verdict === 'unknown') return { kind: 'unidentified' }
  }
  return { kind: 'other' }
}

/** The trace numbers of inquiries that the answer about this patient echoes. */
function echoesOf({ subscriber, dependent }: PatientResponse): string[] {
  const traces = dependent ? [...dependent.traces, ...subscriber.traces] : subscriber.traces
  return traces.flatMap(({ type, number }) => (type === '2' ? [number] : []))
}

function echoes(patient: PatientResponse, traceNumber: string): boolean {
  return echoesOf(patient).includes(traceNumber)
}

/** Our trace numbers: the id of a check, a UUID of version 7, without hyphens (`toInquiry`). */
const OWN_TRACE = /^[0-9A-F]{12}7[0-9A-F]{3}[89AB][0-9A-F]{15}$/

/**
 * The answers without the patients that answer other inquiries of ours: they were delivered to the wrong inquiry, and may be about the same
 * person and another payer or day. The trace states the inquiry, or the reference (BHT03) where the payer echoes none of our traces.
 */
export function withoutOtherInquiries(responses: readonly Response[], { traceNumber }: MatchRequest): Response[] {
  const isOther = (patient: PatientResponse, reference: string | undefined) => {
    const echoed = echoesOf(patient)
    if (echoed.includes(traceNumber)) return false
    return (
      echoed.some((number) => OWN_TRACE.test(number)) || (OWN_TRACE.test(reference ?? '') && reference !== traceNumber)
    )
  }
  return responses.map((response) => ({
    ...response,
    patients: response.patients.filter((patient) => !isOther(patient, response.reference)),
  }))
}

function isRejectionOfPatient(patient: PatientResponse, requested: Identity): boolean {
  if (patient.rejections.length === 0 || patient.benefits.length > 0) return false
  const { subscriber, dependent } = patient
  const answered = identityOf(dependent ?? subscriber)
  const comparisons = [
    compareMemberIds(requested.memberId, answered.memberId, subscriber),
    compareFirstNames(requested, answered),
    compareLastNames(requested, answered),
    compareDates(requested.dateOfBirth, answered.dateOfBirth),
  ]
  return !comparisons.includes('different')
}

/**
 * Compares the patients of both sides: payers may answer about a dependent in the subscriber's place, and the reverse. `policyholder` is
 * the requested subscriber when the patient is a dependent.
 */
function compareWith(requested: Identity, patient: PatientResponse, policyholder: Identity | undefined): Candidate {
  const { subscriber, dependent } = patient
  const person = dependent ?? subscriber
  const answered = identityOf(person)
  const memberId = compareMemberIds(requested.memberId, answered.memberId, subscriber)
  const judgeAs = (one: Identity, other: Identity) =>
    judgeIdentity({
      requested: one,
      answered: other,
      memberId,
      announcesChange: announcesChange(person),
      isDependent: policyholder !== undefined || dependent !== undefined,
    })
  const verdict = judgeAs(requested, answered)
  // Father and son may share a name: without a birth date it does not show which of them the answer is about.
  const isNamesake =
    !(isoDate(requested.dateOfBirth) && isoDate(answered.dateOfBirth)) &&
    ((!dependent && policyholder && fits(judgeAs(policyholder, answered))) ||
      (dependent && !policyholder && fits(judgeAs(requested, identityOf(subscriber)))))
  return {
    patient,
    verdict: isNamesake && fits(verdict) ? 'unknown' : verdict,
    memberId,
    lastName: compareLastNames(requested, answered),
  }
}

const fits = (verdict: IdentityVerdict) => verdict === 'same' || verdict === 'confirm'

/** A payer that assigned the member a new id repeats the one that we sent as REF*Q4. Source: x12-271.md 9. */
function compareMemberIds(requested: string | undefined, answered: string | undefined, subscriber: Party): Comparison {
  const sent = subscriber.references.find(({ qualifier }) => qualifier === 'Q4')?.value
  if (compareTexts(requested, sent) === 'same') return 'same'
  return compareTexts(requested, answered ?? subscriber.id)
}

function identityOfMember(person: InquiryMember, subscriber: InquiryMember): Identity {
  const { firstName, middleName, lastName, suffix, dateOfBirth } = person
  return { memberId: person.memberId ?? subscriber.memberId, firstName, middleName, lastName, suffix, dateOfBirth }
}
