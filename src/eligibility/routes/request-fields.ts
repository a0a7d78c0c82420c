// Fields that several operations about a person share, their rules, and the time limit of these operations.
import { Type } from 'typebox'
import { IDENTIFIER_MAX } from '../../contract/eligibility-check.schema.ts'
import { badRequest } from '../../contract/errors.ts'
import { isDate } from '../../contract/formats.ts'

/** Our choice: longer than any name, day or number that payers accept. */
const TEXT_MAX = 100
export const ShortText = Type.String({ maxLength: TEXT_MAX })
export const Name = Type.String({ minLength: 1, maxLength: TEXT_MAX })
export const Identifier = Type.String({ minLength: 1, maxLength: IDENTIFIER_MAX })

/** The published client times out after 60 s: an unfinished operation is reported as a readable error before that. */
const ANSWER_WITHIN_MS = 55_000

/** Aborts when the response to the caller is due. */
export const answerDeadline = (): AbortSignal => AbortSignal.timeout(ANSWER_WITHIN_MS)

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
  if (!isDate(text)) throw badRequest(`${field} must be a date that exists (YYYY-MM-DD)`)
  return text
}

/** A social security number as nine digits. @throws BadRequestError */
export function toSsn(field: string, text: string): string {
  if (!/^(?:\d{9}|\d{3}-\d{2}-\d{4})$/.test(text)) throw badRequest(`${field} must be nine digits`)
  return text.replaceAll('-', '')
}
