import { Link } from '@tanstack/react-router'
import type { AuditEvent } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { actorOf } from '../../rules/audit.ts'
import { formatInstant } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { describeOperation, describeOutcome } from '../../rules/operations.ts'
import { Rows } from '../../ui/rows.tsx'
import styles from './admin.module.css'

interface Props {
  events: readonly AuditEvent[]
  /** The patient that all events are about, whom the rows do not repeat. */
  patient: string | undefined
  isNamed: boolean
}

export function AuditRows({ events, patient, isNamed }: Props) {
  const { organization } = useSession()
  const people = useRead('users.getMulti', {}, { enabled: useMay('users.getMulti') }).data
  const clients = useRead('apiClients.getMulti', {}, { enabled: useMay('apiClients.getMulti') }).data
  return (
    <Rows
      label="Audit trail"
      heads={['When', 'Who', 'What', patient ? 'Other patients' : 'Patients', 'Outcome', 'From']}
    >
      {events.map((event) => (
        <tr key={event.id}>
          <td className={styles.when ?? ''}>{formatInstant(event.at, organization.time_zone)}</td>
          <td>{actorOf(event, people, clients)}</td>
          <td>{describeOperation(event.operation)}</td>
          <td>
            <Patients isNamed={isNamed} ids={(event.patient_ids ?? []).filter((id) => id !== patient)} />
          </td>
          <td>
            {describeOutcome(event)}
            {(event.times ?? 1) > 1 && ` (${event.times} times)`}
          </td>
          <td>{event.address}</td>
        </tr>
      ))}
    </Rows>
  )
}

const PATIENTS_SHOWN = 3

/** Their names are shown only on demand: to read them is a view of these patients. */
function Patients({ ids, isNamed }: { ids: readonly string[]; isNamed: boolean }) {
  return (
    <span className={styles.patients}>
      {ids.slice(0, PATIENTS_SHOWN).map((id) => (
        <Link key={id} to="/patients/$patientId" params={{ patientId: id }} title={id}>
          {isNamed ? <PatientName id={id} /> : shortId(id)}
        </Link>
      ))}
      {ids.length > PATIENTS_SHOWN && `and ${ids.length - PATIENTS_SHOWN} more`}
    </span>
  )
}

const shortId = (id: string) => `…${id.slice(-8)}`

function PatientName({ id }: { id: string }) {
  const { data } = useRead('patients.get', { path: { id } }, { staleTime: Number.POSITIVE_INFINITY })
  if (!data) return shortId(id)
  return (
    <>
      <bdi>{fullName(data.name)}</bdi>, {data.mrn}
    </>
  )
}
