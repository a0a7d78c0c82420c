// The patient whose audit trail is shown: any, or one that is found by a search.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { shortDay } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { SEARCH_LABEL } from '../../rules/search.ts'
import { Picker } from '../../ui/picker.tsx'
import { Problem } from '../../ui/states.tsx'
import { FoundPatient } from '../search/found-patient.tsx'
import { usePatientSearch } from '../search/use-patient-search.ts'
import styles from './admin.module.css'

const SHOWN = 6

interface Props {
  patientId: string | undefined
  onChange: (patientId: string | undefined) => void
}

export function AuditPatient({ patientId, onChange }: Props) {
  const [text, setText] = useState('')
  const { items, isAsked, isAnswered, isCurrent, error, refetch } = usePatientSearch(text, SHOWN)
  if (patientId !== undefined) return <Chosen patientId={patientId} onChange={onChange} />
  return (
    <div className={styles.wide}>
      <Picker
        label="Patient"
        placeholder={SEARCH_LABEL}
        text={text}
        onText={setText}
        items={isAsked ? items : []}
        isCurrent={isCurrent}
        keyOf={({ patient }) => patient.id}
        onTake={({ patient }) => {
          setText('')
          onChange(patient.id)
        }}
        message={isAnswered && items.length === 0 ? 'No patients found.' : ''}
        render={FoundPatient}
      />
      {error && <Problem error={error} retry={refetch} />}
    </div>
  )
}

function Chosen({ patientId, onChange }: Props & { patientId: string }) {
  const { data: patient } = useRead('patients.get', { path: { id: patientId } }, { retry: false })
  return (
    <p className={styles.wide}>
      Patient:{' '}
      <strong>
        {patient ? (
          <>
            <bdi>{fullName(patient.name)}</bdi>, {shortDay(patient.birth_date)}, {patient.mrn}
          </>
        ) : (
          patientId
        )}
      </strong>{' '}
      <Button size="compact-sm" variant="default" onClick={() => onChange(undefined)}>
        All patients
      </Button>
    </p>
  )
}
