// A patient in a list of search results, with what distinguishes two of the same name.
import type { FoundPatient as Item } from '../../api/generated.ts'
import { shortDay } from '../../rules/days.ts'
import { listName } from '../../rules/names.ts'
import styles from './found-patient.module.css'

export function FoundPatient({ patient, primary_coverage: primary }: Item) {
  return (
    <div className={styles.found}>
      <bdi className={styles.name}>{listName(patient.name)}</bdi>
      <span>{shortDay(patient.birth_date)}</span>
      <span>{patient.mrn}</span>
      <span className={styles.more}>
        {[patient.primary_telecom?.value, primary?.insurance_plan.payer_name].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}
