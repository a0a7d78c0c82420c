// The progress of a batch. The address contains its id, so that it can be opened again at any time.

import { Button, Checkbox, Progress } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { PAGE_LIMIT_MAX } from '../../../../src/contract/limits.ts'
import { call, isGone } from '../../api/client.ts'
import type { EligibilityCheck, Event } from '../../api/generated.ts'
import { useEvents } from '../../api/live.ts'
import { useRead } from '../../api/query.ts'
import { readPages } from '../../api/read-pages.ts'
import { findingOf, needsAttention, type Outcome, writeCsv } from '../../rules/batch-results.ts'
import { inShownForms, shortDay } from '../../rules/days.ts'
import { lightWords } from '../../rules/light.ts'
import { BillingProhibited } from '../../ui/billing-prohibited.tsx'
import { Rows } from '../../ui/rows.tsx'
import { saveCsv } from '../../ui/save-file.ts'
import { ScreenProblem } from '../../ui/screen-error.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { StatusLight } from '../../ui/status-light.tsx'
import styles from './batch.module.css'

const POLL_MS = 3_000
/** Up to this many answers, the list is updated whenever more arrive; a longer one on request or at the end. */
const FOLLOWED = 500
const SHOWN = 200
/** The number of automatic polls for a batch that was opened without its size; after that the user polls. */
const BLIND_LOOKS = 20

export function BatchScreen() {
  const { batchId } = useParams({ from: '/batch/$batchId' })
  const { of = Number.POSITIVE_INFINITY } = useSearch({ from: '/batch/$batchId' })
  const isKnown = Number.isFinite(of)
  const first = useRead(
    'eligibilityChecks.pollBatch',
    { path: { batch_id: batchId } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        (state.data?.total ?? 0) >= of || (!isKnown && state.dataUpdateCount >= BLIND_LOOKS) ? false : POLL_MS,
    },
  )
  const { refetch } = first
  const isMissing = isGone(first.error)
  const heard = useCallback(
    (event: Event | undefined) => {
      if (!isMissing && (event === undefined || event.data.id === batchId)) refetch()
    },
    [batchId, isMissing, refetch],
  )
  useEvents(heard)
  const answered = first.data?.total ?? 0
  const isDone = answered >= of
  const [wanted, want] = useState(0)
  const upTo = isDone || answered <= FOLLOWED ? answered : wanted
  const whole = useQuery({
    queryKey: ['batch', batchId, upTo],
    queryFn: ({ signal }) => readAnswers(batchId, signal),
    enabled: upTo > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    document.title = 'Batch · Anteroom'
  }, [])
  if (first.error && !first.data) {
    return (
      <ScreenProblem
        what="Batch"
        advice="Open it from “Batch”, or send the file again."
        error={first.error}
        retry={first.refetch}
      />
    )
  }
  if (!first.data) return <Loading what="the batch" />
  return (
    <>
      <h1>Batch</h1>
      <p className={styles.lead}>
        {isDone
          ? 'All patients have been checked.'
          : 'You can leave this page. The checks continue; the batch is listed under “Recent batches”.'}
      </p>
      <div className={styles.box}>
        <p role="status" aria-live="polite">
          <strong>{answered}</strong> {isKnown && `of ${of} `}answered
        </p>
        {isKnown && <Progress value={Math.min(100, (answered / of) * 100)} aria-label="Answered" />}
        {!isKnown && (
          <Button mt="sm" size="xs" variant="default" loading={first.isFetching} onClick={() => first.refetch()}>
            Refresh
          </Button>
        )}
        {!isDone && answered > FOLLOWED && (
          <Button mt="sm" size="xs" variant="default" loading={whole.isFetching} onClick={() => want(answered)}>
            Show the responses so far
          </Button>
        )}
      </div>
      {whole.error && <Problem error={whole.error} retry={whole.refetch} />}
      {whole.data ? <Answers {...whole.data} /> : answered === 0 && <Empty title="No responses yet" />}
    </>
  )
}

interface AnswersProps {
  checks: readonly EligibilityCheck[]
  /** By place in the request; the interface's list has none. */
  ids: ReadonlyMap<number, string>
}

async function readAnswers(batchId: string, signal: AbortSignal): Promise<AnswersProps> {
  const path = { batch_id: batchId }
  const checks = await readPages((query) => call('eligibilityChecks.pollBatch', { path, query }, signal))
  const stored = await readPages((page) =>
    call('storedChecks.getMulti', { query: { ...path, limit: PAGE_LIMIT_MAX, ...page } }, signal),
  )
  // While some checks are pending, which only the second list has, a place in the first is not the place in the request.
  const isWhole = stored.length === checks.length
  return { checks, ids: new Map(isWhole ? stored.map((each) => [each.batch_index ?? -1, each.check_id]) : []) }
}

function Answers({ checks, ids }: AnswersProps) {
  const [isAll, showAll] = useState(false)
  const found = checks.map((check, place) => ({ check, id: ids.get(place), place, finding: findingOf(check) }))
  const count = (outcome: Outcome) => found.filter(({ finding }) => finding.outcome === outcome).length
  const listed = isAll ? found : found.filter(({ finding }) => needsAttention(finding))
  return (
    <>
      <ul className={styles.counts}>
        {(['active', 'limited', 'inactive', 'unknown'] as const).map((outcome) => (
          <li key={outcome}>
            <StatusLight light={{ state: outcome, word: lightWords[outcome] }} />
            <strong>{count(outcome)}</strong>
          </li>
        ))}
      </ul>
      <div className={styles.bar}>
        <Checkbox
          label="Include active coverages without changes"
          checked={isAll}
          onChange={(event) => showAll(event.target.checked)}
        />
        <Button variant="default" onClick={() => saveCsv('eligibility.csv', writeCsv(checks))}>
          Save all as CSV
        </Button>
      </div>
      {listed.length === 0 ? (
        <Empty title="Nothing needs attention. All responses so far are active and without changes." />
      ) : (
        <Table listed={listed.slice(0, SHOWN)} />
      )}
      {listed.length > SHOWN && (
        <p className={styles.soft}>
          Showing the first {SHOWN} of {listed.length}. The CSV contains all of them.
        </p>
      )}
    </>
  )
}

interface Found {
  check: EligibilityCheck
  id: string | undefined
  place: number
  finding: ReturnType<typeof findingOf>
}

function Table({ listed }: { listed: readonly Found[] }) {
  return (
    <Rows label="Answers" heads={['Patient', 'Payer', 'Member ID', 'Eligibility', 'Differences at payer']}>
      {listed.map(
        ({
          check: { request, parsed_response },
          id,
          place,
          finding: { outcome, word, reason, isBillingProhibited, changes },
        }) => (
          <tr key={place}>
            <td>
              {request?.subscriber.last_name}, {request?.subscriber.first_name}
              <div className={styles.soft}>
                {shortDay(request?.subscriber.date_of_birth)} {request?.submitter_transaction_identifier}
              </div>
            </td>
            <td>{parsed_response?.plan_metadata?.payer_name ?? request?.payer_id}</td>
            <td>{request?.subscriber.member_id}</td>
            <td>
              {isBillingProhibited && <BillingProhibited />}
              <StatusLight light={{ state: outcome, word, reason }} withReason />
              {id && (
                <div>
                  <Link to="/checks/$checkId" params={{ checkId: id }}>
                    View response
                  </Link>
                </div>
              )}
            </td>
            <td>{inShownForms(changes.join('; '))}</td>
          </tr>
        ),
      )}
    </Rows>
  )
}
