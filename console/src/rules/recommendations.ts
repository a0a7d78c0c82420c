import { money } from '../../../src/contract/money.ts'
import { namesPayerOf } from '../../../src/contract/named-payer.ts'
import { isPlanConversion } from '../../../src/contract/plan-conversions.ts'
import type { EligibilityRecommendationPayload, InsurancePlan } from '../api/generated.ts'
import { typedPayer } from './coverages.ts'

/** A recommendation in words, and what to do about it. */
export function describeRecommendation(recommendation: EligibilityRecommendationPayload): {
  title: string
  todo: string
} {
  switch (recommendation.type) {
    case 'MEDICARE_ADVANTAGE':
    case 'MEDICAID_MANAGED_CARE': {
      const { payer_name: name, payer_id: id, member_id: member } = recommendation.payload
      const plan = recommendation.type === 'MEDICARE_ADVANTAGE' ? 'Medicare Advantage plan' : 'managed care plan'
      const instead = recommendation.type === 'MEDICARE_ADVANTAGE' ? 'Medicare' : 'Medicaid'
      return {
        title: `A ${plan} pays instead of ${instead}: ${name ?? 'not named'}`,
        todo: `Add it as a coverage and file it first${id ? `, payer ${id}` : ''}${member ? `, member ${member}` : ''}.`,
      }
    }
    case 'COORDINATION_OF_BENEFITS':
      return {
        title: 'Another payer may be primary',
        todo: 'Ask the patient for their other coverage, and confirm who pays first.',
      }
    case 'COPAY_ESTIMATION': {
      const { structured_response: cents, exposition } = recommendation.payload
      return {
        title: cents === undefined ? 'Copay' : `Copay to collect: ${money(cents / 100)}`,
        todo: withoutSegments(exposition),
      }
    }
    case 'USER_CONFIGURED_PROMPTS':
      return {
        title: 'Answers to your prompts',
        todo: recommendation.payload.results.map(({ exposition }) => exposition).join(' '),
      }
  }
}

/** `by its row EB*B*IND*98 (Office Visit, Individual)`: the words in brackets are for people. */
const withoutSegments = (text: string) => text.replaceAll(/(?:its row )?EB(?:\*\w*)+ (?=\()/g, 'its row ')

/** Whether a plan that pays instead is the one that was asked: the answer of a Medicare Advantage plan names itself. */
export function namesItself(
  recommendation: EligibilityRecommendationPayload,
  asked: Pick<InsurancePlan, 'payer_id' | 'payer_name'> | undefined,
): boolean {
  if (!isPlanConversion(recommendation)) return false
  return asked !== undefined && namesPayerOf(recommendation.payload, asked)
}

/** The plan to add as a coverage, if the recommendation names one. */
export function suggestedPlan(
  recommendation: EligibilityRecommendationPayload,
): (ReturnType<typeof typedPayer> & { member_id: string }) | undefined {
  if (!isPlanConversion(recommendation)) return undefined
  const { payer_id = '', payer_name = '', member_id = '' } = recommendation.payload
  return { ...typedPayer(payer_id, payer_name), member_id }
}
