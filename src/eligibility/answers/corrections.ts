import type { PatientResponse } from '../../x12/model.ts'
import { announcesChange, judgeIdentity } from './identity.ts'
import { isoDate } from './iso-date.ts'
import {
  type Comparison,
  compareDates,
  compareFirstNames,
  compareLastNames,
  compareTexts,
  type Identity,
  identityOf,
} from './person.ts'
import { findGroupNumber, findMemberId } from './plan-metadata.ts'
import type { RequestCorrection } from './wire.ts'

/** A member of the request in wire form. */
interface RequestedMember {
  member_id?: string | null
  first_name?: string | null
  last_name?: string | null
  date_of_birth?: string | null
  /** Compared only where the caller sent them. */
  gender?: string | null
  group_number?: string | null
}

export interface RequestedMembers {
  subscriber: RequestedMember
  dependent?: RequestedMember | null
}

/** Loops whose AAA means that the payer did not accept the member. */
const MEMBER_LOOPS: ReadonlySet<string> = new Set(['2000C', '2100C', '2000D', '2100D'])

/**
 * Where the payer's answer names another identity than the request did: `property` is a dotted path such as
 * `subscriber.member_id`, both values are raw, dates in the answer as YYYY-MM-DD. Spelling (case, punctuation,
 * diacritics, a middle initial in the first name) is no correction, and neither is an element that one side leaves out.
 * None when the payer rejected the member.
 * Source: x12-271.md 9, rules.md 10.3.
 */
export function findCorrections(request: RequestedMembers, patient: PatientResponse): RequestCorrection[] {
  if (patient.rejections.some(({ loop }) => MEMBER_LOOPS.has(loop))) return []
  const { subscriber, dependent } = patient
  const answered = { subscriber: statedIdentity(subscriber), dependent: dependent && statedIdentity(dependent) }
  if (request.dependent) {
    if (answered.dependent) {
      return [
        ...compareMember('subscriber', request.subscriber, answered.subscriber),
        ...compareMember('dependent', request.dependent, answered.dependent),
      ]
    }
    // A payer that puts the dependent into the subscriber's place says nothing about the subscriber; one that answered
    // about the subscriber alone says nothing about the dependent.
    const moved = { ...answered.subscriber, memberId: undefined }
    return isSamePerson(request.dependent, moved, subscriber)
      ? compareMember('dependent', request.dependent, moved)
      : []
  }
  // Asked as a subscriber, answered as a dependent: the dependent is whom we asked about, the id is the family's.
  const person = answered.dependent
    ? { ...answered.dependent, memberId: answered.dependent.memberId ?? answered.subscriber.memberId }
    : answered.subscriber
  return compareMember('subscriber', request.subscriber, person)
}

interface StatedIdentity extends Identity {
  gender?: string
  groupNumber?: string
}

function statedIdentity(party: PatientResponse['subscriber']): StatedIdentity {
  const { gender } = party
  return { ...identityOf(party), memberId: findMemberId(party), gender, groupNumber: findGroupNumber(party) }
}

function requestedIdentity(asked: RequestedMember): Identity {
  return {
    memberId: asked.member_id ?? undefined,
    firstName: asked.first_name ?? undefined,
    lastName: asked.last_name ?? undefined,
    dateOfBirth: asked.date_of_birth ?? undefined,
  }
}

function isSamePerson(asked: RequestedMember, answered: Identity, party: PatientResponse['subscriber']): boolean {
  const comparison = { asked: requestedIdentity(asked), answered, memberId: 'same', isDependent: true } as const
  const verdict = judgeIdentity({ ...comparison, announcesChange: announcesChange(party) })
  return verdict === 'same' || verdict === 'confirm'
}

function compareMember(
  path: 'subscriber' | 'dependent',
  asked: RequestedMember,
  answer: StatedIdentity,
): RequestCorrection[] {
  const request = requestedIdentity(asked)
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
  const { gender, group_number: group } = asked
  // U is no statement about a person.
  const stated = answer.gender === 'U' ? undefined : answer.gender
  compare('gender', compareTexts(gender ?? undefined, stated), gender ?? undefined, stated)
  compare('group_number', compareTexts(group ?? undefined, answer.groupNumber), group ?? undefined, answer.groupNumber)
  return corrections
}
