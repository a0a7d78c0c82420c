import type { PlanConversionType } from '../../../contract/plan-conversions.ts'
import { estimateCopay } from '../benefits/copay-estimation.ts'
import { findManagedCarePlan } from '../coverage/medicaid-managed-care.ts'
import { findAdvantagePlan } from '../coverage/medicare-advantage.ts'
import type { Answer, FoundPlan } from '../coverage/other-coverage.ts'
import { findOtherPayers, type OtherPayers } from '../coverage/other-payers.ts'
import { describeBriefly } from '../stedi-form/stedi-benefits.ts'

/** A conclusion from an answer, as `EligibilityRecommendationPayload` on the wire. At most one per type. */
export type DerivedRecommendation =
  | { type: PlanConversionType; payload: PlanConversion }
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
type FindPayerId = (name: string) => string | undefined

/**
 * Conclusions from an answer: a Medicare Advantage or Medicaid managed care plan behind the inquired payer, other insurance in force
 * on the date of service, and the patient's cost of the visit, by its service types. Pure; states nothing without a row, and no payer id that the answer does not state. Source: rules.md 13.8; x12-271.md
 * 10.
 */
export function deriveRecommendations(answer: Answer, services: readonly string[] = []): DerivedRecommendation[] {
  const derived: DerivedRecommendation[] = []
  const advantage = findAdvantagePlan(answer)
  if (advantage) derived.push({ type: 'MEDICARE_ADVANTAGE', payload: toConversion(advantage) })
  const managedCare = findManagedCarePlan(answer)
  if (managedCare) derived.push({ type: 'MEDICAID_MANAGED_CARE', payload: toConversion(managedCare) })
  const others = findOtherPayers(answer)
  if (others) derived.push({ type: 'COORDINATION_OF_BENEFITS', payload: others })
  // Our choice: a copay of the program is not to be collected where a managed care plan pays instead.
  const copay = managedCare ? undefined : estimateCopay(answer, services)
  if (copay) derived.push({ type: 'COPAY_ESTIMATION', payload: copay })
  return derived
}

/** The names of payers in recommendations whose ids `withPayerIds` may look up. */
export function namedPayers(recommendations: readonly DerivedRecommendation[]): string[] {
  const names = new Set<string>()
  withPayerIds(recommendations, (name) => {
    names.add(name)
    return undefined
  })
  return [...names]
}

/** Adds the directory's ids of the payers that the answer names without one. */
export function withPayerIds(
  recommendations: readonly DerivedRecommendation[],
  findPayerId: FindPayerId,
): DerivedRecommendation[] {
  const identify = <Named extends { payer_name?: string; payer_id?: string }>(payer: Named): Named => {
    const { payer_id = payer.payer_name === undefined ? undefined : findPayerId(payer.payer_name) } = payer
    return payer_id === undefined ? payer : { ...payer, payer_id }
  }
  return recommendations.map((each) => {
    if (each.type === 'COPAY_ESTIMATION') return each
    if (each.type !== 'COORDINATION_OF_BENEFITS') return { ...each, payload: identify(each.payload) }
    return { ...each, payload: { ...each.payload, other_payers: each.payload.other_payers.map(identify) } }
  })
}

function toConversion({ row, payerName, payerId, memberId }: FoundPlan): PlanConversion {
  return {
    ma_benefit: describeBriefly(row),
    ...(payerId !== undefined && { payer_id: payerId }),
    ...(payerName !== undefined && { payer_name: payerName }),
    ...(memberId !== undefined && { member_id: memberId }),
  }
}
