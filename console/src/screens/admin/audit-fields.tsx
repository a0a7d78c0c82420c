// What of the audit trail is shown.
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { addresses } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import type { AuditFilters } from '../../rules/audit.ts'
import { describeOperation } from '../../rules/operations.ts'
import styles from './admin.module.css'
import { AuditPatient } from './audit-patient.tsx'

interface Props {
  patient: string | undefined
  onPatient: (patient: string | undefined) => void
  filters: AuditFilters
  onFilters: (filters: AuditFilters) => void
  /** Whether patients are shown by name. */
  isNamed: boolean
  onNamed: (isNamed: boolean) => void
}

export function AuditFields({ patient, onPatient, filters, onFilters, isNamed, onNamed }: Props) {
  const people = useRead('users.getMulti', {}, { enabled: useMay('users.getMulti') }).data ?? []
  const { person, operation, from, to, withOthers } = filters
  const set =
    (field: 'person' | 'operation' | 'from' | 'to') => (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      onFilters({ ...filters, [field]: event.target.value })
  return (
    <div className={`${styles.box} ${styles.form}`}>
      <AuditPatient patientId={patient} onChange={onPatient} />
      <NativeSelect
        label="Person"
        value={person}
        data={[{ value: '', label: 'Any user' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={set('person')}
      />
      <NativeSelect
        label="What"
        value={operation}
        data={[{ value: '', label: 'Anything' }, ...groups, ...operations]}
        onChange={set('operation')}
      />
      <TextInput label="From" description="Including this day" type="date" value={from} onChange={set('from')} />
      <TextInput label="To" description="Including this day" type="date" value={to} onChange={set('to')} />
      <Checkbox
        className={styles.wide ?? ''}
        label="Include entries without a patient, such as sign-ins and settings"
        checked={withOthers || operation !== ''}
        disabled={patient !== undefined || operation !== ''}
        onChange={(event) => onFilters({ ...filters, withOthers: event.target.checked })}
      />
      {useMay('patients.get') && (
        <Checkbox
          className={styles.wide ?? ''}
          label="Show patient names (recorded as a view of each patient)"
          checked={isNamed}
          onChange={(event) => onNamed(event.target.checked)}
        />
      )}
    </div>
  )
}

const operations = Object.keys(addresses)
  .map((name) => ({ value: name, label: describeOperation(name) }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** `patients` matches all operations of the group. */
const groups = [...new Set([...Object.keys(addresses).map((name) => name.split('.')[0] ?? ''), 'system', 'command'])]
  .map((group) => ({ value: group, label: `${describeOperation(group)}: everything` }))
  .sort((a, b) => a.label.localeCompare(b.label))
