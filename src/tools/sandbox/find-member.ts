import { cleanData } from '../../x12/interchange-writer.ts'
import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import { isNpi } from '../../x12/npi.ts'
import type { Roster, RosterDependent, RosterMember, RosterPayer } from './roster.ts'

export type Finding =
  | { kind: 'found'; member: RosterMember; dependent?: RosterDependent }
  /** AAA03. */
  | { kind: 'rejected'; reason: string; member?: RosterMember }

/** By its id or an alias, ignoring case. */
export function findPayer(roster: Roster, id: string): RosterPayer | undefined {
  const wanted = comparable(id)
  return roster.payers.find((payer) =>
    [payer.id, ...(payer.aliases ?? [])].some((known) => comparable(known) === wanted),
  )
}

/**
 * Finds the patient of an inquiry among the payer's members. Every value sent must match, ignoring case and accents, which X12 does not
 * carry; a subscriber who is the patient must be sent with name and birth date. Members that exist to be rejected are found by member id
 * alone. Source: rules.md 13.4.
 */
export function findPatient(roster: Roster, payer: RosterPayer, inquiry: Inquiry): Finding {
  if (!isNpi(inquiry.provider.npi)) return { kind: 'rejected', reason: '43' }
  const { subscriber, dependent } = inquiry
  const ofPayer = roster.members.filter((member) => member.payer === payer.id)
  const memberId = comparable(subscriber.memberId ?? '')
  const byId = ofPayer.find((member) => comparable(member.memberId) === memberId)
  if (byId?.answer?.reject) return { kind: 'rejected', reason: byId.answer.reject, member: byId }

  const demand = dependent ? 'when sent' : 'always'
  const matching = ofPayer.flatMap((member) => {
    const ofId = spellingsOf(member).filter((known) => memberId === '' || comparable(known.memberId) === memberId)
    return ofId.find((known) => matches(known, subscriber, demand)) ?? []
  })
  if (matching.length > 1) return { kind: 'rejected', reason: '76' }
  const [member] = matching
  if (!member) return { kind: 'rejected', reason: '75' }
  if (!dependent) return { kind: 'found', member }
  const found = member.dependents?.find((known) => matches(known, dependent, 'always'))
  // Our choice: the subscriber was found, so the patient is not found (67) rather than the subscriber (75).
  return found ? { kind: 'found', member, dependent: found } : { kind: 'rejected', reason: '67', member }
}

/** A member whose data the answer corrects, and the same member once the correction was taken, to whom the payer answers without one. */
function spellingsOf(member: RosterMember): RosterMember[] {
  const { corrections, ...rest } = member
  return corrections ? [member, { ...rest, ...corrections }] : [member]
}

/** Whether name and birth date are those of a known person. `always`: each must be sent; `when sent`: one that is missing matches. */
export function matches(
  known: { firstName: string; lastName: string; birthDate: string },
  sent: InquiryMember,
  demand: 'always' | 'when sent',
): boolean {
  const pairs = [
    [known.lastName, sent.lastName],
    [known.firstName, sent.firstName],
    [known.birthDate, sent.dateOfBirth],
  ] as const
  return pairs.every(([is, sentValue]) =>
    sentValue ? comparable(is) === comparable(sentValue) : demand === 'when sent',
  )
}

/** A text without case and accents, which X12 does not carry. */
export function comparable(value: string): string {
  return cleanData(value)
}
