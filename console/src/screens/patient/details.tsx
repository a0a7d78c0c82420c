import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { MutablePatient, Patient } from '../../api/generated.ts'
import { keyOf } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import type { Field } from '../../rules/fields.ts'
import { patientFields, toMutablePatient } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { RecordForm } from '../../ui/record-form.tsx'

/** The fields read and write a patient; the form holds the stored record with its version. */
const fields = patientFields as unknown as readonly Field<Patient>[]

export function Details({ patient }: { patient: Patient }) {
  const client = useQueryClient()
  const mayWrite = useMay('patients.update')
  const path = { id: patient.id }
  const put = (next: Patient) => client.setQueryData(keyOf('patients.get', { path }), next)

  async function save(record: Patient) {
    const body: MutablePatient = toMutablePatient(record)
    put(await call('patients.update', { path: { ...path, version: record.version + 1 }, body }))
    announce('The patient was saved.')
  }
  const reload = () => call('patients.get', { path })

  return (
    <>
      {!mayWrite && <p>Your role allows you to view this record, but not to change it.</p>}
      <fieldset disabled={!mayWrite} style={{ border: 0, padding: 0, margin: 0 }}>
        <RecordForm
          draftKey={`patient:${patient.id}`}
          fields={fields}
          record={patient}
          submit="Save"
          save={save}
          reload={reload}
        />
      </fieldset>
    </>
  )
}
