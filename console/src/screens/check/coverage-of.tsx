import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { fullName } from '../../rules/names.ts'
import { Corrections } from '../patient/corrections.tsx'
import styles from './check.module.css'

/** The coverage that was checked, and the payer's differences. */
export function CoverageOf({ coverageId }: { coverageId: string }) {
  const { data: coverage } = useRead('coverages.get', { path: { id: coverageId } })
  const patientId = coverage?.patient ?? ''
  const { data: patient } = useRead('patients.get', { path: { id: patientId } }, { enabled: patientId !== '' })
  if (!coverage || !patient) return null
  return (
    <>
      <p>
        <Link to="/patients/$patientId" params={{ patientId }}>
          <bdi>{fullName(patient.name)}</bdi>
        </Link>{' '}
        <span className={styles.soft}>
          {patient.mrn} · {coverage.insurance_plan.payer_name}, {coverage.insurance_plan.member_id}
        </span>
      </p>
      <Corrections coverage={coverage} />
    </>
  )
}
