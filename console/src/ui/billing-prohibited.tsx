import { PROHIBITION } from '../../../src/contract/answer-notes.ts'
import styles from './billing-prohibited.module.css'
import { WarningIcon } from './icons.tsx'

/** Billing a Qualified Medicare Beneficiary is illegal: the same bar appears wherever the patient is shown, and looks like nothing else there. */
export const BillingProhibited = () => (
  <p className={styles.prohibited}>
    <WarningIcon size={18} />
    <span>
      <strong>{PROHIBITION}.</strong> Billing for Medicare cost sharing is against the law.
    </span>
  </p>
)
