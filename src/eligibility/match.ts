import type { Inquiry, InquiryMember, Party, PatientResponse, Response } from '../x12/model.ts'
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

/** How an answer's person compares with ours. */
interface Resemblance {
  memberId: Comparison
  firstName: Comparison
  lastName: Comparison
  dateOfBirth: Comparison
}

interface Candidate {
  patient: PatientResponse
  resemblance: Resemblance
}

/**
 * Finds our patient in an answer, or nobody: an answer about someone else is never taken for ours.
 *
 * 1. A patient that echoes our trace (TRN*2) is ours, unless two of first name, last name and date of birth contradict:
 *    one may be corrected or a nickname, two mean another person under our trace.
 * 2. Else the one that answers under our reference (BHT03), under the same condition.
 * 3. Else the one whose last name agrees, whose first name and birth date do not contradict, and whose birth date or
 *    member id agrees: twins differ in first name, father and son in birth date.
 * 4. Else a sole answer that is a refusal without benefits and contradicts nothing of ours: payers refuse before they
 *    look anyone up and then name nobody, or echo the id alone.
 *
 * Several that fit one rule equally are told apart by identity; when that fails the answer is nobody's.
 * Source: x12-271.md 3, patient rule.
 */
export function matchPatient(
  responses: Response | readonly Response[],
  request: MatchRequest,
): PatientResponse | undefined {
  const list: readonly Response[] = 'patients' in responses ? [responses] : responses
  const asked = identityOfMember(request.dependent ?? request.subscriber, request.subscriber)
  const toCandidate = (patient: PatientResponse): Candidate => ({ patient, resemblance: compareWith(asked, patient) })
  const all = list.flatMap(({ patients }) => patients).map(toCandidate)

  const traced = all.filter(({ patient }) => echoes(patient, request.traceNumber))
  if (traced.length > 0) return pickOne(traced.filter(isPlausible))

  const referred = list
    .filter(({ reference }) => reference !== undefined && reference === request.reference)
    .flatMap(({ patients }) => patients)
    .map(toCandidate)
    .filter(isPlausible)
  return (
    pickOne(referred) ?? pickSole(all.filter(isIdentified)) ?? pickSole(all.filter(isRefusalOfNobodyElse), all.length)
  )
}

function echoes({ subscriber, dependent }: PatientResponse, traceNumber: string): boolean {
  const traces = dependent ? [...dependent.traces, ...subscriber.traces] : subscriber.traces
  return traces.some(({ type, number }) => type === '2' && number === traceNumber)
}

/** The only one, or among several the only one that identity confirms. */
function pickOne(candidates: readonly Candidate[]): PatientResponse | undefined {
  return candidates.length > 1 ? pickSole(candidates.filter(isIdentified)) : candidates[0]?.patient
}

function pickSole(candidates: readonly Candidate[], among = candidates.length): PatientResponse | undefined {
  return candidates.length === 1 && among === 1 ? candidates[0]?.patient : undefined
}

function isPlausible({ resemblance: { firstName, lastName, dateOfBirth } }: Candidate): boolean {
  return [firstName, lastName, dateOfBirth].filter((comparison) => comparison === 'different').length < 2
}

function isIdentified({ resemblance }: Candidate): boolean {
  const { memberId, firstName, lastName, dateOfBirth } = resemblance
  if (lastName !== 'same' || firstName === 'different' || dateOfBirth === 'different') return false
  if (firstName === 'unknown') return memberId === 'same' && dateOfBirth === 'same'
  return memberId === 'same' || dateOfBirth === 'same'
}

function isRefusalOfNobodyElse({ patient, resemblance }: Candidate): boolean {
  const contradicts = Object.values(resemblance).includes('different')
  return !contradicts && patient.rejections.length > 0 && patient.benefits.length === 0
}

/** Compares the patients of both sides: payers answer about a dependent in the subscriber's place, and the reverse. */
function compareWith(asked: Identity, { subscriber, dependent }: PatientResponse): Resemblance {
  const answered = identityOf(dependent ?? subscriber)
  return {
    memberId: compareMemberIds(asked.memberId, answered.memberId, subscriber),
    firstName: compareFirstNames(asked, answered),
    lastName: compareLastNames(asked, answered),
    dateOfBirth: compareDates(asked.dateOfBirth, answered.dateOfBirth),
  }
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
