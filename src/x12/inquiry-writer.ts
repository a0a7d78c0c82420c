import { INSURED, PAYER, PROVIDER } from './codes/entities.ts'
import { MEMBER_ID, NPI, PAYER_ID } from './codes/identification.ts'
import { GROUP_NUMBER, SOCIAL_SECURITY_NUMBER } from './codes/references.ts'
import { PLAN_SERVICE } from './codes/service-types.ts'
import { nameAsSent, plainIdentifier } from './element-limits.ts'
import {
  cleanData,
  type ElementContent,
  type SegmentContent,
  writeInterchange,
  writeMoment,
} from './interchange-writer.ts'
import type { Inquiry, InquiryMember, InterchangeAddress } from './model.ts'

/** The segments of the inquiry itself, which stand at the patient's level (subscriber or dependent). */
interface InquiryDetails {
  trace: SegmentContent
  dateAndServices: SegmentContent[]
}

/**
 * Writes one eligibility inquiry as a complete 270 interchange: one patient in one ST. TRN, DTP*291 and EQ stand at the patient's level
 * only. A dependent with their own member id is sent as the subscriber. A date that does not have eight digits without its hyphens is left
 * out, so that the payer reports what is missing. No qualifier is written without its value, and names are cut to the length of their
 * elements; what the guide forbids altogether is rejected earlier (eligibility/inquiries/fit-inquiry.ts). Throws only for an address that
 * cannot be written. Source: x12-271.md 2, 005010X279A1.
 */
export function writeInquiry(inquiry: Inquiry, address: InterchangeAddress): string {
  return writeInterchange({ address, functionalId: 'HS', transactions: [inquirySegments(inquiry, address)] })
}

/** The segments of a 270 between ST and SE, for a batch that puts several inquiries into one interchange. */
export function inquirySegments(inquiry: Inquiry, address: InterchangeAddress): SegmentContent[] {
  const { payer, reference } = inquiry
  const { date, time } = writeMoment(address.at)
  const details = inquiryDetails(inquiry, address)
  return [
    ['BHT', '0022', '13', reference, date, time],
    ['HL', '1', undefined, '20', '1'],
    // The guide requires a payer name, so the id stands in for an unknown one.
    identified(
      ['NM1', PAYER, '2', nameAsSent(payer.name, 'lastName') || nameAsSent(payer.id, 'lastName')],
      PAYER_ID,
      payer.id,
    ),
    ['HL', '2', '1', '21', '1'],
    nameProvider(inquiry.provider),
    ...writeMembers(inquiry, details),
  ]
}

function inquiryDetails(inquiry: Inquiry, address: InterchangeAddress): InquiryDetails {
  const date = writeDate(inquiry.dateOfService)
  const services = inquiry.serviceTypeCodes.length > 0 ? inquiry.serviceTypeCodes : [PLAN_SERVICE]
  const dateAndServices: SegmentContent[] = [['EQ', services]]
  if (date !== undefined) dateAndServices.unshift(['DTP', '291', 'D8', date])
  return { trace: ['TRN', '1', inquiry.traceNumber, writeOriginator(address.senderId)], dateAndServices }
}

/** TRN03: ten characters, the first of them 9 for an id that the sender assigned. Source: x12-271.md 2. */
function writeOriginator(senderId: string): string {
  return `9${senderId
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 9)
    .padEnd(9, '0')}`
}

/** The guide requires a provider name, so the NPI stands in for a missing one. */
function nameProvider({ organizationName, lastName, firstName, npi }: Inquiry['provider']): SegmentContent {
  const [organization, last] = [nameAsSent(organizationName, 'lastName'), nameAsSent(lastName, 'lastName')]
  const named: SegmentContent =
    organization === '' && last !== ''
      ? ['NM1', PROVIDER, '1', last, nameAsSent(firstName, 'firstName')]
      : ['NM1', PROVIDER, '2', organization || npi]
  return identified(named, NPI, npi)
}

/** NM1 with NM108 and NM109, which are written together or not at all. */
function identified(name: SegmentContent, qualifier: string, id: string | undefined): SegmentContent {
  if (cleanData(id ?? '') === '') return name
  const segment: [string, ...ElementContent[]] = [...name]
  while (segment.length < 8) segment.push(undefined)
  segment.push(qualifier, id)
  return segment
}

function writeMembers(inquiry: Inquiry, details: InquiryDetails): SegmentContent[] {
  const { subscriber, dependent } = inquiry
  if (dependent === undefined) return writeSubscriber(subscriber, details)
  const { memberId } = dependent
  if (memberId !== undefined && memberId !== subscriber.memberId) return writeSubscriber(dependent, details)
  return [
    ...writeSubscriber(subscriber, undefined),
    ['HL', '4', '3', '23', '0'],
    details.trace,
    nameMember('03', dependent),
    ...identify(dependent),
    ['INS', dependent.relationshipCode && 'N', dependent.relationshipCode],
    ...details.dateAndServices,
  ]
}

/** 2000C. Without details it only identifies the subscriber of the dependent that follows. */
function writeSubscriber(subscriber: InquiryMember, details: InquiryDetails | undefined): SegmentContent[] {
  return [
    ['HL', '3', '2', '22', details === undefined ? '1' : '0'],
    ...(details === undefined ? [] : [details.trace]),
    nameMember(INSURED, subscriber),
    ...identify(subscriber),
    ...(details?.dateAndServices ?? []),
  ]
}

function nameMember(code: typeof INSURED | '03', member: InquiryMember): SegmentContent {
  const { lastName, firstName, middleName, suffix, memberId } = member
  const name: SegmentContent = [
    'NM1',
    code,
    '1',
    nameAsSent(lastName, 'lastName'),
    nameAsSent(firstName, 'firstName'),
    nameAsSent(middleName, 'middleName'),
    undefined,
    nameAsSent(suffix, 'suffix'),
  ]
  return code === INSURED ? identified(name, MEMBER_ID, plainIdentifier(memberId ?? '')) : name
}

function identify(member: InquiryMember): SegmentContent[] {
  const birthDate = writeDate(member.dateOfBirth)
  const ssn = member.ssn?.replace(/\D/g, '')
  return [
    ...refer(GROUP_NUMBER, member.groupNumber),
    ...refer(SOCIAL_SECURITY_NUMBER, ssn),
    ['DMG', birthDate && 'D8', birthDate, member.gender],
  ]
}

function refer(qualifier: string, value: string | undefined): SegmentContent[] {
  return cleanData(value ?? '') === '' ? [] : [['REF', qualifier, value]]
}

/** CCYYMMDD from an ISO date; undefined for any other text. */
function writeDate(date: string | undefined): string | undefined {
  const digits = date?.trim().replaceAll('-', '')
  return digits !== undefined && /^\d{8}$/.test(digits) ? digits : undefined
}
