import type { CobInquiry } from '../../../clearinghouses/clearinghouse.ts'
import { badRequest } from '../../../contract/errors.ts'
import { toDay, toNamedProvider, toServiceDates, toSsn } from '../request-fields.ts'
import type { CoordinationOfBenefitsRequest } from './coordination-of-benefits.schema.ts'

/** Service dates must be within the past two years. Source: rules.md 13.11. */
const YEARS_BACK = 2

/**
 * The inquiry of a request; `today` is the organization's (YYYY-MM-DD). Without a date of service it is about today.
 * @throws BadRequestError for requirements that a schema cannot express. Source: rules.md 13.11.
 */
export function toCobInquiry(request: CoordinationOfBenefitsRequest, today: string): CobInquiry {
  const { subscriber, dependent } = request
  const { member_id, ssn } = subscriber
  if (!member_id && !ssn) throw badRequest('subscriber.member_id or subscriber.ssn is required')
  return {
    tradingPartnerServiceId: request.trading_partner_service_id,
    provider: toNamedProvider(request.provider),
    subscriber: {
      ...toPerson('subscriber', subscriber),
      ...(member_id && { memberId: member_id }),
      ...(ssn && { ssn: toSsn('subscriber.ssn', ssn) }),
    },
    ...(dependent && {
      dependent: {
        ...toPerson('dependent', dependent),
        ...(dependent.ssn && { ssn: toSsn('dependent.ssn', dependent.ssn) }),
      },
    }),
    encounter: toEncounter(request.encounter, today),
  }
}

function toPerson(field: string, person: { first_name: string; last_name: string; date_of_birth: string }) {
  return {
    firstName: person.first_name,
    lastName: person.last_name,
    dateOfBirth: toDay(`${field}.date_of_birth`, person.date_of_birth),
  }
}

function toEncounter(encounter: CoordinationOfBenefitsRequest['encounter'], today: string): CobInquiry['encounter'] {
  const dates = toServiceDates(encounter, (field, text) => toServiceDay(field, text, today))
  return Object.keys(dates).length === 0 ? { dateOfService: today } : dates
}

function toServiceDay(field: string, text: string, today: string): string {
  const day = toDay(field, text)
  const earliest = `${Number(today.slice(0, 4)) - YEARS_BACK}${today.slice(4)}`
  if (day > today) throw badRequest(`${field} must not be in the future`)
  if (day < earliest) throw badRequest(`${field} must be within the past ${YEARS_BACK} years`)
  return day
}
