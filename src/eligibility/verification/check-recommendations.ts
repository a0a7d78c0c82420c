// Recommendations of checks that affect a visit. Source: rules.md 13.8, 17.
import { namesPayerOf } from '../../contract/named-payer.ts'
import { PLAN_CONVERSIONS, type PlanConversionType } from '../../contract/plan-conversions.ts'
import type { Deps } from '../../deps.ts'
import type { FiledCoverage } from './visit.ts'

type Needs = Pick<Deps, 'database'>

/** A recommendation of one of the types that a verification uses. */
type Recommendation =
  | { type: PlanConversionType; payload: { payer_id?: string; payer_name?: string } }
  | { type: 'COPAY_ESTIMATION'; payload: { structured_response?: number } }

const quotedTypes = [...PLAN_CONVERSIONS, 'COPAY_ESTIMATION'].map((type) => `'${type}'`).join(', ')

// Latest last: a check has one of a type, unless a client has added others.
const recommendationsStatement = {
  name: 'verification_recommendations',
  text: `select body ->> 'eligibility_check_id', body ->> 'recommendation' from eligibility_recommendation
    where organization_id = $1 and body ->> 'eligibility_check_id' = any ($2::text[])
      and body -> 'recommendation' ->> 'type' in (${quotedTypes})
      and not deactivated
    order by created_at, id`,
}

/** The recommendations of these checks, by check. */
export async function readRecommendations(
  deps: Needs,
  organizationId: string,
  checkIds: string[],
): Promise<Map<string, Recommendation[]>> {
  const rows =
    checkIds.length === 0 ? [] : await deps.database.rows(recommendationsStatement, [organizationId, checkIds])
  const byCheck = new Map<string, Recommendation[]>()
  for (const [checkId = '', text = ''] of rows) {
    byCheck.set(checkId, [...(byCheck.get(checkId) ?? []), JSON.parse(text) as Recommendation])
  }
  return byCheck
}

/**
 * The conversion that makes the visit not ready, Medicare Advantage first. Our choice: a plan that is filed already does not count; a
 * Medicare Advantage carrier's own answer names itself.
 */
export function findConversion(
  recommendations: Recommendation[],
  coverages: FiledCoverage[],
): PlanConversionType | undefined {
  const isFiled = (named: { payer_id?: string; payer_name?: string }) =>
    coverages.some(({ body }) => namesPayerOf(named, body.insurance_plan))
  return PLAN_CONVERSIONS.find((type) => recommendations.some((each) => each.type === type && !isFiled(each.payload)))
}

/** The patient's cost of the visit, in cents, if a payer stated it. */
export function findCopayCents(recommendations: Recommendation[]): number | undefined {
  const estimated = recommendations.flatMap((each) => {
    const cents = each.type === 'COPAY_ESTIMATION' ? each.payload.structured_response : undefined
    return cents === undefined ? [] : [cents]
  })
  return estimated.at(-1)
}
