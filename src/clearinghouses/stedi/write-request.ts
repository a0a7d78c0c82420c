import type { Inquiry, InquiryMember } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'

export interface RequestContext {
  at: Date
  /** 1 to 999999999. */
  controlNumber?: number
  portal?: { username: string; password: string }
  /** Payer ids that Stedi knows under another id. */
  payerIds?: Readonly<Record<string, string>>
}

/**
 * An inquiry as the body of Stedi's eligibility check. A dependent with a member id of their own is sent as the subscriber.
 * Source: clearinghouse.md A2.
 */
export function writeRequest(inquiry: Inquiry, context: RequestContext): JsonObject {
  const { controlNumber, portal, at } = context
  const { dependent, provider } = inquiry
  const stands = dependent?.memberId ? dependent : inquiry.subscriber
  const asked = stands === dependent ? undefined : dependent
  return {
    tradingPartnerServiceId: payerIdThere(inquiry.payer.id, context.payerIds),
    ...(controlNumber !== undefined && { controlNumber: String(controlNumber).padStart(9, '0') }),
    provider: {
      npi: provider.npi,
      ...(provider.organizationName !== undefined
        ? { organizationName: provider.organizationName }
        : { ...named('firstName', provider.firstName), ...named('lastName', provider.lastName) }),
    },
    subscriber: { ...named('memberId', stands.memberId), ...writePerson(stands) },
    ...(asked && {
      dependents: [{ ...writePerson(asked), ...named('individualRelationshipCode', asked.relationshipCode) }],
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

/** The body as it is kept for the record: a portal's password is never shown again. Source: rules.md 13.1. */
export function writeRecord(body: JsonObject): string {
  const { portalPassword: _password, ...kept } = body
  return JSON.stringify(kept)
}

/** The id under which Stedi knows a payer. */
export function payerIdThere(id: string, payerIds: Readonly<Record<string, string>> = {}): string {
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

/** From UTC, in hours: where the day of the United States begins last and first, Hawaii and the east coast in summer. */
const EDGES_OF_THE_DAY = [-10, -4]
const HOUR_MS = 3_600_000

/**
 * Stedi asks to leave out a date of service that is today; the payer then takes the day of its own time zone. Our choice: it
 * is left out only while it is the same day in all of the states, else a payer would answer for another day than was asked.
 */
function isTodayEverywhere(dateOfService: string, at: Date): boolean {
  return EDGES_OF_THE_DAY.every((hours) => {
    return new Date(at.getTime() + hours * HOUR_MS).toISOString().slice(0, 10) === dateOfService
  })
}

function compactDate(isoDate: string): string {
  return isoDate.replaceAll('-', '')
}

function named(key: string, value: string | undefined): JsonObject {
  return value ? { [key]: value } : {}
}
