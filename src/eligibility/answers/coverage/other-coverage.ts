// What EB rows state about coverage by payers other than the inquired one: who, since when, under which number. Source: x12-271.md 10;
// 005010X279A1 2110C EB01 R, U, MC and 2120C.

import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { DATE } from '../../../x12/codes/dates.ts'
import { PAYER_ORDERS } from '../../../x12/codes/entities.ts'
import type { BenefitRow, Party, PatientResponse } from '../../../x12/model.ts'
import { isSameOrganization, keysOf, type OrganizationKeys, organizationKey } from '../people/organization-names.ts'
import { normalizeText } from '../people/person.ts'
import type { ParsedResponse } from '../wire.ts'
import { cachedByName } from '../words/names/known-names.ts'
import { LAST_RESORT_NAME, MEDICAID_ID, MEDICAID_NAME, MEDICARE_NAME } from '../words/names/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import { periodsOn, readPeriods, type StatedPeriod } from './coverage-dates.ts'

/** What an answer states about the patient: of which payer, and for which day. */
export interface PatientAnswer {
  patient: PatientResponse
  payer: { id: string; name?: string | undefined }
  /** YYYY-MM-DD. */
  dateOfService: string
  parsed: ParsedResponse
}

/** The same with the kind of the payer, determined once because an answer may have very many rows. */
export interface Answer extends PatientAnswer {
  /** Medicare itself: by its name, or by an active plan row of Part A or Part B unless the payer is a Medicaid program by its name. */
  isMedicare: boolean
  /** A Medicaid program or one of its plans: by its name or id, or by an active row of that type. */
  isMedicaid: boolean
  /** TRICARE or CHAMPVA, which pay after all other insurance but Medicaid: by its name, or by an active row of that type. */
  isLastResort: boolean
  /** The inquired payer as the inquiry and the answer name it. */
  inquiredPayer: readonly OrganizationKeys[]
}

/** A plan other than the inquired payer, and the row that names it. */
export interface FoundPlan {
  row: BenefitRow
  payerName?: string | undefined
  /** Set when it is known without a lookup in the directory. */
  payerId?: string | undefined
  memberId?: string | undefined
}

/** DTP01 of a range or its first day, of a first day alone, and of a last day alone. */
const RANGES: ReadonlySet<string> = new Set([DATE.coordination, DATE.plan, DATE.benefit, DATE.eligibility])
const BEGINS: ReadonlySet<string> = new Set([
  DATE.periodStart,
  DATE.planBegin,
  DATE.benefitBegin,
  DATE.eligibilityBegin,
  DATE.policyEffective,
])
const ENDS: ReadonlySet<string> = new Set([
  DATE.periodEnd,
  DATE.planEnd,
  DATE.benefitEnd,
  DATE.eligibilityEnd,
  DATE.policyExpiration,
])

/** The coverage periods that a row states; a range of one day is an echo of the inquiry and not a period. */
function coveragePeriods(row: Pick<BenefitRow, 'dates'>): StatedPeriod[] {
  return readPeriods(row.dates).filter(({ qualifier, start, end }) => {
    return (RANGES.has(qualifier) && start !== end) || BEGINS.has(qualifier) || ENDS.has(qualifier)
  })
}

/** True unless the row's own dates exclude the day. Of several periods of one kind, one must include it. */
export function isInForce(row: BenefitRow, day: string): boolean {
  if (row.dates.length === 0) return true
  const periods = coveragePeriods(row)
  if (periods.length < 2) return periods.every((period) => includes(period, day))
  const kinds = new Set(periods.map(({ qualifier }) => qualifier))
  return [...kinds].every((kind) => periods.some((period) => period.qualifier === kind && includes(period, day)))
}

function includes({ qualifier, start, end }: StatedPeriod, day: string): boolean {
  if (ENDS.has(qualifier)) return (end ?? start) >= day
  return start <= day && (end === undefined || end >= day)
}

/** The first and last day of a row's coverage, if stated; of several periods, those of the one on the day. */
export function coverageDates(
  row: Pick<BenefitRow, 'dates'>,
  day: string | undefined,
): { start?: string; end?: string } {
  const periods = periodsOn(coveragePeriods(row), day)
  const start = periods.find(({ qualifier }) => !ENDS.has(qualifier))?.start
  const last = periods.find(({ qualifier, end }) => ENDS.has(qualifier) || (RANGES.has(qualifier) && end !== undefined))
  const end = last && (ENDS.has(last.qualifier) ? (last.end ?? last.start) : last.end)
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

/** The organizations in a row's 2120 loops that have a name, or a place in the order of payers; a person is not a payer. */
export function organizationsOf(row: BenefitRow): readonly Party[] {
  // Most rows name no party.
  if (row.entities.length === 0) return row.entities
  return row.entities.filter(({ entityCode, entityType, firstName, lastName }) => {
    return (lastName !== undefined || PAYER_ORDERS.has(entityCode)) && firstName === undefined && entityType !== '1'
  })
}

/** The value of the first REF under a row that has one of the qualifiers, in the order of the qualifiers. */
export function rowReference(row: BenefitRow, ...qualifiers: string[]): string | undefined {
  for (const wanted of qualifiers) {
    const value = row.references.find(({ qualifier, value }) => qualifier === wanted && value)?.value
    if (value !== undefined) return value
  }
  return undefined
}

/** True for the inquired payer, by its name or one of its ids. */
export function isInquiredPayer({ inquiredPayer }: Pick<Answer, 'inquiredPayer'>, party: Party): boolean {
  const keys = keysOf(party)
  return inquiredPayer.some((payer) => isSameOrganization(payer, keys))
}

export const isMedicareName = cachedByName((name) => states(MEDICARE_NAME, name.trim()))

const isLastResortName = cachedByName((name) => states(LAST_RESORT_NAME, name))

export const isMedicaidName = cachedByName((name) => states(MEDICAID_NAME, name))

const keyOfPayer = cachedByName(organizationKey)

/** True when the inquired payer is Medicare by its name or id. */
export function isNamedMedicare({ patient, payer }: PatientAnswer): boolean {
  return [payer.id, payer.name, patient.payer?.lastName].some((name) => name !== undefined && isMedicareName(name))
}

/** EB04: Civilian Health and Medical Program of the Uniformed Services, now TRICARE. */
const CHAMPUS = 'CH'

/** Determines what kind of payer answered. */
export function recognizePayer(answer: PatientAnswer): Answer {
  const { patient, payer, dateOfService, parsed } = answer
  const active = patient.benefits.filter(isActiveRow)
  const isOfMedicare = (type: string | undefined) => type === 'MA' || type === 'MB'
  const isNamedMedicaid = [payer.name, patient.payer?.lastName].some((name) => name && isMedicaidName(name))
  return {
    patient,
    payer,
    dateOfService,
    parsed,
    inquiredPayer: [
      { name: keyOfPayer(payer.name ?? ''), id: normalizeText(payer.id) },
      ...(patient.payer
        ? [{ name: keyOfPayer(patient.payer.lastName ?? ''), id: normalizeText(patient.payer.id) }]
        : []),
    ],
    // A state lists Medicare among the coverages of a person.
    isMedicare:
      isNamedMedicare(answer) ||
      (!isNamedMedicaid && active.some((row) => isPlanRow(row) && isOfMedicare(row.insuranceType))),
    isMedicaid:
      isNamedMedicaid || MEDICAID_ID.test(payer.id) || active.some(({ insuranceType }) => insuranceType === 'MC'),
    isLastResort:
      [payer.name, patient.payer?.lastName].some((name) => name && isLastResortName(name)) ||
      active.some(({ insuranceType }) => insuranceType === CHAMPUS),
  }
}
