import { NPI } from '../../x12/codes/identification.ts'
import { OTHER_RELATIONSHIP, SELF } from '../../x12/codes/relationships.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import type { SegmentContent } from '../../x12/interchange-writer.ts'
import { writeMoment } from '../../x12/interchange-writer.ts'
import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import { readBenefitLine } from './benefit-lines.ts'
import { type Finding, findPatient } from './find-member.ts'
import { placeRejection, type RejectLevel } from './reject-places.ts'
import type { Roster, RosterDependent, RosterMember, RosterPayer } from './roster.ts'

/** The service types that every payer answers for service type 30. Source: CORE 260 eligibility data content rule. */
const coreServiceTypes = ['1', '33', '35', '47', '48', '50', '86', '88', '98', 'AL', 'MH', 'UC']

/** One answered inquiry: the segments of a 271 between ST and SE, and the patient found. */
interface AnsweredInquiry {
  segments: SegmentContent[]
  finding: Finding
}

/** Answers as the payer would: benefits, inactive coverage, or an AAA. Source: x12-271.md 3 and 4. */
export function answerInquiry(roster: Roster, payer: RosterPayer, inquiry: Inquiry, at: Date): AnsweredInquiry {
  const finding = findPatient(roster, payer, inquiry)
  return { finding, segments: writeAnswer(roster, payer, inquiry, finding, at) }
}

/** The answer for a finding that may come from another inquiry, such as another patient's. */
export function writeAnswer(
  roster: Roster,
  payer: RosterPayer,
  inquiry: Inquiry,
  finding: Finding,
  at: Date,
): SegmentContent[] {
  const { date, time } = writeMoment(at)
  const reject: Reject = (level) => rejection(finding, level, inquiry.dependent !== undefined)
  return [
    ['BHT', '0022', '11', inquiry.reference, date, time],
    ['HL', '1', undefined, '20', '1'],
    ['NM1', 'PR', '2', payer.name, undefined, undefined, undefined, undefined, 'PI', payer.id],
    ...(payer.phone ? [['PER', 'IC', 'PROVIDER SERVICES', 'TE', payer.phone] as const] : []),
    ...reject('payer'),
    ['HL', '2', '1', '21', '1'],
    nameProvider(inquiry),
    ...reject('provider'),
    ...writeFamily(roster, payer, inquiry, { finding, reject, at }),
  ]
}

/** The AAA for a level, when the finding is a rejection at that level. */
type Reject = (level: RejectLevel) => SegmentContent[]

function rejection(finding: Finding, level: RejectLevel, hasDependent: boolean): SegmentContent[] {
  if (finding.kind !== 'rejected') return []
  const { reason, action, level: place } = placeRejection(finding.reason, hasDependent)
  // Y means that the inquiry was well-formed but rejected because of a problem at the payer, not in the inquiry.
  const validRequest = action === 'R' ? 'Y' : 'N'
  return place === level ? [['AAA', validRequest, undefined, reason, action]] : []
}

function nameProvider({ provider }: Inquiry): SegmentContent {
  return provider.organizationName === undefined && provider.lastName !== undefined
    ? ['NM1', '1P', '1', provider.lastName, provider.firstName, undefined, undefined, undefined, NPI, provider.npi]
    : ['NM1', '1P', '2', provider.organizationName, undefined, undefined, undefined, undefined, NPI, provider.npi]
}

function writeFamily(
  roster: Roster,
  payer: RosterPayer,
  inquiry: Inquiry,
  { finding, reject, at }: { finding: Finding; reject: Reject; at: Date },
): SegmentContent[] {
  const traces = writeTraces(payer, inquiry, at)
  const rows =
    finding.kind === 'found' ? benefitsOf(roster, finding.member, inquiry, at) : rejectService(inquiry, reject)
  const subscriber =
    finding.kind === 'found' ? describeMember(finding.member) : echoPerson('IL', inquiry.subscriber, reject)
  if (!inquiry.dependent) return [['HL', '3', '2', '22', '0'], ...traces, ...subscriber, ...rows]
  const dependent =
    finding.kind === 'found' && finding.dependent
      ? describeDependent(finding.dependent, finding.member)
      : echoPerson('03', inquiry.dependent, reject)
  return [['HL', '3', '2', '22', '1'], ...subscriber, ['HL', '4', '3', '23', '0'], ...traces, ...dependent, ...rows]
}

/** A reason that concerns only the services stands under a row that states that they cannot be processed. */
function rejectService({ serviceTypeCodes }: Inquiry, reject: Reject): SegmentContent[] {
  const rejected = reject('service')
  return rejected.length === 0 ? [] : [['EB', 'V', undefined, serviceTypeCodes], ...rejected]
}

/**
 * The echo of our trace with the identifier of who assigned it, and the payer's own. TRN03 has ten characters, the first of them 9 for an id
 * that the sender assigned. Source: 005010X279A1 271 2000C TRN03.
 */
function writeTraces(payer: RosterPayer, inquiry: Inquiry, at: Date): SegmentContent[] {
  const originator = `9${payer.id
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 9)
    .padEnd(9, '0')}`
  const echo = ['TRN', '2', inquiry.traceNumber, inquiry.traceOriginator ?? originator] as const
  return [...(inquiry.traceNumber ? [echo] : []), ['TRN', '1', `SB${at.getTime()}`, originator]]
}

const corrected = ['001', '25'] as const

function describeMember(member: RosterMember): SegmentContent[] {
  const { corrections = {}, group, address } = member
  const { firstName, lastName, memberId } = { ...member, ...corrections }
  return [
    ['NM1', 'IL', '1', lastName, firstName, member.middleName, undefined, undefined, 'MI', memberId],
    ...(group ? [['REF', '6P', group.number, group.name] as const] : []),
    ...(address
      ? [['N3', address.line1] as const, ['N4', address.city, address.state, address.postalCode] as const]
      : []),
    ['DMG', 'D8', compact(member.birthDate), member.gender],
    ['INS', 'Y', SELF, ...(member.corrections ? corrected : [])],
    ...coverageDates(member),
  ]
}

/** INS02. The inquiry uses 34 for another child; the answer has only G8 for it. Source: 005010X279A1 2100D INS. */
const relationshipCodes = { spouse: '01', child: '19', other: OTHER_RELATIONSHIP } as const

function describeDependent(dependent: RosterDependent, member: RosterMember): SegmentContent[] {
  return [
    ['NM1', '03', '1', dependent.lastName, dependent.firstName, dependent.middleName],
    ['DMG', 'D8', compact(dependent.birthDate), dependent.gender],
    ['INS', 'N', relationshipCodes[dependent.relationship]],
    ...coverageDates(member),
  ]
}

/** The person as named in the inquiry, with the reason why the payer does not answer: AAA stands before DMG. */
function echoPerson(code: 'IL' | '03', person: InquiryMember, reject: Reject): SegmentContent[] {
  const { lastName, firstName, middleName, memberId, dateOfBirth } = person
  const id = code === 'IL' ? memberId : undefined
  return [
    ['NM1', code, '1', lastName, firstName, middleName, undefined, undefined, id && 'MI', id],
    ...reject(code === 'IL' ? 'subscriber' : 'dependent'),
    ['DMG', dateOfBirth && 'D8', dateOfBirth && compact(dateOfBirth), person.gender],
  ]
}

function coverageDates({ from, to }: RosterMember): SegmentContent[] {
  const begin = ['DTP', '346', 'D8', compact(from)] as const
  return to === undefined ? [begin] : [begin, ['DTP', '347', 'D8', compact(to)]]
}

/** The rows for the requested services; only an inactive row when the date of service is outside the coverage. */
function benefitsOf(roster: Roster, member: RosterMember, inquiry: Inquiry, at: Date): SegmentContent[] {
  const plan = roster.plans[member.plan]
  if (!plan) return []
  const { serviceTypeCodes } = inquiry
  // An unreadable date of service means today, as does a missing one.
  const dateOfService = /^\d{4}-\d\d-\d\d$/.test(inquiry.dateOfService)
    ? inquiry.dateOfService
    : at.toISOString().slice(0, 10)
  if (dateOfService < member.from || (member.to !== undefined && dateOfService > member.to)) {
    return readBenefitLine('30 inactive', plan).segments([PLAN_SERVICE])
  }
  const asksAll = serviceTypeCodes.length === 0 || serviceTypeCodes.includes(PLAN_SERVICE)
  const wanted = new Set([PLAN_SERVICE, ...serviceTypeCodes, ...(asksAll ? coreServiceTypes : [])])
  return [...plan.benefits, ...(member.benefits ?? [])].flatMap((text) => {
    const line = readBenefitLine(text, plan)
    const requested = line.serviceTypes.filter((code) => wanted.has(code))
    return requested.length > 0 || line.serviceTypes.length === 0 ? line.segments(requested) : []
  })
}

function compact(isoDate: string): string {
  return isoDate.replaceAll('-', '')
}
