import type { PatientResponse } from '../../x12/model.ts'
import { estimateCopay } from './copay-estimation.ts'
import { findManagedCarePlan } from './medicaid-managed-care.ts'
import { findAdvantagePlan } from './medicare-advantage.ts'
import { type Finding, type FoundPlan, organizationsOf, recognizePayer } from './other-coverage.ts'
import { findOtherPayers, type OtherPayers } from './other-payers.ts'
import { describeBenefit } from './stedi-benefits.ts'

/** A conclusion from an answer, as `EligibilityRecommendationPayload` on the wire. At most one per type. */
export type DerivedRecommendation =
  | { type: 'MEDICARE_ADVANTAGE' | 'MEDICAID_MANAGED_CARE'; payload: PlanConversion }
  | { type: 'COORDINATION_OF_BENEFITS'; payload: OtherPayers }
  | { type: 'COPAY_ESTIMATION'; payload: CopayEstimation }

/** The plan that pays instead of the inquired one. */
interface PlanConversion {
  /** The row that states it, as an entry of the raw response's `benefitsInformation`. */
  ma_benefit: object
  payer_id?: string
  payer_name?: string
  member_id?: string
}

interface CopayEstimation {
  /** Cents. */
  structured_response: number
  /** One sentence that names the underlying rows. */
  exposition: string
}

/** The payer id of a name in the payer directory, if it has one. */
export type FindPayerId = (name: string) => string | undefined

/**
 * Conclusions from a finished check: a Medicare Advantage or Medicaid managed care plan behind the inquired payer, other insurance in force
 * on the date of service, and the patient's cost of an office visit. Pure; states nothing without a row. Source: rules.md 13.8; x12-271.md
 * 10.
 */
export function deriveRecommendations(
  finding: Finding,
  findPayerId: FindPayerId = () => undefined,
): DerivedRecommendation[] {
  const answer = recognizePayer(finding)
  const derived: DerivedRecommendation[] = []
  const advantage = findAdvantagePlan(answer)
  if (advantage) derived.push({ type: 'MEDICARE_ADVANTAGE', payload: toConversion(advantage, findPayerId) })
  const managedCare = findManagedCarePlan(answer)
  if (managedCare) derived.push({ type: 'MEDICAID_MANAGED_CARE', payload: toConversion(managedCare, findPayerId) })
  const others = findOtherPayers(answer, findPayerId)
  if (others) derived.push({ type: 'COORDINATION_OF_BENEFITS', payload: others })
  const copay = estimateCopay(finding)
  if (copay) derived.push({ type: 'COPAY_ESTIMATION', payload: copay })
  return derived
}

/** Every name whose payer id `deriveRecommendations` may need, for a lookup beforehand. Rows without payers are left out. */
export function namedPayers(patient: PatientResponse): string[] {
  const rows = patient.benefits.filter(({ code, entities }) => entities.length > 0 && code !== 'L' && code !== 'X')
  const names = rows.flatMap((row) => organizationsOf(row).map(({ lastName }) => lastName))
  return [...new Set(names)].filter((name) => name !== undefined)
}

function toConversion({ row, payerName, payerId, memberId }: FoundPlan, findPayerId: FindPayerId): PlanConversion {
  const id = payerId ?? (payerName === undefined ? undefined : findPayerId(payerName))
  return {
    ma_benefit: describeBenefit(row),
    ...(id !== undefined && { payer_id: id }),
    ...(payerName !== undefined && { payer_name: payerName }),
    ...(memberId !== undefined && { member_id: memberId }),
  }
}
