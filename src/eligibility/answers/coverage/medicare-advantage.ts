import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { CONTACT_ENTITY, OTHER_PAYER } from '../../../x12/codes/benefits.ts'
import { PAYER } from '../../../x12/codes/entities.ts'
import { NPI } from '../../../x12/codes/identification.ts'
import { MEMBER_ID_REFERENCE, PLAN_NUMBER } from '../../../x12/codes/references.ts'
import { PHARMACY } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { ADVANTAGE_NAME } from '../words/names/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import {
  type Answer,
  type FoundPlan,
  isInForce,
  isInquiredPayer,
  isMedicareName,
  isNamedMedicare,
  organizationsOf,
  rowReference,
} from './other-coverage.ts'
import { QUALIFIED_BENEFICIARY } from './qualified-beneficiary.ts'

/** REF*18 under a row: a Medicare contract and its plan, `H1036 137` or `H1036137`. S contracts cover drugs only. */
const HEALTH_CONTRACT = /^[HRE]\d{4}(?:\d{3})?(?:[^A-Z0-9].*)?$/i
const DRUG_CONTRACT = /^S\d{4}/i

/** EB04 of plans that exist under Medicare Advantage only. Source: X12 1336; x12-271.md 10. */
const ADVANTAGE_TYPES: ReadonlySet<string | undefined> = new Set([
  'HN',
  'MV',
  'ME',
  'MF',
  'MJ',
  'MK',
  'ML',
  'MM',
  'MN',
  'MO',
  'MR',
  'MT',
  'M',
])
/** EB04 types that Medicare Advantage shares with other insurance. */
const SHARED_TYPES: ReadonlySet<string | undefined> = new Set(['HM', 'PR', 'PS', 'IN'])
/** EB04 of Medicare as the secondary payer: another payer is primary, which is not Medicare Advantage. */
export const MEDICARE_SECONDARY_TYPES: ReadonlySet<string | undefined> = new Set([
  '12',
  '13',
  '14',
  '15',
  '16',
  '41',
  '42',
  '43',
  '47',
])

/**
 * The Medicare Advantage plan in an answer: the carrier that Medicare names, or the carrier itself on its own answer. Part D, MSP and EB04
 * MP do not count. Source: x12-271.md 10.
 */
export function findAdvantagePlan(answer: Answer): FoundPlan | undefined {
  const { patient, dateOfService } = answer
  const rows = patient.benefits.filter((row) => isAdvantageRow(row, answer) && isInForce(row, dateOfService))
  // A row with its carrier is more informative than one without.
  const [best] = rows.toSorted((a, b) => Number(hasCarrier(b, answer)) - Number(hasCarrier(a, answer)))
  if (!best) return findOwnPlan(answer)
  return { row: best, payerName: carrierOf(best, answer)?.lastName, memberId: rowReference(best, MEMBER_ID_REFERENCE) }
}

/**
 * True for a row by which the payer states that a Medicare Advantage plan covers the patient. Our choice: when Medicare itself answers, a
 * plan row of a shared type counts even without its contract number, which some relays leave out; on other answers such a row is other
 * insurance.
 */
export function isAdvantageRow(row: BenefitRow, answer: Answer): boolean {
  if (row.code !== OTHER_PAYER && row.code !== CONTACT_ENTITY) return false
  if (isPartDRow(row, answer) || MEDICARE_SECONDARY_TYPES.has(row.insuranceType)) return false
  if (row.insuranceType === QUALIFIED_BENEFICIARY) return false
  const isShared = SHARED_TYPES.has(row.insuranceType)
  if (HEALTH_CONTRACT.test(rowReference(row, PLAN_NUMBER) ?? '')) {
    return isPlanRow(row) || isShared || ADVANTAGE_TYPES.has(row.insuranceType)
  }
  if (!isPlanRow(row)) return false
  return ADVANTAGE_TYPES.has(row.insuranceType) || (isShared && answer.isMedicare)
}

/** True for a row about a Medicare drug plan, which is neither Medicare Advantage nor another payer of a visit. */
export function isPartDRow(row: BenefitRow, answer: Answer): boolean {
  const contract = rowReference(row, PLAN_NUMBER) ?? ''
  if (row.insuranceType === 'MD' || DRUG_CONTRACT.test(contract)) return true
  const isMedicares = answer.isMedicare || HEALTH_CONTRACT.test(contract)
  return isMedicares && (row.insuranceType === 'OT' || isOfDrugsAlone(row))
}

function isOfDrugsAlone({ serviceTypeCodes }: BenefitRow): boolean {
  return serviceTypeCodes.length > 0 && serviceTypeCodes.every((code) => code === PHARMACY)
}

const CARRIER_CODES: ReadonlySet<string | undefined> = new Set(['PRP', PAYER])

function carrierOf(row: BenefitRow, answer: Answer) {
  const named = organizationsOf(row).filter((party) => {
    return !isInquiredPayer(answer, party) && !isMedicareName(party.lastName ?? '') && party.idQualifier !== NPI
  })
  return named.find(({ entityCode }) => CARRIER_CODES.has(entityCode)) ?? named[0]
}

const hasCarrier = (row: BenefitRow, answer: Answer) => carrierOf(row, answer) !== undefined

/** The carrier's own answer: its active plan is a Medicare Advantage plan. The member id is then the plan's own. */
function findOwnPlan(answer: Answer): FoundPlan | undefined {
  const { patient, payer, parsed, dateOfService } = answer
  if (parsed.eligibility_status !== 'ACTIVE' || isNamedMedicare(answer)) return undefined
  const row = patient.benefits.find((each) => {
    if (!isActiveRow(each) || !isPlanRow(each) || !isInForce(each, dateOfService)) return false
    return ADVANTAGE_TYPES.has(each.insuranceType) || states(ADVANTAGE_NAME, each.planDescription ?? '')
  })
  if (!row) return undefined
  return {
    row,
    payerName: patient.payer?.lastName ?? payer.name,
    payerId: payer.id,
    memberId: parsed.plan_metadata?.member_id,
  }
}
