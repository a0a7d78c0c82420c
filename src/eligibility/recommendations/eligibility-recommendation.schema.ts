// Recommendations that follow from an answer about a patient's coverage. Source: types.md, "Eligibility checks"; rules.md 13.8.
import { type Static, type TProperties, Type } from 'typebox'
import { Int32, OrganizationId, UserId } from '../../contract/common.schema.ts'

/** Searchable fields are in indexes, whose entries have a size limit: 500 characters of four bytes fit. */
export const SEARCHED_TEXT_MAX = 500
const SearchedText = Type.String({ maxLength: SEARCHED_TEXT_MAX })

export const EligibilityRecommendationPatientInfo = Type.Object({
  id: Type.Optional(SearchedText),
  mrn: Type.Optional(SearchedText),
  organization_id: Type.Optional(OrganizationId),
  last_name: Type.Optional(SearchedText),
  first_name: Type.Optional(Type.String()),
  date_of_birth: Type.Optional(Type.String({ format: 'date' })),
  member_id: Type.Optional(SearchedText),
})
export type EligibilityRecommendationPatientInfo = Static<typeof EligibilityRecommendationPatientInfo>

export const MedicareAdvantageRecommendationPayload = Type.Object({
  ma_benefit: Type.Optional(Type.Unknown()),
  payer_id: Type.Optional(Type.String()),
  payer_name: Type.Optional(Type.String()),
  member_id: Type.Optional(Type.String()),
})

export const CopayEstimationRecommendationPayload = Type.Object({
  // Cents.
  structured_response: Type.Optional(Int32),
  exposition: Type.String(),
})

export const UserConfiguredPromptsResult = Type.Object({
  user_prompt_id: Type.String(),
  prompt_name: Type.String(),
  structured_response: Type.Optional(Type.Unknown()),
  exposition: Type.String(),
})

export const UserConfiguredPromptsRecommendationPayload = Type.Object({
  results: Type.Array(UserConfiguredPromptsResult),
})

const tagged = <Kind extends string, Properties extends TProperties>(type: Kind, properties: Properties) =>
  Type.Object({ type: Type.Literal(type), ...properties })

/** Every type with its payload, in the order in which the latest of each type are listed. */
export const EligibilityRecommendationPayload = Type.Union([
  tagged('MEDICARE_ADVANTAGE', { payload: MedicareAdvantageRecommendationPayload }),
  tagged('MEDICAID_MANAGED_CARE', { payload: MedicareAdvantageRecommendationPayload }),
  tagged('COORDINATION_OF_BENEFITS', { payload: Type.Optional(Type.Unknown()) }),
  tagged('COPAY_ESTIMATION', { payload: CopayEstimationRecommendationPayload }),
  tagged('USER_CONFIGURED_PROMPTS', { payload: UserConfiguredPromptsRecommendationPayload }),
])
export type EligibilityRecommendationPayload = Static<typeof EligibilityRecommendationPayload>

export const recommendationTypes = EligibilityRecommendationPayload.anyOf.map(({ properties }) => properties.type.const)

export const PostEligibilityRecommendationRequest = Type.Object({
  eligibility_check_id: Type.String(),
  patient: EligibilityRecommendationPatientInfo,
  recommendation: EligibilityRecommendationPayload,
})
export type PostEligibilityRecommendationRequest = Static<typeof PostEligibilityRecommendationRequest>

/**
 * The recommendation with `null` for free-form data that it lacks. The published clients of Python and C# read these two keys as required
 * and refuse a whole list for one that is absent; that of TypeScript reads both forms alike. Source: rules.md 1.3, "On output".
 */
export function withRequiredKeys(recommendation: EligibilityRecommendationPayload): EligibilityRecommendationPayload {
  const { type, payload } = recommendation
  if (type === 'COORDINATION_OF_BENEFITS') return { type, payload: payload ?? null }
  if (type !== 'USER_CONFIGURED_PROMPTS') return recommendation
  const { results } = payload as Static<typeof UserConfiguredPromptsRecommendationPayload>
  return {
    type,
    payload: { results: results.map((each) => ({ ...each, structured_response: each.structured_response ?? null })) },
  }
}

export const VoteValue = Type.Enum(['UPVOTE', 'DOWNVOTE'])

/** Votes add up in one record, which every vote rewrites in full: this many users, with ids this long, fit in addition to any recommendation. */
export const VOTES_MAX = 1000
const VOTER_ID_MAX = 200
export const Vote = Type.Object({ user_id: Type.String({ ...UserId, maxLength: VOTER_ID_MAX }), value: VoteValue })
export type Vote = Static<typeof Vote>
