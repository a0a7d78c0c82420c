// The inquiry about a coverage. Source: rules.md 10.3.
import type { Static } from 'typebox'
import type { HumanName } from '../../contract/common.schema.ts'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import type { MutableCoverage } from '../../resources/coverages/coverage.schema.ts'
import type { MutablePatient } from '../../resources/patients/patient.schema.ts'
import { cleanData } from '../../x12/interchange-writer.ts'
import { compareTexts } from '../answers/people/person.ts'
import type { FieldNames } from './check-request.ts'

export type AskedCoverage = Pick<MutableCoverage, 'insurance_plan' | 'subscriber' | 'relationship'>
export type AskedPatient = Pick<MutablePatient, 'name' | 'birth_date'>

/** The parts of a check besides the coverage itself. */
interface CoverageInquiry {
  npi: string
  /** YYYY-MM-DD. */
  dateOfService: string
  serviceTypeCodes: string[]
}

/**
 * The request for a coverage's patient: the patient is the dependent unless they are the subscriber. Our choice: a subscriber without a
 * birth date who is the patient has the patient's.
 */
export function toCoverageRequest(
  { insurance_plan, subscriber, relationship }: AskedCoverage,
  patient: AskedPatient,
  { npi, dateOfService, serviceTypeCodes }: CoverageInquiry,
): EligibilityRequest {
  const isPatient = relationship === 'SELF'
  const { payer_id, member_id } = insurance_plan
  const birthDate = subscriber.date_of_birth ?? (isPatient ? patient.birth_date : undefined)
  return {
    payer_id,
    provider: { npi },
    subscriber: { ...(member_id.trim() !== '' && { member_id }), ...memberOf(subscriber.name, birthDate) },
    ...(!isPatient && { dependent: memberOf(patient.name, patient.birth_date) }),
    encounter: { date_of_service: dateOfService, service_type_codes: serviceTypeCodes },
  }
}

function memberOf({ given, family }: Static<typeof HumanName>, birthDate: string | undefined) {
  return {
    first_name: given[0] ?? '',
    last_name: family,
    ...(birthDate !== undefined && { date_of_birth: birthDate }),
  }
}

type Member = EligibilityRequest['subscriber']

/** What a payer finds a person by, in words. */
export const MEMBER_FIELDS = [
  ['member_id', 'member ID'],
  ['first_name', 'first name'],
  ['last_name', 'last name'],
  ['date_of_birth', 'birth date'],
] as const

/**
 * What was changed in a coverage or its patient since the check, in words; the field alone, never its value. Where the payer found the person,
 * a field that the inquiry did not have counts as unchanged, and so does another spelling. Where `isFound` is false, everything counts that an
 * inquiry states otherwise: payers find nobody by a member id with blanks.
 */
export function changedSince(
  asked: EligibilityRequest,
  coverage: AskedCoverage,
  patient: AskedPatient,
  { isFound }: { isFound: boolean },
): string[] {
  const now = toCoverageRequest(coverage, patient, { npi: '', dateOfService: '', serviceTypeCodes: [] })
  const isSame = (one = '', other = '') => {
    if (isFound) return one === '' || compareTexts(one, other) === 'same'
    return cleanData(one) === cleanData(other)
  }
  const ofMember = (person: string, then: Partial<Member> = {}, today: Partial<Member> = {}) =>
    MEMBER_FIELDS.flatMap(([field, word]) => (isSame(then[field], today[field]) ? [] : [`${person} ${word}`]))
  return [
    ...(isSame(asked.payer_id, now.payer_id) ? [] : ['payer']),
    ...((asked.dependent === undefined) === (now.dependent === undefined) ? [] : ['relationship']),
    ...ofMember('subscriber', asked.subscriber, now.subscriber),
    ...(asked.dependent && now.dependent ? ofMember('patient', asked.dependent, now.dependent) : []),
  ]
}

/** The field names of a coverage and its patient. */
export const COVERAGE_FIELDS: FieldNames = {
  payer_id: 'insurance_plan.payer_id',
  'provider.npi': 'npi',
  'subscriber.member_id': 'insurance_plan.member_id',
  'subscriber.last_name': 'subscriber.name.family',
  'subscriber.first_name': 'subscriber.name.given',
  dependent: 'patient.name',
  'dependent.last_name': 'patient.name.family',
  'dependent.first_name': 'patient.name.given',
  'dependent.date_of_birth': 'patient.birth_date',
  'encounter.service_type_codes': 'service_code',
  'encounter.date_of_service': 'date_of_service',
}

const askedStatement = {
  name: 'coverage_asked',
  text: `select c.id, c.body::text, p.body::text from coverage c
      join patient p on p.organization_id = $1 and p.id = c.patient::uuid
    where c.organization_id = $1 and c.id = $2`,
}

/** A coverage, including deactivated ones, with its patient; undefined when the organization has none with that id. */
export async function findAsked(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  coverageId: string,
): Promise<{ coverageId: string; coverage: AskedCoverage; patient: AskedPatient } | undefined> {
  const row = isUuid(coverageId) ? await deps.database.row(askedStatement, [organizationId, coverageId]) : undefined
  if (!row) return undefined
  const [id = '', coverage = '', patient = ''] = row
  return { coverageId: id, coverage: JSON.parse(coverage), patient: JSON.parse(patient) }
}
