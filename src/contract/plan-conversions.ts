/**
 * The types of recommendations by which another plan pays instead of the inquired one. Where both apply, the first is the reason of the
 * visit. Source: rules.md 13.8, 17.
 */
export const PLAN_CONVERSIONS = ['MEDICARE_ADVANTAGE', 'MEDICAID_MANAGED_CARE'] as const
export type PlanConversionType = (typeof PLAN_CONVERSIONS)[number]

/** Whether a recommendation is one of those. */
export function isPlanConversion<Any extends { type: string }>(
  recommendation: Any,
): recommendation is Extract<Any, { type: PlanConversionType }> {
  return (PLAN_CONVERSIONS as readonly string[]).includes(recommendation.type)
}
