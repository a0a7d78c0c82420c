// The records of the same person that were merged with this one, and the undoing of a merge.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Patient, PatientMerge } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { fullName } from '../../rules/names.ts'
import { announce } from '../../ui/announce.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './next-visit.module.css'

export function Merges({ patient }: { patient: Patient }) {
  const { data, error, refetch } = useRead('patientMerges.getAllByMrn', { path: { mrn: patient.mrn } })
  if (error && !data) return <Problem error={error} retry={refetch} />
  return (data ?? []).map((merge) => <Merge key={merge.id} merge={merge} mrn={patient.mrn} />)
}

function Merge({ merge, mrn }: { merge: PatientMerge; mrn: string }) {
  const client = useQueryClient()
  const mayUndo = useMay('patientMerges.deactivate')
  const [failure, setFailure] = useState<unknown>()
  const isAway = merge.alternative_patient_mrn === mrn
  const other = isAway ? merge.primary_patient_mrn : merge.alternative_patient_mrn
  const { data: patient } = useRead('patients.getByMrn', { path: { mrn: other } })

  async function undo() {
    setFailure(undefined)
    try {
      await call('patientMerges.deactivate', { path: { id: merge.id, version: merge.version + 1 } })
      announce(`${merge.alternative_patient_mrn} is a separate record again.`)
    } catch (caught) {
      setFailure(caught)
    }
    await client.invalidateQueries()
  }
  const name = patient ? (
    <Link to="/patients/$patientId" params={{ patientId: patient.id }}>
      <bdi>{fullName(patient.name)}</bdi>, {other}
    </Link>
  ) : (
    other
  )
  return (
    <section className={styles.visit} data-status={isAway ? 'NOT_READY' : undefined} aria-label="Merged records">
      <span>
        {isAway ? <strong>This record was merged into </strong> : 'Merged into this record: '}
        {name}
        {isAway ? '. Use that record.' : '. Its own coverages and visits stay on that record.'}
      </span>
      {mayUndo && (
        <Button size="compact-sm" variant="default" onClick={undo}>
          Undo the merge
        </Button>
      )}
      {failure !== undefined && <Problem name="The merge was not undone" error={failure} />}
    </section>
  )
}
