// Fields that several operations about a person share, their rules, and the time limit of these operations.
import { type Static, Type } from 'typebox'
import { IDENTIFIER_MAX } from '../../contract/eligibility-check.schema.ts'
import { badRequest } from '../../contract/errors.ts'
import { DATE_RULE, isDate } from '../../contract/formats.ts'

/** Our choice: longer than any name, day or number that payers accept. */
const TEXT_MAX = 100
export const ShortText = Type.String({ maxLength: TEXT_MAX })
export const Name = Type.String({ minLength: 1, maxLength: TEXT_MAX })
export const Identifier = Type.String({ minLength: 1, maxLength: IDENTIFIER_MAX })

const serviceDay = Type.Optional(ShortText)
/** The dates of service of an inquiry. Source: rules.md 13.10, 13.11. */
export const serviceDates = {
  date_of_service: serviceDay,
  beginning_date_of_service: serviceDay,
  end_date_of_service: serviceDay,
}
const ServiceDates = Type.Object(serviceDates)

/** The published client times out after 60 s: an unfinished operation is reported as a readable error before that. */
const ANSWER_WITHIN_MS = 55_000

/** Aborts when the response to the caller is due. */
export const answerDeadline = (): AbortSignal => AbortSignal.timeout(ANSWER_WITHIN_MS)

/** How long a call that begins a check waits for the payer. Source: rules.md 10.3. */
export const WAIT_MS = 2_000

interface SentProvider {
  npi: string
  organization_name?: string
  first_name?: string
  last_name?: string
}

type NamedProvider = { npi: string } & ({ organizationName: string } | { firstName: string; lastName: string })

/** An organization by its name, a person by both names. @throws BadRequestError for one without a name. */
export function toNamedProvider({ npi, organization_name, first_name, last_name }: SentProvider): NamedProvider {
  if (organization_name) return { npi, organizationName: organization_name }
  if (first_name && last_name) return { npi, firstName: first_name, lastName: last_name }
  throw badRequest('provider.organization_name, or provider.first_name and provider.last_name, is required')
}

/** @throws BadRequestError for a day that does not exist. */
export function toDay(field: string, text: string): string {
  if (!isDate(text)) throw badRequest(`${field} must be ${DATE_RULE}`)
  return text
}

/** A social security number as nine digits. @throws BadRequestError */
export function toSsn(field: string, text: string): string {
  if (!/^(?:\d{9}|\d{3}-\d{2}-\d{4})$/.test(text)) throw badRequest(`${field} must be nine digits`)
  return text.replaceAll('-', '')
}

/**
 * One date of service, a beginning and an end, or neither. `toDay` reads one of them by the rule of the operation.
 * @throws BadRequestError for a part of a period, a period beside a date, and an end before the beginning.
 */
export function toServiceDates(dates: Static<typeof ServiceDates>, toDay: (field: string, text: string) => string) {
  const { date_of_service: date, beginning_date_of_service: beginning, end_date_of_service: end } = dates
  if (!beginning !== !end)
    throw badRequest('encounter.beginning_date_of_service and encounter.end_date_of_service must be given together')
  if (date && beginning)
    throw badRequest('encounter accepts either date_of_service or a beginning and an end, not both')
  if (!beginning || !end) return date ? { dateOfService: toDay('encounter.date_of_service', date) } : {}
  const beginningDateOfService = toDay('encounter.beginning_date_of_service', beginning)
  const endDateOfService = toDay('encounter.end_date_of_service', end)
  if (endDateOfService < beginningDateOfService)
    throw badRequest('encounter.end_date_of_service must not be before encounter.beginning_date_of_service')
  return { beginningDateOfService, endDateOfService }
}
