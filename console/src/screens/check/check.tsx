// A payer's answer.
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { apiBase } from '../../api/client.ts'
import type { StoredCheck } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { lightOfCheck, notesOf } from '../../rules/benefits.ts'
import { formatInstant, shortDay } from '../../rules/days.ts'
import { capital } from '../../rules/names.ts'
import { BillingProhibited } from '../../ui/billing-prohibited.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { ScreenProblem } from '../../ui/screen-error.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { StatusLight } from '../../ui/status-light.tsx'
import { Bars } from './bars.tsx'
import { Changes } from './changes.tsx'
import styles from './check.module.css'
import { CorrectionsOf, PatientOf } from './coverage-of.tsx'
import { Failures } from './failures.tsx'
import { Messages } from './messages.tsx'
import { PlanFacts } from './plan-facts.tsx'
import { Recommendations } from './recommendations.tsx'
import { Services } from './services.tsx'
import { UncoveredServices } from './uncovered.tsx'

const POLL_MS = 2_000

export function CheckScreen() {
  const { checkId } = useParams({ from: '/checks/$checkId' })
  const { data, error, refetch } = useRead(
    'storedChecks.get',
    { path: { id: checkId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? POLL_MS : false) },
  )
  useEffect(() => {
    document.title = 'Eligibility · Anteroom'
  }, [])
  if (error && !data) {
    const advice = 'Open it from the coverage of the patient.'
    return <ScreenProblem what="Eligibility response" advice={advice} error={error} retry={refetch} />
  }
  return data ? <Answer stored={data} /> : <Loading what="the answer" />
}

function Answer({ stored }: { stored: StoredCheck }) {
  const { organization } = useSession()
  const maySeeMessages = useMay('storedChecks.getMessages')
  const { check } = stored
  const answer = check.parsed_response
  const benefits = answer?.benefits
  const { prohibitsBilling: isBillingProhibited, alerts, rest } = notesOf(benefits?.notes)
  const light = lightOfCheck(stored)
  return (
    <>
      <header className={styles.head}>
        <h1>{answer?.plan_metadata?.payer_name ?? stored.payer_id ?? 'Eligibility'}</h1>
        {stored.status === 'COMPLETED' && (
          <Button
            component="a"
            data-button
            variant="default"
            href={new URL(`anteroom/v1/eligibility-checks/${stored.check_id}/benefit-sheet`, apiBase).href}
            target="_blank"
            rel="noreferrer"
          >
            Benefit sheet (PDF)
          </Button>
        )}
      </header>
      {stored.coverage_id && <PatientOf coverageId={stored.coverage_id} />}
      <span className={styles.light}>
        <StatusLight light={light} withReason={light.state !== 'limited' || alerts.length === 0} />
      </span>
      <p className={styles.soft}>
        Checked {formatInstant(stored.initiated_at, organization.time_zone)}
        {stored.date_of_service && ` for a service on ${shortDay(stored.date_of_service)}`}
      </p>
      {isBillingProhibited && <BillingProhibited />}
      {alerts.map((alert) => (
        <p key={alert} role="alert" className={styles.alert}>
          <WarningIcon size={20} />
          <span>{capital(alert)}</span>
        </p>
      ))}
      <Failures errors={check.errors ?? []} isUnknown={light.state === 'unknown'} />
      {stored.coverage_id && <CorrectionsOf coverageId={stored.coverage_id} />}
      <Recommendations checkId={stored.check_id} coverageId={stored.coverage_id} />
      {stored.coverage_id && answer && <Changes stored={stored} coverageId={stored.coverage_id} />}
      {answer && <PlanFacts answer={answer} request={check.request} />}
      <Bars plan={benefits?.plan_coverage} isBillingProhibited={isBillingProhibited} />
      <Services services={benefits?.service_specific_coverage} isBillingProhibited={isBillingProhibited} />
      <UncoveredServices details={benefits?.non_covered_details} />
      {rest.length > 0 && (
        <section className={styles.section}>
          <h2>Notes from the payer</h2>
          <ul className={styles.notes}>
            {rest.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change, and two may be the same
              <li key={place}>{line}</li>
            ))}
          </ul>
        </section>
      )}
      {!answer && stored.status !== 'PENDING' && (check.errors ?? []).length === 0 && (
        <Empty title="The response contains no details" />
      )}
      {maySeeMessages && <Messages checkId={stored.check_id} />}
    </>
  )
}
