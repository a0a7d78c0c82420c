import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useRead } from '../../api/query.ts'
import { shortDay } from '../../rules/days.ts'
import { fullName } from '../../rules/names.ts'
import { Corrections } from '../patient/corrections.tsx'
import styles from './check.module.css'

/** Whose coverage was checked. */
export function PatientOf({ coverageId }: { coverageId: string }) {
  const { data: coverage } = useRead('coverages.get', { path: { id: coverageId } })
  const patientId = coverage?.patient ?? ''
  const { data: patient } = useRead('patients.get', { path: { id: patientId } }, { enabled: patientId !== '' })
  const mrn = patient?.mrn
  // Browsers print it on each page of an answer.
  useEffect(() => {
    if (mrn) document.title = `${mrn} · Eligibility · Anteroom`
  }, [mrn])
  if (!coverage || !patient) return null
  return (
    <p className={styles.whose}>
      <Link to="/patients/$patientId" params={{ patientId }}>
        <bdi>{fullName(patient.name)}</bdi>
      </Link>{' '}
      <span className={styles.soft}>
        {shortDay(patient.birth_date)} · {patient.mrn} · {coverage.insurance_plan.payer_name},{' '}
        {coverage.insurance_plan.member_id}
      </span>
    </p>
  )
}

/** The payer's differences from the coverage that was checked. */
export function CorrectionsOf({ coverageId }: { coverageId: string }) {
  const { data: coverage } = useRead('coverages.get', { path: { id: coverageId } })
  return coverage ? <Corrections coverage={coverage} /> : null
}
