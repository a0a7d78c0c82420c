import { Button } from '@mantine/core'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PAGE_LIMIT_MAX } from '../../../../src/contract/limits.ts'
import { call } from '../../api/client.ts'
import { createOnce } from '../../api/create-once.ts'
import type { Appointment, BoardItem, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { dayOf, formatInstant } from '../../rules/days.ts'
import { missingOf } from '../../rules/missing.ts'
import { type NewVisit, nextVisit, toAppointment, visitFields } from '../../rules/new-visit.ts'
import { doctorOf, serviceWords, statusWords, toMutable } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'
import { Opened } from '../../ui/opened.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './patient.module.css'
import { NEW, type PatientSearch } from './patient-search.ts'

const SHOWN = 100

export function Visits({ patient }: { patient: Patient }) {
  const [limit, setLimit] = useState(SHOWN)
  const { data, error, refetch, isPlaceholderData } = useRead(
    'board.getVisits',
    {
      query: {
        filters: `appointment.patientId|eq|${patient.id}`,
        sort_field: 'appointment.startTimestamp',
        sort_direction: 'desc',
        limit,
      },
    },
    { placeholderData: keepPreviousData },
  )
  const { form } = useSearch({ from: '/patients/$patientId' })
  const navigate = useNavigate({ from: '/patients/$patientId' })
  const show = (search: PatientSearch, replace: boolean) =>
    navigate({ search: { tab: 'visits', ...search }, replace, resetScroll: false })
  const mayAdd = useMay('appointments.create')
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the visits" />
  if (mayAdd && form === NEW) return <VisitForm patient={patient} onClose={() => show({}, true)} />
  return (
    <div className={styles.stack}>
      {mayAdd && (
        <div>
          <Button variant="default" onClick={() => show({ form: NEW }, false)}>
            Add visit
          </Button>
        </div>
      )}
      {data.items.length === 0 ? <Empty title="No visits" /> : <VisitTable items={data.items} patient={patient} />}
      {data.next_page_token && limit < PAGE_LIMIT_MAX && (
        <div>
          <Button variant="default" loading={isPlaceholderData} onClick={() => setLimit(limit + SHOWN)}>
            Show earlier visits
          </Button>
        </div>
      )}
      {data.next_page_token && limit >= PAGE_LIMIT_MAX && <p>The {PAGE_LIMIT_MAX} latest visits are shown.</p>}
    </div>
  )
}

function VisitForm({ patient, onClose }: { patient: Patient; onClose: () => void }) {
  const { organization } = useSession()
  const client = useQueryClient()
  const [initial] = useState(() => nextVisit(Date.now(), organization.time_zone))
  return (
    <>
      <Opened>Add visit</Opened>
      <RecordForm
        draftKey={`new-visit:${patient.id}`}
        fields={visitFields}
        record={initial}
        submit="Add visit"
        onCancel={onClose}
        save={async (visit, attempt) => {
          const bodyOf = (entered: NewVisit) => toAppointment(entered, patient.id, organization.time_zone)
          await createOnce<NewVisit, Appointment>(visit, attempt, {
            create: (entered, query) => call('appointments.create', { body: bodyOf(entered), query }),
            change(stored, entered) {
              const { attending_doctor, ...rest } = toMutable(stored)
              const path = { id: stored.id, version: stored.version + 1 }
              return call('appointments.update', { path, body: { ...rest, ...bodyOf(entered) } })
            },
          })
          client.invalidateQueries({ queryKey: ['board.getVisits'] })
          announce('The visit was added.')
          onClose()
        }}
      />
    </>
  )
}

function VisitTable({ items, patient }: { items: readonly BoardItem[]; patient: Patient }) {
  const { organization } = useSession()
  return (
    <Rows label="Visits" heads={['When', 'Provider', 'Service', 'Status']}>
      {items.map((item) => {
        const { appointment } = item
        const status = appointment.status ?? 'PENDING'
        return (
          <tr key={appointment.id}>
            <td>
              <Link
                to="/today"
                search={{ day: dayOf(appointment.start_timestamp, organization.time_zone), text: patient.mrn }}
              >
                {formatInstant(appointment.start_timestamp, organization.time_zone)}
              </Link>
            </td>
            <td className={styles.name}>{doctorOf(item) || '—'}</td>
            <td>{serviceWords[item.primary_service_type ?? ''] ?? '—'}</td>
            <td>
              {statusWords[status]}
              {status === 'NOT_READY' && `: ${missingOf(appointment, item)?.what ?? ''}`}
            </td>
          </tr>
        )
      })}
    </Rows>
  )
}
