// The patient's next visit, so that a user who has corrected something sees whether the visit is ready, and can check again.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BoardItem, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { stopWaiting, useVisitChecks, verifyVisit } from '../../api/visit-checks.ts'
import { clock, dayOf, formatInstant, instantOf } from '../../rules/days.ts'
import { missingOf } from '../../rules/missing.ts'
import { fullName } from '../../rules/names.ts'
import { mayCall } from '../../rules/scopes.ts'
import { actionFor, answerOf, checkedWith, isExpected, statusWords, wordOf } from '../../rules/visits.ts'
import { Problem } from '../../ui/states.tsx'
import { takeStep } from '../today/visit-actions.ts'
import styles from './next-visit.module.css'
import { NEW } from './patient-search.ts'

export function NextVisit({ patient, today }: { patient: Patient; today: string }) {
  const { organization } = useSession()
  const begin = instantOf(today, '00:00', organization.time_zone) ?? ''
  const { data, error, refetch } = useRead('board.getVisits', {
    query: {
      filters: `appointment.patientId|eq|${patient.id},appointment.startTimestamp|gt|${begin}`,
      sort_field: 'appointment.startTimestamp',
      sort_direction: 'asc',
      limit: 20,
    },
  })
  const next = data?.items.find(({ appointment }) => isExpected(appointment))
  const mayAdd = useMay('appointments.create')
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return null
  if (!next) return mayAdd && <NoVisit patient={patient} />
  const dayOfVisit = ({ appointment }: BoardItem) => dayOf(appointment.start_timestamp, organization.time_zone)
  const others = checkedWith(next, data.items).filter((each) => dayOfVisit(each) === dayOfVisit(next))
  return <Visit item={next} others={others} patient={patient} refetch={refetch} />
}

/** Leads on from a patient who has just been added, such as a walk-in. */
function NoVisit({ patient }: { patient: Patient }) {
  return (
    <section className={styles.visit} aria-label="Next visit">
      <span>No visit is scheduled.</span>
      <Link to="/patients/$patientId" params={{ patientId: patient.id }} search={{ tab: 'visits', form: NEW }}>
        Add a visit
      </Link>
    </section>
  )
}

interface Props {
  item: BoardItem
  /** The visits of the same day that are checked together with this one. */
  others: readonly BoardItem[]
  patient: Patient
  refetch: () => Promise<unknown>
}

function Visit({ item, others, patient, refetch }: Props) {
  const { organization, scopes } = useSession()
  const mayCheck = useMay('visitVerification.begin')
  const isChecking = useVisitChecks().has(item.appointment.id)
  const [failure, setFailure] = useState<unknown>()
  const [isWriting, setWriting] = useState(false)
  const action = actionFor(item, false, (name) => mayCall(scopes, name))
  const isToMark = action === 'mark-ready'
  const answer = action === 'read-answer' ? answerOf(item) : undefined
  const { id, start_timestamp: start, status = 'PENDING' } = item.appointment
  const missing = missingOf(item.appointment, item)
  const name = fullName(patient.name)
  const timeAt = (at: string) => clock(at, organization.time_zone)
  async function check() {
    setFailure(undefined)
    const nameOf = (at: string) => (others.length > 0 ? `${name}, ${timeAt(at)}` : name)
    const verify = ({ appointment: { id: each, start_timestamp: at } }: BoardItem) => verifyVisit(each, nameOf(at))
    await Promise.all([item, ...others].map(verify)).catch(setFailure)
    await refetch()
  }
  async function markReady() {
    setFailure(undefined)
    setWriting(true)
    await takeStep(item, 'READY').catch(setFailure)
    await refetch()
    setWriting(false)
  }
  return (
    <section className={styles.visit} data-status={status} aria-label="Next visit">
      <span>
        Next visit{' '}
        <Link to="/today" search={{ day: dayOf(start, organization.time_zone), text: patient.mrn }}>
          {formatInstant(start, organization.time_zone)}
        </Link>
        : <strong>{statusWords[status]}</strong>
        {missing && ` · ${missing.what}. ${missing.owner}: ${missing.todo}`}
        {others.length > 0 &&
          `${missing ? ' ' : ' · '}Also not ready: ${others.map(({ appointment }) => timeAt(appointment.start_timestamp)).join(', ')}.`}
      </span>
      {answer && (
        <Link to="/checks/$checkId" params={{ checkId: answer }} aria-label="View response about the next visit">
          View response
        </Link>
      )}
      {/* One button, which keeps the focus. */}
      {(isChecking || (mayCheck && item.primary_coverage && status !== 'READY')) && (
        <Button size="compact-sm" variant="default" onClick={isChecking ? () => stopWaiting(id, name) : check}>
          {isChecking ? 'Checking… Stop waiting' : wordOf('check-again', item)}
        </Button>
      )}
      {isToMark && (
        <Button size="compact-sm" loading={isWriting} onClick={markReady}>
          Mark ready
        </Button>
      )}
      {failure !== undefined && <Problem error={failure} />}
    </section>
  )
}
