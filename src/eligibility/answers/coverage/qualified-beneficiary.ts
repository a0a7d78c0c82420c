import { isInactiveRow } from '../../../x12/benefit-row.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { withoutCaution } from '../benefits/benefit-notes.ts'
import { QMB_NAME } from '../words/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import { isInForce } from './other-coverage.ts'

/** EB04 of a qualified Medicare beneficiary: Medicaid pays the cost sharing, and there is no other plan. */
export const QUALIFIED_BENEFICIARY = 'QM'

/** Source: 42 U.S.C. 1396a(n)(3)(B): a provider that bills a QMB for Medicare cost sharing is sanctioned. */
export const QUALIFIED_BENEFICIARY_CAUTION =
  'Qualified Medicare Beneficiary (QMB): billing the patient for Medicare cost sharing is against the law'

/** Whether a note of an answer says that the patient may not be billed. */
export const isProhibition = (note: string): boolean => withoutCaution(note) === QUALIFIED_BENEFICIARY_CAUTION

/** True when a row states by its type or in words that the patient is a QMB: not a former one, and not outside the dates of the row. */
export function isQualifiedBeneficiary(rows: readonly BenefitRow[], day: string | undefined): boolean {
  return rows.some((row) => {
    if (isInactiveRow(row) || (row.insuranceType !== QUALIFIED_BENEFICIARY && !saysSo(row))) return false
    return day === undefined || isInForce(row, day)
  })
}

function saysSo({ messages, planDescription }: BenefitRow): boolean {
  if (planDescription !== undefined && states(QMB_NAME, planDescription)) return true
  return messages.some((text) => states(QMB_NAME, text))
}
