import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { DATE, dateNames } from '../../../x12/codes/dates.ts'
import { MEMBER_ID } from '../../../x12/codes/identification.ts'
import { insuranceTypeNames } from '../../../x12/codes/insurance-types.ts'
import { GROUP_NUMBER, PLAN_NUMBER, POLICY_NUMBER } from '../../../x12/codes/references.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, Party, PatientResponse, PostalAddress, Reference } from '../../../x12/model.ts'
import {
  findCoveragePeriods,
  isInquiryEcho,
  lastDay,
  periodsOn,
  type StatedPeriod,
} from '../coverage/coverage-dates.ts'
import type { ExpandedMemberInfo, MemberAddress, PlanDate, PlanMetadata } from '../wire.ts'
import { fullName } from './related-entities.ts'

/** NM108 qualifiers of a member id; another qualifier (a social security number, say) does not denote one. */
const MEMBER_ID_QUALIFIERS: ReadonlySet<string | undefined> = new Set([undefined, MEMBER_ID, 'II', 'ZZ'])

/** REF01 of a group number, the most specific first. */
const GROUP_QUALIFIERS = [GROUP_NUMBER, POLICY_NUMBER, 'IG'] as const

const START_DATES = [
  DATE.planBegin,
  DATE.plan,
  DATE.eligibilityBegin,
  DATE.eligibility,
  DATE.policyEffective,
  DATE.benefitBegin,
] as const

/** A first day that a payer sends as a range has the last day, too: `DTP*346*RD8` of UHC. */
const END_DATES = [
  DATE.planEnd,
  DATE.plan,
  DATE.eligibilityEnd,
  DATE.eligibility,
  DATE.policyExpiration,
  DATE.planBegin,
  DATE.eligibilityBegin,
  DATE.policyEffective,
] as const

/**
 * Describes the plan of the chosen EB row, and its members. Dates are YYYY-MM-DD; invalid dates are left out. Undefined when the answer
 * contains none of these. Of several periods, start and end are those of the one on the day. Source: x12-271.md 6.
 */
export function describePlan(
  patient: PatientResponse,
  chosen: BenefitRow | undefined,
  day?: string,
): PlanMetadata | undefined {
  const { payer, subscriber, dependent } = patient
  const members = dependent ? [dependent, subscriber] : [subscriber]
  const periods = findCoveragePeriods(patient, chosen)
  const current = periodsOn(periods, day)
  const insuranceType = findInsuranceType(patient.benefits, chosen)
  return withoutBlanks<PlanMetadata>({
    payer_name: payer && fullName(payer),
    insurance_type_code: insuranceType,
    insurance_type: insuranceType && insuranceTypeNames[insuranceType],
    plan_name: findPlanName(patient.benefits, chosen, members),
    member_id: firstOf(members, findMemberId),
    group_number: firstOf(members, findGroupNumber),
    start_date: findStart(current),
    end_date: findEnd(current),
    plan_dates: periods.length > 0 ? periods.map(toPlanDate) : undefined,
    subscriber: describeMember(subscriber),
    dependent: dependent && describeMember(dependent),
    trading_partner: payer?.id,
  })
}

/** EB04 of the chosen row, else of another plan row; R rows describe another payer's coverage. */
function findInsuranceType(rows: readonly BenefitRow[], chosen: BenefitRow | undefined): string | undefined {
  if (chosen?.insuranceType !== undefined) return chosen.insuranceType
  return rows.find((row) => row.code !== 'R' && row.insuranceType !== undefined && isPlanRow(row))?.insuranceType
}

function findPlanName(
  rows: readonly BenefitRow[],
  chosen: BenefitRow | undefined,
  members: readonly Party[],
): string | undefined {
  return (
    chosen?.planDescription ??
    firstOf(members, (member) => findReference(member, PLAN_NUMBER)?.description) ??
    firstOf(members, (member) => findReference(member, GROUP_NUMBER)?.description) ??
    // Our choice: a plan name that only another active plan row has is better than none, unless that is a plan of another type (QMB).
    rows.find((row) => isActiveRow(row) && isPlanRow(row) && isNamed(row) && isOfOneType(row, chosen))?.planDescription
  )
}

const isNamed = ({ planDescription }: BenefitRow) => planDescription !== undefined

function isOfOneType({ insuranceType }: BenefitRow, chosen: BenefitRow | undefined): boolean {
  const other = chosen?.insuranceType
  return insuranceType === undefined || other === undefined || insuranceType === other
}

/** The first date that states when the coverage began. An echo of the inquiry date does not. */
function findStart(periods: readonly StatedPeriod[]): string | undefined {
  return firstOf(START_DATES, (wanted) => {
    return periods.find((period) => period.qualifier === wanted && !isInquiryEcho(period))?.start
  })
}

function findEnd(periods: readonly StatedPeriod[]): string | undefined {
  return firstOf(END_DATES, (wanted) => {
    return firstOf(periods, (period) => {
      return period.qualifier === wanted && !isInquiryEcho(period) ? lastDay(period) : undefined
    })
  })
}

function toPlanDate(period: StatedPeriod): PlanDate {
  const name = dateNames[period.qualifier] ?? period.qualifier
  const { start, end } = period
  return end === undefined
    ? { start_date: start, field_name: name }
    : { start_date: start, end_date: end, field_name: name }
}

function describeMember(party: Party): ExpandedMemberInfo | undefined {
  return withoutBlanks<ExpandedMemberInfo>({
    member_id: findMemberId(party),
    group_number: findGroupNumber(party),
    first_name: party.firstName,
    middle_name: party.middleName,
    last_name: party.lastName,
    date_of_birth: isoDate(party.birthDate) ?? party.birthDate,
    gender: party.gender,
    address: party.address && describeAddress(party.address),
  })
}

function describeAddress(address: PostalAddress): MemberAddress | undefined {
  return withoutBlanks<MemberAddress>({
    address1: address.line1,
    address2: address.line2,
    city: address.city,
    state: address.state,
    postal_code: address.postalCode,
    country_code: address.countryCode,
    country_sub_division_code: address.countrySubdivision,
  })
}

/** NM109 when it is a member id. */
export function findMemberId(party: Party): string | undefined {
  return MEMBER_ID_QUALIFIERS.has(party.idQualifier) ? party.id : undefined
}

/** The number of the member's group: REF 6P, else 1L, else IG. */
export function findGroupNumber(party: Party): string | undefined {
  return firstOf(GROUP_QUALIFIERS, (qualifier) => findReference(party, qualifier)?.value)
}

function findReference(party: Party, qualifier: string): Reference | undefined {
  return party.references.find((reference) => reference.qualifier === qualifier)
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** The object without missing and empty members; undefined when none is left. */
function withoutBlanks<Shape extends object>(
  members: { [key in keyof Shape]: Shape[key] | undefined },
): Shape | undefined {
  const present: Partial<Shape> = {}
  let isEmpty = true
  for (const key in members) {
    const value = members[key]
    if (value === undefined || value === '') continue
    present[key] = value
    isEmpty = false
  }
  return isEmpty ? undefined : (present as Shape)
}
