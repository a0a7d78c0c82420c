// The patient's next visit, so that a user who has corrected something sees whether the visit is ready, and can check again.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BoardItem, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { stopWaiting, useVisitChecks, verifyVisit } from '../../api/visit-checks.ts'
import { dayOf, formatInstant, instantOf } from '../../rules/days.ts'
import { missingOf } from '../../rules/missing.ts'
import { fullName } from '../../rules/names.ts'
import { isExpected, statusWords, wordOf } from '../../rules/visits.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './patient.module.css'

export function NextVisit({ patient, today }: { patient: Patient; today: string }) {
  const { organization } = useSession()
  const begin = instantOf(today, '00:00', organization.time_zone) ?? ''
  const { data, refetch } = useRead('board.getVisits', {
    query: {
      filters: `appointment.patientId|eq|${patient.id},appointment.startTimestamp|gt|${begin}`,
      sort_field: 'appointment.startTimestamp',
      sort_direction: 'asc',
      limit: 20,
    },
  })
  const next = data?.items.find(({ appointment }) => isExpected(appointment))
  return next ? <Visit item={next} patient={patient} refetch={refetch} /> : null
}

interface Props {
  item: BoardItem
  patient: Patient
  refetch: () => Promise<unknown>
}

function Visit({ item, patient, refetch }: Props) {
  const { organization } = useSession()
  const mayCheck = useMay('visitVerification.begin')
  const isChecking = useVisitChecks().has(item.appointment.id)
  const [failure, setFailure] = useState<unknown>()
  const { id, start_timestamp: start, status = 'PENDING' } = item.appointment
  const missing = missingOf(item.appointment, item)
  const name = fullName(patient.name)
  async function check() {
    setFailure(undefined)
    await verifyVisit(id, name).catch(setFailure)
    await refetch()
  }
  return (
    <section className={styles.visit} data-status={status} aria-label="Next visit">
      <span>
        Next visit{' '}
        <Link to="/today" search={{ day: dayOf(start, organization.time_zone), text: patient.mrn }}>
          {formatInstant(start, organization.time_zone)}
        </Link>
        : <strong>{statusWords[status]}</strong>
        {missing && ` · ${missing.what}`}
      </span>
      {/* One button, which keeps the focus. */}
      {(isChecking || (mayCheck && item.primary_coverage && status !== 'READY')) && (
        <Button size="compact-sm" variant="default" onClick={isChecking ? () => stopWaiting(id, name) : check}>
          {isChecking ? 'Checking… Stop waiting' : wordOf('check-again', item)}
        </Button>
      )}
      {failure !== undefined && <Problem error={failure} />}
    </section>
  )
}
