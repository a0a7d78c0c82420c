// Insurance discovery: the search for coverages of a patient whose payer is unknown. Source: rules.md 13.10.
import type { Coverage, InsuranceDiscoveryRequest, MutableCoverage, Patient } from '../api/generated.ts'
import { typedPayer } from './coverages.ts'

type Sex = Patient['biological_sex']

/** Everything about the patient that helps payers to find the person. `day` as YYYY-MM-DD. */
export function toDiscovery(patient: Patient, npi: string, day: string): InsuranceDiscoveryRequest {
  const { name, birth_date, biological_sex: sex, social_security_number: ssn, primary_address: address } = patient
  const [first_name = '', ...middle] = name.given
  const [address_1, address_2] = address.line
  return {
    provider: { npi },
    subscriber: {
      first_name,
      last_name: name.family,
      ...(middle.length > 0 && { middle_name: middle.join(' ') }),
      date_of_birth: compact(birth_date),
      ...(sex === 'FEMALE' && { gender: 'F' }),
      ...(sex === 'MALE' && { gender: 'M' }),
      ...(ssn && { ssn }),
      address: {
        ...(address_1 && { address_1 }),
        ...(address_2 && { address_2 }),
        city: address.city,
        state: address.state,
        postal_code: address.postal_code,
      },
    },
    encounter: { date_of_service: compact(day) },
  }
}

/** Dates of a discovery are YYYYMMDD. */
const compact = (day: string) => day.replaceAll('-', '')
const toDay = (text: string) => text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

export interface FoundCoverage {
  payerId: string
  payerName: string
  memberId: string
  groupNumber: string
  begins: string
  relationship: MutableCoverage['relationship']
  subscriber: { first: string; last: string; born: string; sex: Sex | '' }
  /** Why the result may be another person; empty for a certain one. */
  review: string
}

/**
 * The results, which the interface passes on as the clearinghouse sent them. One without a payer or a member ID cannot be filed and is left out, as
 * is one that was sent twice.
 */
export function readFound(items: readonly unknown[]): FoundCoverage[] {
  const seen = new Set<string>()
  return items.flatMap(readOne).filter((found) => {
    const text = JSON.stringify(found)
    return !seen.has(text) && seen.add(text)
  })
}

function readOne(item: unknown): FoundCoverage | [] {
  const text = (...path: string[]) => textAt(item, path)
  const payerName = text('payer', 'name')
  const memberId = text('subscriber', 'memberId')
  if (payerName === '' || memberId === '') return []
  const place = textAt(item, ['dependent', 'lastName']) === '' ? 'subscriber' : 'dependent'
  return {
    payerId: text('payer', 'payorIdentification'),
    payerName,
    memberId,
    groupNumber: text('planInformation', 'groupNumber') || text('subscriber', 'groupNumber'),
    begins: toDay(text('planDateInformation', 'planBegin')),
    relationship: relationships[place === 'subscriber' ? '18' : text(place, 'relationToSubscriberCode')] ?? 'OTHER',
    subscriber: {
      first: text('subscriber', 'firstName'),
      last: text('subscriber', 'lastName'),
      born: toDay(text('subscriber', 'dateOfBirth')),
      sex: sexes[text('subscriber', 'gender')] ?? '',
    },
    review: text('confidence', 'level') === 'HIGH' ? '' : text('confidence', 'reason') || 'The match is not certain',
  }
}

function textAt(item: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    item,
  )
  return typeof value === 'string' ? value.trim() : ''
}

/** X12 1069: individual relationship. */
const relationships: Readonly<Record<string, MutableCoverage['relationship']>> = {
  '18': 'SELF',
  '01': 'SPOUSE',
  '19': 'CHILD',
  '53': 'COMMON_LAW_SPOUSE',
}

/** X12 1068: gender. */
const sexes: Readonly<Record<string, Sex>> = { F: 'FEMALE', M: 'MALE' }

/** True when the patient has a coverage of this payer with this member ID. Case and punctuation do not distinguish two IDs. */
export function isRecorded({ payerId, memberId }: FoundCoverage, coverages: readonly Coverage[]): boolean {
  const plain = (id: string) => id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return coverages.some(
    ({ insurance_plan: plan }) => plan.payer_id === payerId && plain(plan.member_id) === plain(memberId),
  )
}

/**
 * The input of the form for a new coverage. The subscriber of a patient's own coverage is the patient as recorded; of somebody else's, what was
 * not found stays empty, because the form begins with the patient's own data.
 */
export function toTyped(found: FoundCoverage): Record<string, string> {
  const { subscriber } = found
  return {
    ...typedPayer(found.payerId, found.payerName),
    member_id: found.memberId,
    ...(found.groupNumber && { group_number: found.groupNumber }),
    ...(found.begins && { period_start: found.begins }),
    relationship: found.relationship,
    ...(found.relationship !== 'SELF' && {
      subscriber_given: subscriber.first,
      subscriber_family: subscriber.last,
      subscriber_single_name: '',
      subscriber_suffix: '',
      subscriber_birth_date: subscriber.born,
      subscriber_sex: subscriber.sex,
    }),
  }
}
