import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { create, expectedFrom, versionMeaning } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import * as schemas from './eligibility-recommendation.schema.ts'
import { Vote } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'
import { LatestRecommendationsQuery, readLatestRecommendations } from './latest-recommendations.ts'
import { voteOnRecommendation } from './vote-on-recommendation.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

const getLatest = endpoint({
  operation: 'getLatest',
  method: 'GET',
  path: '',
  summary: 'Lists the latest recommendation of each type that matches the filters.',
  query: LatestRecommendationsQuery,
  answer: Type.Array(eligibilityRecommendation.wire),
  errors: ['BadRequestError'],
  handle: (deps: Needs, { actor, query }) => readLatestRecommendations(deps, actor, query),
})

const vote = endpoint({
  operation: 'vote',
  method: 'PUT',
  path: '/:recommendation_id/:version/vote',
  summary: "Adds a user's vote on a recommendation, or changes it: writes its next version.",
  parameters: { version: versionMeaning(eligibilityRecommendation, 'update') },
  addresses: { recommendation_id: eligibilityRecommendation },
  body: Vote,
  answer: eligibilityRecommendation.wire,
  errors: ['NotFoundError', 'VersionConflictError'],
  handle: (deps: Needs, { actor, params, body }) => {
    const expectedVersion = expectedFrom(eligibilityRecommendation, 'update', params.version ?? '')
    return voteOnRecommendation(deps, actor, { id: params.recommendation_id ?? '', expectedVersion }, body)
  },
})

export const eligibilityRecommendations = resource({
  path: '/eligibility-checks/v1/recommendation',
  group: 'eligibilityRecommendations',
  record: eligibilityRecommendation,
  schemas,
  routes: [
    getLatest, // GET  /
    create(eligibilityRecommendation, ['NotFoundError']), // POST /
    vote, // PUT  /:recommendation_id/:version/vote
  ],
})
