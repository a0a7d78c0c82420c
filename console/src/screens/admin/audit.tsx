import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type AuditEvent, addresses } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { addDays, formatInstant, instantOf, isDay } from '../../rules/days.ts'
import { describeOperation } from '../../rules/operations.ts'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './parts.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default function Audit() {
  const { organization } = useSession()
  const [patient, setPatient] = useState('')
  const [person, setPerson] = useState('')
  const [operation, setOperation] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [tokens, setTokens] = useState<string[]>([])
  const midnight = (day: string) => instantOf(day, '00:00', organization.time_zone)
  const isPatientKnown = patient.trim() === '' || UUID.test(patient.trim())
  const token = tokens.at(-1)
  const query = {
    limit: 50,
    ...(UUID.test(patient.trim()) && { patient_id: patient.trim() }),
    ...(person && { user_id: person }),
    ...(operation && { operation }),
    ...(isDay(from) && { from: midnight(from) }),
    ...(isDay(to) && { to: midnight(addDays(to, 1)) }),
    ...(token && { page_token: token }),
  }
  const { data, error, refetch } = useRead('audit.getMulti', { query } as never, { enabled: isPatientKnown })
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
        <TextInput
          label="Patient ID"
          description="Shown in the address of the patient's page"
          error={isPatientKnown ? undefined : 'Not a patient ID'}
          value={patient}
          onChange={narrow(setPatient)}
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
        <TextInput label="From" description="This day included" type="date" value={from} onChange={narrow(setFrom)} />
        <TextInput label="To" description="This day included" type="date" value={to} onChange={narrow(setTo)} />
      </div>
      {error && !data && <Problem error={error} retry={refetch} />}
      {!data && !error && isPatientKnown && <Loading what="the audit trail" />}
      {data?.items.length === 0 && <Empty title="No entries found" />}
      {data && data.items.length > 0 && (
        <Rows label="Audit trail" heads={['When', 'Who', 'What', 'Record', 'Outcome', 'From']}>
          {data.items.map((event: AuditEvent) => (
            <tr key={event.id}>
              <td>{formatInstant(event.at, organization.time_zone)}</td>
              <td>{nameOf(event)}</td>
              <td>{describeOperation(event.operation)}</td>
              <td>
                {event.record_type}
                <div className={styles.soft}>
                  {[...(event.record_ids ?? []), ...(event.patient_ids ?? [])].slice(0, 3).join(', ')}
                </div>
              </td>
              <td>
                {event.error_name ? `Refused: ${event.error_name}` : 'Done'}
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

const operations = Object.keys(addresses)
  .map((name) => ({ value: name, label: describeOperation(name) }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** `patients` matches all operations of the group. */
const groups = [...new Set(Object.keys(addresses).map((name) => name.split('.')[0] ?? ''))]
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
