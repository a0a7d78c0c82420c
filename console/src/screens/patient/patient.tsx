// One patient: coverages first, which the front desk needs most.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { shownTelephone } from '../../../../src/contract/shown-telephones.ts'
import type { OperationName } from '../../api/client.ts'
import { isGone } from '../../api/client.ts'
import type { Event } from '../../api/generated.ts'
import { useEvents } from '../../api/live.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { ageOn, dayOf, shortDay } from '../../rules/days.ts'
import { codeLabel, fullName } from '../../rules/names.ts'
import { useTime } from '../../ui/clock.ts'
import { Loading } from '../../ui/states.tsx'
import { Coverages } from './coverages.tsx'
import { Details } from './details.tsx'
import { History } from './history.tsx'
import { Merges } from './merges.tsx'
import { NextVisit } from './next-visit.tsx'
import { Notes } from './notes.tsx'
import styles from './patient.module.css'
import { PatientProblem } from './patient-problem.tsx'
import { type PatientTab, patientTabs } from './patient-search.ts'
import { Tags } from './tags.tsx'
import { Timeline } from './timeline.tsx'
import { Visits } from './visits.tsx'

const contents: Record<PatientTab, typeof Coverages> = {
  coverages: Coverages,
  details: Details,
  visits: Visits,
  notes: Notes,
  timeline: Timeline,
  history: History,
}

export function PatientScreen() {
  const { patientId } = useParams({ from: '/patients/$patientId' })
  const { tab = 'coverages' } = useSearch({ from: '/patients/$patientId' })
  const { data: patient, error, refetch } = useRead('patients.get', { path: { id: patientId } })
  const { organization } = useSession()
  const today = useTime((now) => dayOf(now, organization.time_zone))
  const mayAudit = useMay('audit.getMulti')
  const mayMerge = useMay('patientMerges.create')
  useEvents(useHeard(patientId))

  useEffect(() => {
    document.title = patient ? `${patient.mrn} · Anteroom` : 'Patient · Anteroom'
  }, [patient])

  if (error && !patient) return <PatientProblem error={error} retry={refetch} />
  if (!patient) return <Loading what="the patient" />
  const Content = contents[tab]
  return (
    <>
      <header className={styles.head}>
        <h1>
          <bdi>{fullName(patient.name)}</bdi>
        </h1>
        <dl className={styles.facts}>
          <div>
            <dt>Born</dt>
            <dd>
              {shortDay(patient.birth_date)} ({ageOn(patient.birth_date, today)})
            </dd>
          </div>
          <div>
            <dt>Sex</dt>
            <dd>{codeLabel(patient.biological_sex)}</dd>
          </div>
          <div>
            <dt>MRN</dt>
            <dd>{patient.mrn}</dd>
          </div>
          {patient.primary_telecom && (
            <div>
              <dt>Telephone</dt>
              <dd>{shownTelephone(patient.primary_telecom.value)}</dd>
            </div>
          )}
          {patient.self_pay && (
            <div>
              <dt>Pays</dt>
              <dd>Self-pay</dd>
            </div>
          )}
        </dl>
        <Tags patient={patient} />
        <Merges patient={patient} />
        <NextVisit patient={patient} today={today} />
      </header>
      <nav className={styles.tabs} aria-label="Patient sections">
        {(Object.keys(patientTabs) as PatientTab[]).map((each) => (
          <Link
            key={each}
            to="/patients/$patientId"
            params={{ patientId }}
            search={each === 'coverages' ? {} : { tab: each }}
            activeOptions={{ exact: true }}
            // Of the tab that is shown, whatever else is in the address, such as the tab of an old bookmark.
            aria-current={each === tab ? 'page' : undefined}
            replace
          >
            {patientTabs[each]}
          </Link>
        ))}
        <span className={styles.more}>
          {mayAudit && (
            <Link to="/admin/$section" params={{ section: 'audit' }} search={{ patient: patientId }}>
              Audit trail
            </Link>
          )}
          {mayMerge && (
            <Link to="/patients/$patientId/merge" params={{ patientId }}>
              Merge with another record…
            </Link>
          )}
        </span>
      </nav>
      <Content patient={patient} />
    </>
  )
}

/** Reads again what an event affects: a colleague's change, or a new answer. */
function useHeard(patientId: string) {
  const client = useQueryClient()
  return useCallback(
    (event: Event | undefined) => {
      // A message that something does not exist stays: a repeated read would show it as loading.
      const read = (operation: OperationName) =>
        client.invalidateQueries({ queryKey: [operation], predicate: ({ state }) => !isGone(state.error) })
      const type = event?.data.record_type
      const isPatient = event === undefined || (type === 'patient' && event.data.id === patientId)
      const isCoverage = event === undefined || type === 'coverage' || type === 'eligibility_check'
      if (isPatient) read('patients.get')
      if (isCoverage) read('coverages.getMulti')
      // A visit is listed with its patient's coverages, in their filing order.
      if (isPatient || isCoverage || type === 'appointment') read('board.getVisits')
      if (event === undefined || type === 'patient_merge') read('patientMerges.getAllByMrn')
      if (event === undefined || type === 'image') read('images.getMulti')
    },
    [client, patientId],
  )
}
