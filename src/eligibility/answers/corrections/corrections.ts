import { isoDate } from '../../../x12/iso-date.ts'
import type { PatientResponse } from '../../../x12/model.ts'
import { announcesChange } from '../../../x12/party.ts'
import { refusesPatient } from '../../../x12/refusals.ts'
import { findGroupNumber, findMemberId } from '../benefits/plan-metadata.ts'
import { isDependent } from '../coverage/covered-people.ts'
import { judgeIdentity } from '../people/identity.ts'
import {
  type Comparison,
  compareDates,
  compareFirstNames,
  compareLastNames,
  compareTexts,
  type Identity,
  identityOf,
  normalizeText,
} from '../people/person.ts'
import type { RequestCorrection } from '../wire.ts'

/** A member of the request in wire form. */
interface RequestedMember {
  member_id?: string | null
  first_name?: string | null
  last_name?: string | null
  date_of_birth?: string | null
  /** Compared only when the caller sent them. */
  gender?: string | null
  group_number?: string | null
}

interface RequestedMembers {
  subscriber: RequestedMember
  dependent?: RequestedMember | null
}

/** Loops whose AAA may mean that the payer did not accept the member. */
const MEMBER_LOOPS: ReadonlySet<string> = new Set(['2000C', '2100C', '2000D', '2100D'])

/**
 * Finds where the payer's answer has a different identity than the request. `property` is a dotted path such as `subscriber.member_id`;
 * both values are raw, with dates of the answer as YYYY-MM-DD. A different spelling (case, punctuation, diacritics, a middle initial in the
 * first name) is not a correction, and neither is an element that one side leaves out. Empty when the payer rejected the member. Source:
 * x12-271.md 9, rules.md 10.3.
 */
export function findCorrections(request: RequestedMembers, patient: PatientResponse): RequestCorrection[] {
  if (patient.rejections.some((each) => MEMBER_LOOPS.has(each.loop) && refusesPatient(each))) return []
  const { subscriber, dependent } = patient
  const answered = { subscriber: statedIdentity(subscriber), dependent: dependent && statedIdentity(dependent) }
  if (request.dependent) {
    if (answered.dependent) {
      return [
        ...compareMember('subscriber', request.subscriber, answered.subscriber),
        ...compareMember('dependent', request.dependent, answered.dependent),
      ]
    }
    // A payer that returns the dependent in the subscriber's place states nothing about the subscriber; one that answered about the
    // subscriber alone states nothing about the dependent.
    const moved = { ...answered.subscriber, memberId: undefined }
    return isSamePerson(request.dependent, moved, subscriber)
      ? compareMember('dependent', request.dependent, moved)
      : []
  }
  // Sent as a subscriber, answered as a dependent: the dependent is our patient, and the id is the family's.
  const person = answered.dependent
    ? { ...answered.dependent, memberId: answered.dependent.memberId ?? answered.subscriber.memberId }
    : answered.subscriber
  const corrections = compareMember('subscriber', request.subscriber, person)
  // The subscriber's own id, birth date and last name leave no doubt whose initial it is; twins may share theirs.
  const [sole, another] = corrections
  const isInitial =
    sole?.property === 'subscriber.first_name' &&
    !another &&
    !isDependent(patient) &&
    hasInitial(request.subscriber, person)
  return isInitial && compareTexts(request.subscriber.member_id ?? undefined, person.memberId) === 'same'
    ? []
    : corrections
}

/** True when one side has only the initial of the first name, and the same birth date. Source: x12-271.md 9, "a prefix". */
function hasInitial(requested: RequestedMember, answered: Identity): boolean {
  const [one, other] = [requested.first_name ?? undefined, answered.firstName].map(normalizeText)
  const isShort = (one?.length === 1 || other?.length === 1) && one?.[0] === other?.[0]
  return isShort && compareDates(requested.date_of_birth ?? undefined, isoDate(answered.dateOfBirth)) === 'same'
}

interface StatedIdentity extends Identity {
  gender?: string
  groupNumber?: string
}

function statedIdentity(party: PatientResponse['subscriber']): StatedIdentity {
  const stated: StatedIdentity = identityOf(party)
  stated.memberId = findMemberId(party)
  stated.gender = party.gender
  stated.groupNumber = findGroupNumber(party)
  return stated
}

function requestedIdentity(requested: RequestedMember): Identity {
  return {
    memberId: requested.member_id ?? undefined,
    firstName: requested.first_name ?? undefined,
    lastName: requested.last_name ?? undefined,
    dateOfBirth: requested.date_of_birth ?? undefined,
  }
}

function isSamePerson(requested: RequestedMember, answered: Identity, party: PatientResponse['subscriber']): boolean {
  const comparison = { requested: requestedIdentity(requested), answered, memberId: 'same', isDependent: true } as const
  const verdict = judgeIdentity({ ...comparison, announcesChange: announcesChange(party) })
  return verdict === 'same' || verdict === 'confirm'
}

function compareMember(
  path: 'subscriber' | 'dependent',
  requested: RequestedMember,
  answer: StatedIdentity,
): RequestCorrection[] {
  const request = requestedIdentity(requested)
  const corrections: RequestCorrection[] = []
  const compare = (property: keyof RequestedMember, verdict: Comparison, sent?: string, stated?: string) => {
    if (verdict !== 'different' || sent === undefined || stated === undefined) return
    corrections.push({ property: `${path}.${property}`, request_value: sent, corrected_value: stated })
  }
  compare('member_id', compareTexts(request.memberId, answer.memberId), request.memberId, answer.memberId)
  compare('first_name', compareFirstNames(request, answer), request.firstName, answer.firstName)
  compare('last_name', compareLastNames(request, answer), request.lastName, answer.lastName)
  const birth = isoDate(answer.dateOfBirth)
  compare('date_of_birth', compareDates(request.dateOfBirth, birth), request.dateOfBirth, birth)
  const { gender, group_number: group } = requested
  // U is not a statement about the person.
  const stated = answer.gender === 'U' ? undefined : answer.gender
  compare('gender', compareTexts(gender ?? undefined, stated), gender ?? undefined, stated)
  compare('group_number', compareTexts(group ?? undefined, answer.groupNumber), group ?? undefined, answer.groupNumber)
  return corrections
}
