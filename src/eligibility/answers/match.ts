import type { Inquiry, InquiryMember, Party, PatientResponse, Rejection, Response } from '../../x12/model.ts'
import { refusesPatient } from '../../x12/refusals.ts'
import { announcesChange, type IdentityVerdict, judgeIdentity } from './identity.ts'
import {
  type Comparison,
  compareDates,
  compareFirstNames,
  compareLastNames,
  compareTexts,
  type Identity,
  identityOf,
} from './person.ts'

/** What of an inquiry tells whose answer is ours. */
export type MatchRequest = Pick<Inquiry, 'reference' | 'traceNumber' | 'subscriber' | 'dependent'>

/**
 * What an answer holds for our patient.
 * - `found`: their answer. `refused`: under our trace, the refusal of our inquiry, with nothing of whomever it names.
 * - `several`: more than one answer about our patient. `other`: answers about others alone. `untold`: one that does not say
 *   whom it is about.
 */
export type Match =
  | { kind: 'found'; patient: PatientResponse }
  | { kind: 'refused'; rejections: Rejection[] }
  | { kind: 'several' | 'other' | 'untold' }

interface Candidate {
  patient: PatientResponse
  verdict: IdentityVerdict
  memberId: Comparison
  lastName: Comparison
}

/**
 * Finds our patient in an answer, or nobody: an answer about someone else is never taken for ours.
 *
 * 1. Who echoes our trace (TRN*2), else who answers under our reference (BHT03), else all are looked at.
 * 2. Ours is who has our patient's identity (identity.ts), and nobody else; without trace and reference the last name or
 *    the member id must agree as well.
 * 3. A sole refusal that contradicts nothing of ours is ours: payers refuse before they look anyone up and then name
 *    nobody, or echo the id alone.
 *
 * Source: x12-271.md 3, patient rule, and 9.
 */
export function findPatient(responses: readonly Response[], request: MatchRequest): Match {
  const asked = identityOfMember(request.dependent ?? request.subscriber, request.subscriber)
  const isDependent = request.dependent !== undefined
  const toCandidate = (patient: PatientResponse) => compareWith(asked, patient, isDependent)
  const all = responses.flatMap(({ patients }) => patients)
  const traced = all.filter((patient) => echoes(patient, request.traceNumber))
  if (traced.length > 0) return choose(traced.map(toCandidate), asked)
  const referred = responses.filter(({ reference }) => reference !== undefined && reference === request.reference)
  const chosen = choose(referred.flatMap(({ patients }) => patients).map(toCandidate), asked)
  if (chosen.kind === 'found' || chosen.kind === 'several') return chosen
  const others = all.map(toCandidate)
  const akin = others.filter(({ memberId, lastName }) => memberId === 'same' || lastName === 'same')
  const found = choose(akin, asked)
  if (found.kind === 'found' || found.kind === 'several') return found
  const [sole] = others
  if (others.length === 1 && sole && isRefusalOfNobodyElse(sole.patient, asked))
    return { kind: 'found', patient: sole.patient }
  return referred.length > 0 ? chosen : found
}

/** The one whose identity is ours; else the one whose identity is ours but for a correction. */
function choose(candidates: readonly Candidate[], asked: Identity): Match {
  for (const wanted of ['same', 'confirm'] as const) {
    const fitting = candidates.filter(({ verdict }) => verdict === wanted)
    if (fitting.length > 1) return { kind: 'several' }
    if (fitting[0]) return { kind: 'found', patient: fitting[0].patient }
  }
  const [sole] = candidates
  if (candidates.length === 1 && sole) {
    const { patient, verdict } = sole
    if (isRefusalOfNobodyElse(patient, asked)) return { kind: 'found', patient }
    if (patient.rejections.some(refusesPatient)) return { kind: 'refused', rejections: patient.rejections }
    if (verdict === 'untold') return { kind: 'untold' }
  }
  return { kind: 'other' }
}

function echoes({ subscriber, dependent }: PatientResponse, traceNumber: string): boolean {
  const traces = dependent ? [...dependent.traces, ...subscriber.traces] : subscriber.traces
  return traces.some(({ type, number }) => type === '2' && number === traceNumber)
}

function isRefusalOfNobodyElse(patient: PatientResponse, asked: Identity): boolean {
  if (patient.rejections.length === 0 || patient.benefits.length > 0) return false
  const { subscriber, dependent } = patient
  const answered = identityOf(dependent ?? subscriber)
  const comparisons = [
    compareMemberIds(asked.memberId, answered.memberId, subscriber),
    compareFirstNames(asked, answered),
    compareLastNames(asked, answered),
    compareDates(asked.dateOfBirth, answered.dateOfBirth),
  ]
  return !comparisons.includes('different')
}

/** Compares the patients of both sides: payers answer about a dependent in the subscriber's place, and the reverse. */
function compareWith(asked: Identity, patient: PatientResponse, isDependent: boolean): Candidate {
  const { subscriber, dependent } = patient
  const person = dependent ?? subscriber
  const answered = identityOf(person)
  const memberId = compareMemberIds(asked.memberId, answered.memberId, subscriber)
  const verdict = judgeIdentity({
    asked,
    answered,
    memberId,
    announcesChange: announcesChange(person),
    isDependent: isDependent || dependent !== undefined,
  })
  return { patient, verdict, memberId, lastName: compareLastNames(asked, answered) }
}

/** A payer that gave the member a new id repeats the one that we sent as REF*Q4. Source: x12-271.md 9. */
function compareMemberIds(asked: string | undefined, answered: string | undefined, subscriber: Party): Comparison {
  const sent = subscriber.references.find(({ qualifier }) => qualifier === 'Q4')?.value
  if (compareTexts(asked, sent) === 'same') return 'same'
  return compareTexts(asked, answered ?? subscriber.id)
}

function identityOfMember(person: InquiryMember, subscriber: InquiryMember): Identity {
  const { firstName, middleName, lastName, suffix, dateOfBirth } = person
  return { memberId: person.memberId ?? subscriber.memberId, firstName, middleName, lastName, suffix, dateOfBirth }
}
