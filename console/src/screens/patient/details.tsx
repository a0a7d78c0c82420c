import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { MutablePatient, Patient } from '../../api/generated.ts'
import { keyOf } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { otherBirthDate } from '../../rules/coverages.ts'
import type { Field } from '../../rules/fields.ts'
import { patientFields, toMutablePatient } from '../../rules/patients.ts'
import { announce } from '../../ui/announce.tsx'
import { RecordForm } from '../../ui/record-form.tsx'

/** The fields read and write a patient; the form holds the stored record with its version. */
const fields = patientFields as unknown as readonly Field<Patient>[]

/** Whether a coverage of the patient's own has another birth date. One that cannot be read is not talked about. */
async function hasOtherBirthDate(patient: Patient): Promise<boolean> {
  const coverages = await call('coverages.getMulti', { query: { patient_id: patient.id } }).catch(() => [])
  return coverages.some((coverage) => otherBirthDate(coverage, patient) !== undefined)
}

export function Details({ patient }: { patient: Patient }) {
  const client = useQueryClient()
  const mayWrite = useMay('patients.update')
  const path = { id: patient.id }
  const put = (next: Patient) => client.setQueryData(keyOf('patients.get', { path }), next)

  async function save(record: Patient) {
    const body: MutablePatient = toMutablePatient(record)
    const saved = await call('patients.update', { path: { ...path, version: record.version + 1 }, body })
    put(saved)
    const isElsewhere = saved.birth_date !== patient.birth_date && (await hasOtherBirthDate(saved))
    announce(
      isElsewhere
        ? 'The patient was saved. Payers are asked with the birth date of the coverage, which is another: correct it under “Coverages”.'
        : 'The patient was saved.',
    )
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
