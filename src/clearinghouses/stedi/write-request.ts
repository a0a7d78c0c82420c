import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'

/** The payer id under which Stedi looks up a Medicare number before it sends the inquiry to Medicare. Source: Stedi's documentation, MBI lookup. */
export const MEDICARE_NUMBER_PAYER = 'MBILU'

export interface RequestContext {
  at: Date
  /** 1 to 999999999. */
  controlNumber?: number
  portal?: { username: string; password: string }
  /** Stedi's own ids of payers, by payer id. */
  payerIds?: Readonly<Record<string, string>>
}

/**
 * An inquiry as the body of Stedi's eligibility check. A dependent with their own member id is sent as the subscriber. Source:
 * clearinghouse.md A2.
 */
export function writeRequest(inquiry: Inquiry, context: RequestContext): JsonObject {
  const { controlNumber, portal, at } = context
  const { provider } = inquiry
  const { subscriber, dependent } = peopleToSend(inquiry)
  return {
    tradingPartnerServiceId: stediPayerId(inquiry.payer.id, context.payerIds),
    ...(controlNumber !== undefined && { controlNumber: String(controlNumber).padStart(9, '0') }),
    provider: {
      npi: provider.npi,
      ...(provider.organizationName !== undefined
        ? { organizationName: provider.organizationName }
        : { ...named('firstName', provider.firstName), ...named('lastName', provider.lastName) }),
    },
    subscriber: { ...named('memberId', subscriber.memberId), ...writePerson(subscriber) },
    ...(dependent && {
      dependents: [{ ...writePerson(dependent), ...named('individualRelationshipCode', dependent.relationshipCode) }],
    }),
    encounter: {
      ...(isTodayEverywhere(inquiry.dateOfService, at)
        ? {}
        : named('dateOfService', compactDate(inquiry.dateOfService))),
      serviceTypeCodes: inquiry.serviceTypeCodes,
    },
    ...(portal && { portalUsername: portal.username, portalPassword: portal.password }),
  }
}

/** The subscriber and dependent to send: a dependent with their own member id is sent as the subscriber. Source: x12-271.md 2. */
export function peopleToSend({ subscriber, dependent }: Inquiry): Pick<Inquiry, 'subscriber' | 'dependent'> {
  const hasOwnId = dependent?.memberId !== undefined && dependent.memberId !== subscriber.memberId
  if (hasOwnId) return { subscriber: dependent }
  return { subscriber, ...(dependent && { dependent }) }
}

/** The body in its stored form: a portal's password and a social security number are never shown again. Source: rules.md 13.1. */
export function writeRecord(body: JsonObject): string {
  return JSON.stringify(body, (key, value) => (NOT_STORED.has(key) ? undefined : value))
}

const NOT_STORED: ReadonlySet<string> = new Set(['portalPassword', 'ssn'])

/** Stedi's id of a payer. */
export function stediPayerId(id: string, payerIds: Readonly<Record<string, string>> = {}): string {
  return Object.hasOwn(payerIds, id) ? (payerIds[id] ?? id) : id
}

function writePerson(person: InquiryMember): JsonObject {
  return {
    ...named('firstName', person.firstName),
    ...named('lastName', person.lastName),
    ...named('middleName', person.middleName),
    ...named('suffix', person.suffix),
    ...named('dateOfBirth', person.dateOfBirth && compactDate(person.dateOfBirth)),
    ...named('gender', person.gender),
    ...named('ssn', person.ssn),
    ...named('groupNumber', person.groupNumber),
  }
}

/**
 * UTC offsets in hours of the time zones where the day of the United States begins last and first: Hawaii, and the east coast in summer.
 */
const EDGES_OF_THE_DAY = [-10, -4]
const HOUR_MS = 3_600_000

/**
 * Stedi requests that a date of service that is today be left out; the payer then uses the day of its own time zone. Our choice: it is left
 * out only while it is the same day in all of the states, because a payer would otherwise answer for a different day than requested.
 */
export function isTodayEverywhere(dateOfService: string, at: Date): boolean {
  return EDGES_OF_THE_DAY.every((hours) => {
    return new Date(at.getTime() + hours * HOUR_MS).toISOString().slice(0, 10) === dateOfService
  })
}

function compactDate(isoDate: string): string {
  return isoDate.replaceAll('-', '')
}

/** One member, or none when the value is missing or empty. */
export function named(key: string, value: string | undefined): JsonObject {
  return value ? { [key]: value } : {}
}
