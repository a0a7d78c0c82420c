import { Alert } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { type Attempt, createOnce } from '../../api/create-once.ts'
import type { MutablePatient, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { shortDay } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { newPatient, patientFields } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import styles from './patient.module.css'

export function NewPatient() {
  const navigate = useNavigate()
  const [duplicates, setDuplicates] = useState<{ ids: string[]; patient: MutablePatient }>()
  useEffect(() => {
    document.title = 'New patient · Anteroom'
  }, [])

  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (duplicates) alert.current?.focus()
  }, [duplicates])

  /** A second attempt with the same first and last name and birth date means that this is another person. */
  async function create(patient: MutablePatient, attempt: Attempt<MutablePatient>): Promise<'refused' | undefined> {
    const isOther = duplicates !== undefined && isSamePerson(patient, duplicates.patient)
    try {
      const { id } = await createOnce<MutablePatient, Patient>(patient, attempt, {
        create: (body, query) => call('patients.create', { body, query: { ...query, skip_duplicate_check: isOther } }),
        change: ({ id, version, filing_order }, body) =>
          call('patients.update', { path: { id, version: version + 1 }, body: { ...body, filing_order } }),
      })
      announce('The patient was added.')
      await navigate({ to: '/patients/$patientId', params: { patientId: id } })
      return undefined
    } catch (error) {
      const ids = duplicatesOf(error)
      if (ids.length === 0) throw error
      setDuplicates({ ids, patient })
      return 'refused'
    }
  }
  return (
    <>
      <h1 className={styles.title}>New patient</h1>
      {duplicates && (
        <Alert ref={alert} role="alert" tabIndex={-1} color="yellow" title="Possible duplicate patient">
          <p>
            A patient with the same first and last name and birth date exists. Open that record, or add this one as a
            different person.
          </p>
          <ul>
            {duplicates.ids.map((id) => (
              <Duplicate key={id} id={id} />
            ))}
          </ul>
          {duplicates.ids.length > 1 && (
            <p>
              <Link
                to="/patients/$patientId/merge"
                params={{ patientId: duplicates.ids[0] ?? '' }}
                search={{ other: duplicates.ids[1] ?? '' }}
              >
                These look like one person entered twice: compare and merge them
              </Link>
            </p>
          )}
        </Alert>
      )}
      <RecordForm
        draftKey="new-patient"
        fields={patientFields}
        record={newPatient()}
        submit={duplicates ? 'Add as a different person' : 'Add patient'}
        save={create}
      />
    </>
  )
}

function Duplicate({ id }: { id: string }) {
  const { data } = useRead('patients.get', { path: { id } })
  return (
    <li>
      <Link to="/patients/$patientId" params={{ patientId: id }}>
        {data ? (
          <>
            <bdi>{fullName(data.name)}</bdi>, {shortDay(data.birth_date)}, {data.mrn}
          </>
        ) : (
          'the existing patient'
        )}
      </Link>
    </li>
  )
}

const isSamePerson = (one: MutablePatient, other: MutablePatient) =>
  fullName(one.name) === fullName(other.name) && one.birth_date === other.birth_date

function duplicatesOf(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.status !== 409 || !Array.isArray(error.content.data)) return []
  return error.content.data.flatMap((each: unknown) => {
    const id = (each as { existing_patient_id?: unknown } | null)?.existing_patient_id
    return typeof id === 'string' ? [id] : []
  })
}
