import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { create, expectedFrom, type Route } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import { Vote } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'
import { LatestRecommendationsQuery, readLatestRecommendations } from './latest-recommendations.ts'
import { voteOnRecommendation } from './vote-on-recommendation.ts'

const getLatest: Route = (deps, base) =>
  endpoint({
    operation: 'getLatest',
    method: 'GET',
    path: base,
    summary: 'Lists the latest recommendation of each type that the filters leave.',
    query: LatestRecommendationsQuery,
    answer: Type.Array(eligibilityRecommendation.wire),
    errors: ['BadRequestError'],
    handle: ({ actor, query }) => readLatestRecommendations(deps, actor, query),
  })

const vote: Route = (deps, base) =>
  endpoint({
    operation: 'vote',
    method: 'PUT',
    path: `${base}/:recommendation_id/:version/vote`,
    summary: "Adds a user's vote on a recommendation, or changes it: writes its next version.",
    parameters: { version: 'The version that this write makes: the latest one plus 1.' },
    body: Vote,
    answer: eligibilityRecommendation.wire,
    errors: ['NotFoundError', 'VersionConflictError'],
    handle: ({ actor, params, body }) => {
      const expectedVersion = expectedFrom(eligibilityRecommendation, 'update', params.version ?? '')
      return voteOnRecommendation(deps, actor, { id: params.recommendation_id ?? '', expectedVersion }, body)
    },
  })

export const eligibilityRecommendations = resource(
  '/eligibility-checks/v1/recommendation',
  'eligibilityRecommendations',
  [
    getLatest, // GET  /
    create(eligibilityRecommendation, ['NotFoundError']), // POST /
    vote, // PUT  /:recommendation_id/:version/vote
  ],
)
