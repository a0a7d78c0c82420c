import { createHash } from 'node:crypto'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import { badRequest } from '../../contract/errors.ts'
import { DATE_RULE, isDate, withHyphens } from '../../contract/formats.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { compareTexts } from '../answers/people/person.ts'
import { type CheckMember, type CheckRequest, findInquiryFaults } from '../inquiries/check-inquiry.ts'
import { describeFaults, type InquiryFault } from '../inquiries/fit-inquiry.ts'

/**
 * A check with its defaults filled in: today in the organization's calendar, service type 30. A dependent with their own member id is sent
 * as a subscriber. Source: rules.md 13.1.
 * @throws BadRequestError for a date that does not exist.
 */
export function toCheckRequest(request: EligibilityRequest, today: string): CheckRequest {
  const dependent = request.dependent && toMember('dependent', request.dependent)
  const subscriber = toMember('subscriber', request.subscriber)
  const isSubscriberToo = dependent !== undefined && hasOwnId(dependent, subscriber)
  return {
    payerId: request.payer_id,
    provider: toProvider(request.provider),
    subscriber: isSubscriberToo ? dependent : subscriber,
    ...(dependent && !isSubscriberToo && { dependent: { ...dependent, memberId: undefined } }),
    dateOfService: request.encounter?.date_of_service ?? today,
    serviceTypeCodes: toServiceTypes(request.encounter?.service_type_codes),
  }
}

/** Clients with a single field for the id send the family's id for every member, which does not make a dependent a subscriber. */
function hasOwnId(dependent: CheckMember, subscriber: CheckMember): boolean {
  return dependent.memberId !== undefined && compareTexts(dependent.memberId, subscriber.memberId) !== 'same'
}

/** A SHA-256 over the values that two equal checks share (rules.md 13.5). */
export function checkKey(request: CheckRequest): Buffer {
  const { payerId, provider, subscriber, dependent, dateOfService, serviceTypeCodes } = request
  const person = (member: CheckMember | undefined) =>
    member && [member.memberId ?? null, member.firstName, member.lastName, member.dateOfBirth ?? null]
  const parts = [
    payerId,
    [provider.npi, provider.organizationName ?? null, provider.firstName ?? null, provider.lastName ?? null],
    person(subscriber),
    person(dependent) ?? null,
    dateOfService,
    [...serviceTypeCodes].sort(),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

function toMember(field: string, member: EligibilityRequest['subscriber']): CheckMember {
  const dateOfBirth =
    member.date_of_birth === undefined ? undefined : toIsoDate(`${field}.date_of_birth`, member.date_of_birth)
  const read: CheckMember = { firstName: member.first_name, lastName: member.last_name }
  if (member.member_id) read.memberId = member.member_id
  if (dateOfBirth) read.dateOfBirth = dateOfBirth
  return read
}

/**
 * The request with its dates in ISO form: the stored and shown request equals the inquiry, and strict clients can read it.
 * @throws BadRequestError for a date that does not exist or is ambiguous.
 */
export function withIsoDates(request: EligibilityRequest): EligibilityRequest {
  const { subscriber, dependent } = request
  const read = { ...request }
  read.subscriber = withReadDate('subscriber', subscriber)
  if (dependent) read.dependent = withReadDate('dependent', dependent)
  return read
}

function withReadDate(field: string, member: EligibilityRequest['subscriber']): EligibilityRequest['subscriber'] {
  const { date_of_birth: text } = member
  const date = text === undefined ? undefined : toIsoDate(`${field}.date_of_birth`, text)
  return date === text ? member : { ...member, date_of_birth: date }
}

/**
 * `YYYY-MM-DD`; a mock case of the published documentation sends `YYYYMMDD` (rules.md 13.4), and forms send `MM/DD/YYYY`. A date with
 * slashes that would also be valid with the day first is rejected.
 */
function toIsoDate(field: string, text: string): string {
  const slashed = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text)
  const iso = slashed ? `${slashed[3]}-${slashed[1]}-${slashed[2]}` : withHyphens(text)
  const isAmbiguous = slashed && slashed[1] !== slashed[2] && Number(slashed[2]) <= 12
  if (isAmbiguous || !isDate(iso)) throw badRequest(`${field} must be ${DATE_RULE}`)
  return iso
}

function toProvider(provider: EligibilityRequest['provider']): CheckRequest['provider'] {
  const { npi, organization_name, first_name, last_name } = provider as Record<string, string | undefined>
  return {
    npi: npi ?? '',
    ...(organization_name && { organizationName: organization_name }),
    ...(first_name && { firstName: first_name }),
    ...(last_name && { lastName: last_name }),
  }
}

function toServiceTypes(codes: string[] | undefined): string[] {
  if (codes === undefined || codes.length === 0) return [PLAN_SERVICE]
  return [...new Set(codes.map((code) => code.trim().toUpperCase()))]
}

/** Wire names of a request's fields, and the names that another operation uses for them. */
export type FieldNames = Readonly<Record<string, string>>

/** The faults that prevent an inquiry from being sent, with the field names of the operation. */
export function findFaults(asked: CheckRequest, fieldNames: FieldNames = {}): InquiryFault[] {
  return findInquiryFaults(asked).map(({ field, problem }) => ({ field: fieldNames[field] ?? field, problem }))
}

/** @throws BadRequestError for a request that no 270 can carry, with its fields named. Source: 005010X279A1. */
export function requireAskable(asked: CheckRequest, fieldNames?: FieldNames): void {
  const faults = findFaults(asked, fieldNames)
  if (faults.length > 0) throw badRequest(describeFaults(faults))
}
