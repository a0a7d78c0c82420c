import type { DiscoveryInquiry, DiscoveryPerson } from '../../../clearinghouses/clearinghouse.ts'
import { badRequest } from '../../../contract/errors.ts'
import { isDate } from '../../../contract/formats.ts'
import { toAscii } from '../../../x12/ascii.ts'
import { toServiceDates } from '../request-fields.ts'
import type { InsuranceDiscoveryRequest } from './insurance-discovery.schema.ts'

/**
 * The search of a request.
 * @throws BadRequestError for an invalid date, an SSN of the wrong length, and contradictory service dates.
 */
export function toDiscoveryInquiry(request: InsuranceDiscoveryRequest): DiscoveryInquiry {
  const { provider, subscriber, dependent, encounter } = request
  return {
    provider: { npi: provider.npi },
    subscriber: toPerson('subscriber', subscriber),
    ...(dependent && { dependent: toPerson('dependent', dependent) }),
    ...(encounter && { encounter: toServiceDates(encounter, toDay) }),
  }
}

type Person = InsuranceDiscoveryRequest['subscriber']

function toPerson(field: string, person: Person): DiscoveryPerson {
  const { first_name, last_name, middle_name, date_of_birth, ssn, gender, address } = person
  return withoutGaps({
    firstName: toName(`${field}.first_name`, first_name),
    lastName: toName(`${field}.last_name`, last_name),
    middleName: plainName(middle_name ?? ''),
    dateOfBirth: date_of_birth ? toDay(`${field}.date_of_birth`, date_of_birth) : undefined,
    ssn: toSsn(`${field}.ssn`, ssn),
    gender,
    address: address && toAddress(address),
  })
}

/** Maximum length of a name. Source: clearinghouse.md A7. */
const NAME_MAX = 25

/** Payers use plain letters: accents are removed, other scripts transliterated, long names cut. */
const plainName = (text: string): string => toAscii(text).trim().slice(0, NAME_MAX).trim()

function toName(field: string, text: string): string {
  const name = plainName(text)
  if (name === '') throw badRequest(`${field} has no letter that can be sent`)
  return name
}

function toAddress(address: NonNullable<Person['address']>): NonNullable<DiscoveryPerson['address']> {
  return withoutGaps({
    address1: address.address_1,
    address2: address.address_2,
    city: address.city,
    state: address.state,
    // The clearinghouse accepts digits only.
    postalCode: address.postal_code?.replace(/\D/g, ''),
    countryCode: address.country_code,
  })
}

function toDay(field: string, text: string): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  if (!isDate(`${year}-${month}-${day}`)) throw badRequest(`${field} must be a date that exists (YYYYMMDD)`)
  return text
}

function toSsn(field: string, text: string | undefined): string | undefined {
  if (!text) return undefined
  if (!/^(?:\d{9}|\d{3}-\d{2}-\d{4}|\d{4})$/.test(text))
    throw badRequest(`${field} must be nine digits, or the last four`)
  return text.replaceAll('-', '')
}

/** The object without members that are missing or empty. */
function withoutGaps<Shape extends object>(members: { [key in keyof Shape]: Shape[key] | undefined }): Shape {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== '')) as Shape
}
