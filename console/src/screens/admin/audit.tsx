import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type AuditEvent, addresses } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { addDays, formatInstant, instantOf, isWholeDay } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { describeOperation, describeOutcome } from '../../rules/operations.ts'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { AuditPatient } from './audit-patient.tsx'
import { Lead } from './lead.tsx'

export default function Audit() {
  const { organization } = useSession()
  const { patient } = useSearch({ from: '/admin/$section' })
  const navigate = useNavigate({ from: '/admin/$section' })
  const [withOthers, setWithOthers] = useState(false)
  const mayName = useMay('patients.get')
  const [isNamed, setNamed] = useState(false)
  const [person, setPerson] = useState('')
  const [operation, setOperation] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [tokens, setTokens] = useState<string[]>([])
  const midnight = (day: string) => instantOf(day, '00:00', organization.time_zone)
  const token = tokens.at(-1)
  const query = {
    limit: 50,
    ...(patient && { patient_id: patient }),
    ...(!(patient || operation || withOthers) && { patients_only: true }),
    ...(person && { user_id: person }),
    ...(operation && { operation }),
    ...(isWholeDay(from) && { from: midnight(from) }),
    ...(isWholeDay(to) && { to: midnight(addDays(to, 1)) }),
    ...(token && { page_token: token }),
  }
  const { data, error, refetch } = useRead('audit.getMulti', { query } as never)
  const nameOf = useNames()
  const people = useRead('users.getMulti', {}, { enabled: useMay('users.getMulti') }).data ?? []
  const narrow = (set: (text: string) => void) => (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
    set(event.target.value)
    setTokens([])
  }
  return (
    <>
      <Lead>
        Who viewed or changed what, newest first. Entries cannot be changed. Searches of the audit trail are recorded,
        too.
      </Lead>
      <div className={`${styles.box} ${styles.form}`}>
        <AuditPatient
          patientId={patient}
          onChange={(next) => {
            setTokens([])
            navigate({ search: next === undefined ? {} : { patient: next }, replace: true })
          }}
        />
        <NativeSelect
          label="Person"
          value={person}
          data={[{ value: '', label: 'Any user' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={narrow(setPerson)}
        />
        <NativeSelect
          label="What"
          value={operation}
          data={[{ value: '', label: 'Anything' }, ...groups, ...operations]}
          onChange={narrow(setOperation)}
        />
        <TextInput label="From" description="Including this day" type="date" value={from} onChange={narrow(setFrom)} />
        <TextInput label="To" description="Including this day" type="date" value={to} onChange={narrow(setTo)} />
        <Checkbox
          className={styles.wide ?? ''}
          label="Include entries without a patient, such as sign-ins and settings"
          checked={withOthers || operation !== ''}
          disabled={patient !== undefined || operation !== ''}
          onChange={(event) => {
            setWithOthers(event.target.checked)
            setTokens([])
          }}
        />
        {mayName && (
          <Checkbox
            className={styles.wide ?? ''}
            label="Show patient names (recorded as a view of each patient)"
            checked={isNamed}
            onChange={(event) => setNamed(event.target.checked)}
          />
        )}
      </div>
      {error && !data && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading what="the audit trail" />}
      {data?.items.length === 0 && <Empty title="No entries found" />}
      {data && data.items.length > 0 && (
        <Rows
          label="Audit trail"
          heads={['When', 'Who', 'What', patient ? 'Other patients' : 'Patients', 'Outcome', 'From']}
        >
          {data.items.map((event: AuditEvent) => (
            <tr key={event.id}>
              <td className={styles.when ?? ''}>{formatInstant(event.at, organization.time_zone)}</td>
              <td>{nameOf(event)}</td>
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
      )}
      <div className={styles.actions}>
        {tokens.length > 0 && (
          <Button variant="default" onClick={() => setTokens(tokens.slice(0, -1))}>
            Newer
          </Button>
        )}
        {data?.next_page_token && (
          <Button variant="default" onClick={() => setTokens([...tokens, data.next_page_token ?? ''])}>
            Older
          </Button>
        )}
      </div>
    </>
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

const operations = Object.keys(addresses)
  .map((name) => ({ value: name, label: describeOperation(name) }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** `patients` matches all operations of the group. */
const groups = [...new Set([...Object.keys(addresses).map((name) => name.split('.')[0] ?? ''), 'system', 'command'])]
  .map((group) => ({ value: group, label: `${describeOperation(group)}: everything` }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** Names of users and clients, if this user may see them. */
function useNames(): (event: AuditEvent) => string {
  const people = useRead('users.getMulti', {}, { enabled: useMay('users.getMulti') })
  const clients = useRead('apiClients.getMulti', {}, { enabled: useMay('apiClients.getMulti') })
  return ({ user_id, client_id, os_user, operation }) =>
    people.data?.find(({ id }) => id === user_id)?.name ??
    clients.data?.find((client) => client.client_id === client_id)?.name ??
    (os_user
      ? `${os_user} (command line)`
      : operation.startsWith('system.')
        ? 'The service'
        : (client_id ?? user_id ?? 'Unknown'))
}
