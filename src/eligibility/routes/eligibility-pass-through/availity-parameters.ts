import { type EligibilityRequest, IDENTIFIER_MAX } from '../../../contract/eligibility-check.schema.ts'
import { invalidCoreField } from '../../../contract/errors.ts'
import { DATE_RULE, isDate } from '../../../contract/formats.ts'
import { isObject } from '../../../contract/is-object.ts'
import { SELF } from '../../../x12/codes/relationships.ts'
import { SERVICE_TYPES_MAX } from '../../../x12/element-limits.ts'

/** Parameters under Availity's names, from a query or a body; a list repeats its name. */
export type Parameters = Record<string, string | string[]>

/**
 * The members of a query or a JSON body as parameters; a value that is not an object has none, and null equals leaving it out. The names
 * may be in snake case: the published client of Ruby writes every key of a body so.
 * @throws HttpRequestValidationError for a member that is neither text, number, boolean nor a list of these.
 */
export function readParameters(given: unknown): Parameters {
  if (!isObject(given)) return {}
  const members = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(
    members.map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      Array.isArray(value) ? value.map((each) => plain(name, each)) : plain(name, value),
    ]),
  )
}

function plain(name: string, value: unknown): string {
  const field = nameOf(name)
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw invalidCoreField(field, `${field} must be text`)
  const text = String(value)
  // PostgreSQL's jsonb stores neither, and neither is valid in a form.
  if (text.includes('\0') || !text.isWellFormed()) throw invalidCoreField(field, `${field} contains invalid characters`)
  return text
}

/** A parameter name of the caller may contain anything; an error must not repeat it. */
const nameOf = (name: string) => (/^\w{1,60}(?:\[\])?$/.test(name) ? name : 'body')

/**
 * The eligibility request of these parameters: `payerId`, `providerNpi`, the patient's names, and the member id or birth date. Availity's
 * other parameters are ignored. Source: clearinghouse.md C; rules.md 5.
 * @throws HttpRequestValidationError that names the first missing or invalid parameter.
 */
export function toEligibilityRequest(parameters: Parameters): EligibilityRequest {
  const payer_id = required(parameters, 'payerId')
  const provider = readProvider(parameters)
  const names = {
    first_name: required(parameters, 'patientFirstName', Number.POSITIVE_INFINITY),
    last_name: required(parameters, 'patientLastName', Number.POSITIVE_INFINITY),
  }
  const birthDate = readDay(parameters, 'patientBirthDate')
  const member_id = optional(parameters, 'memberId')
  if (member_id === undefined && birthDate === undefined) {
    throw invalidCoreField('memberId', 'memberId or patientBirthDate is required')
  }
  const patient = { ...names, ...(birthDate && { date_of_birth: birthDate }) }
  const identified = member_id === undefined ? {} : { member_id }
  // Availity combines the subscriber's member id with a dependent's names; the subscriber's own names are not sent.
  const isDependent = (optional(parameters, 'subscriberRelationship') ?? SELF) !== SELF
  return {
    payer_id,
    provider,
    ...(isDependent
      ? { subscriber: { first_name: '', last_name: '', ...identified }, dependent: patient }
      : { subscriber: { ...patient, ...identified } }),
    encounter: readEncounter(parameters),
  }
}

function readProvider(parameters: Parameters): EligibilityRequest['provider'] {
  const npi = required(parameters, 'providerNpi')
  const [firstName, lastName] = [optional(parameters, 'providerFirstName'), optional(parameters, 'providerLastName')]
  if (lastName === undefined) return { npi }
  // Without a first name the last one is the name of an organization.
  return firstName === undefined
    ? { npi, organization_name: lastName }
    : { npi, first_name: firstName, last_name: lastName }
}

function readEncounter(parameters: Parameters): NonNullable<EligibilityRequest['encounter']> {
  const day = readDay(parameters, 'asOfDate')
  const codes = ['serviceType', 'serviceType[]'].flatMap((name) => parameters[name] ?? []).filter((code) => code !== '')
  if (!codes.every((code) => /^[A-Za-z0-9]{1,3}$/.test(code)) || codes.length > SERVICE_TYPES_MAX) {
    throw invalidCoreField('serviceType', `serviceType must be X12 service type codes, at most ${SERVICE_TYPES_MAX}`)
  }
  return { ...(day && { date_of_service: day }), ...(codes.length > 0 && { service_type_codes: codes }) }
}

function optional(parameters: Parameters, name: string, maxLength = IDENTIFIER_MAX): string | undefined {
  const value = parameters[name]
  if (value === undefined || value === '') return undefined
  if (Array.isArray(value)) throw invalidCoreField(name, `${name} must be given once`)
  if (value.length > maxLength) throw invalidCoreField(name, `${name} must not be longer than ${maxLength} characters`)
  return value
}

function required(parameters: Parameters, name: string, maxLength?: number): string {
  const value = optional(parameters, name, maxLength)
  if (value === undefined) throw invalidCoreField(name, `${name} is required`)
  return value
}

/** A day, alone or at the beginning of a date-time; both are in use. */
function readDay(parameters: Parameters, name: string): string | undefined {
  const value = optional(parameters, name)
  if (value === undefined) return undefined
  const day = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value)?.[1]
  if (day === undefined || !isDate(day)) throw invalidCoreField(name, `${name} must be ${DATE_RULE}`)
  return day
}
