// A patient in a list of search results, with what distinguishes two of the same name.
import { shownTelephone } from '../../../../src/contract/shown-telephones.ts'
import { shortDay } from '../../rules/days.ts'
import { listName } from '../../rules/names.ts'
import { matchWords } from '../../rules/search.ts'
import styles from './found-patient.module.css'
import type { Found } from './use-patient-search.ts'

/** `note`: why it is in the list, where it is not what was typed. */
export function FoundPatient({
  patient,
  primary_coverage: primary,
  matched_coverage: matched,
  isMerged,
  note,
}: Found & { note?: string | undefined }) {
  const coverage = matched ? matchWords(matched) : primary?.insurance_plan.payer_name
  return (
    <div className={styles.found}>
      <bdi className={styles.name}>{listName(patient.name)}</bdi>
      <span>{shortDay(patient.birth_date)}</span>
      <span>{patient.mrn}</span>
      <span className={styles.more}>
        {[
          note,
          isMerged && 'the record with this MRN is merged into it',
          shownTelephone(patient.primary_telecom?.value ?? ''),
          coverage,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  )
}
