import { PROHIBITION } from '../../../src/contract/answer-notes.ts'
import styles from './forbidden.module.css'
import { WarningIcon } from './icons.tsx'

/** To bill a Qualified Medicare Beneficiary is against the law: the same bar wherever somebody reads about the patient, and like nothing else there. */
export const Forbidden = () => (
  <p className={styles.forbidden}>
    <WarningIcon size={18} />
    <span>
      <strong>{PROHIBITION}.</strong> Billing for Medicare cost sharing is against the law.
    </span>
  </p>
)
