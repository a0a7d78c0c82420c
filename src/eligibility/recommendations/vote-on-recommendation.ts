import type { Actor } from '../../contract/actor.ts'
import { badRequest, versionConflict } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { readRecord, updateRecord } from '../../records/store.ts'
import { type PostEligibilityRecommendationRequest, VOTES_MAX, type Vote } from './eligibility-recommendation.schema.ts'
import { eligibilityRecommendation } from './eligibility-recommendation.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

interface StoredRecommendation extends PostEligibilityRecommendationRequest {
  version: number
  coverage_id?: string
  votes?: Vote[]
}

/**
 * Adds a vote, or replaces the user's former one, as the next version, which is returned. The body states the user of the vote, not the
 * token (rules.md 13.8).
 * @throws BadRequestError for one more user than may vote, NotFoundError, VersionConflictError with the latest version.
 */
export async function voteOnRecommendation(
  deps: Needs,
  actor: Actor,
  target: { id: string; expectedVersion: number },
  vote: Vote,
): Promise<string> {
  const text = await readRecord(deps, eligibilityRecommendation, actor, target.id)
  const { version, ...stored } = JSON.parse(text) as StoredRecommendation
  if (version !== target.expectedVersion) throw versionConflict(version)
  // The write replaces exactly the version that was read; otherwise it fails.
  const body = { ...bodyOf(stored), votes: withVote(stored.votes ?? [], vote) }
  return updateRecord(deps, eligibilityRecommendation, actor, { ...target, body })
}

function bodyOf({ eligibility_check_id, patient, recommendation, coverage_id }: Omit<StoredRecommendation, 'version'>) {
  return { eligibility_check_id, patient, recommendation, ...(coverage_id !== undefined && { coverage_id }) }
}

function withVote(votes: Vote[], vote: Vote): Vote[] {
  const isKnown = votes.some(({ user_id }) => user_id === vote.user_id)
  if (!isKnown && votes.length >= VOTES_MAX)
    throw badRequest(`a recommendation has votes of at most ${VOTES_MAX} users`)
  return isKnown ? votes.map((each) => (each.user_id === vote.user_id ? vote : each)) : [...votes, vote]
}
