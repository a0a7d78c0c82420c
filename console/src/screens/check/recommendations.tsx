// Recommendations from an answer. The user accepts or dismisses each, which is stored as a vote.
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { EligibilityRecommendation, VoteValue } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { newCoverage } from '../../rules/coverages.ts'
import { describeRecommendation, namesItself, suggestedPlan } from '../../rules/recommendations.ts'
import { announce } from '../../ui/announce.tsx'
import { startDraft } from '../../ui/draft.ts'
import { Problem } from '../../ui/states.tsx'
import { NEW } from '../patient/patient-search.ts'
import styles from './check.module.css'

type Plan = NonNullable<ReturnType<typeof suggestedPlan>>

export function Recommendations({ checkId, coverageId }: { checkId: string; coverageId: string | undefined }) {
  const navigate = useNavigate()
  const maySee = useMay('eligibilityRecommendations.getLatest')
  const query = { query: { filters: `eligibilityCheckId|eq|${checkId}` } }
  const { data, error, refetch } = useRead('eligibilityRecommendations.getLatest', query, { enabled: maySee })
  const ofCoverage = { enabled: coverageId !== undefined }
  const { data: coverage, isLoading } = useRead('coverages.get', { path: { id: coverageId ?? '' } }, ofCoverage)
  const { user } = useSession()
  const mayVote = useMay('eligibilityRecommendations.vote')
  const mayAdd = useMay('coverages.create')
  const [failure, setFailure] = useState<unknown>()
  if (error && !data) return <Problem error={error} retry={refetch} />
  const shown = data?.filter(({ recommendation }) => !namesItself(recommendation, coverage?.insurance_plan)) ?? []
  if (isLoading || shown.length === 0) return null

  async function act(work: () => Promise<void>) {
    setFailure(undefined)
    await work().catch(setFailure)
    await refetch()
  }
  async function vote({ id, version, votes }: EligibilityRecommendation, value: VoteValue) {
    if (voteOf(votes, user.id) === value) return
    const path = { recommendation_id: id, version: version + 1 }
    await call('eligibilityRecommendations.vote', { path, body: { user_id: user.id, value } })
  }
  /** Opens the form for a new coverage, filled in with the plan, which is filed first. */
  async function addPlan(of: string, plan: Plan) {
    const { patient: patientId } = await call('coverages.get', { path: { id: of } })
    const patient = await call('patients.get', { path: { id: patientId } })
    startDraft(`coverage-of:${patientId}`, { base: newCoverage(patient), typed: plan })
    await navigate({ to: '/patients/$patientId', params: { patientId }, search: { form: NEW, first: true } })
  }
  return (
    <section className={styles.section}>
      <h2>Suggestions</h2>
      {failure !== undefined && <Problem error={failure} />}
      {shown.map((recommendation) => {
        const own = voteOf(recommendation.votes, user.id)
        const plan = mayAdd && coverageId ? suggestedPlan(recommendation.recommendation) : undefined
        const { title, todo } = describeRecommendation(recommendation.recommendation)
        return (
          <div key={recommendation.id} className={styles.suggestion}>
            <div>
              <strong>{title}</strong>
              {todo && <p>{todo}</p>}
              {own && <p className={styles.soft}>{own === 'UPVOTE' ? 'Accepted by you.' : 'Dismissed by you.'}</p>}
            </div>
            {mayVote && (
              <span className={styles.votes}>
                {/* A form that was left can be opened again. */}
                <Button
                  size="xs"
                  aria-label={`${plan ? 'Add this coverage' : 'Accept'}: ${title}`}
                  disabled={own === 'UPVOTE' && !plan}
                  onClick={() =>
                    act(async () => {
                      await vote(recommendation, 'UPVOTE')
                      // Nothing is added before the form is saved.
                      if (plan && coverageId) await addPlan(coverageId, plan)
                      else announce('Accepted.')
                    })
                  }
                >
                  {plan ? 'Add this coverage' : 'Accept'}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Dismiss: ${title}`}
                  disabled={own === 'DOWNVOTE'}
                  onClick={() =>
                    act(async () => {
                      await vote(recommendation, 'DOWNVOTE')
                      announce('Dismissed.')
                    })
                  }
                >
                  Dismiss
                </Button>
              </span>
            )}
          </div>
        )
      })}
    </section>
  )
}

const voteOf = (votes: EligibilityRecommendation['votes'], userId: string) =>
  votes?.find(({ user_id }) => user_id === userId)?.value
