import { PROHIBITION_TO_BILL, withoutAlert } from '../../../contract/answer-notes.ts'
import { isInactiveRow } from '../../../x12/benefit-row.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { QMB_NAME } from '../words/names/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import { isInForce } from './other-coverage.ts'

/** EB04 of a qualified Medicare beneficiary: Medicaid pays the cost sharing, and there is no other plan. */
export const QUALIFIED_BENEFICIARY = 'QM'

/** Whether a note of an answer says that the patient may not be billed. */
export const isProhibition = (note: string): boolean => withoutAlert(note) === PROHIBITION_TO_BILL

/**
 * True when a row states by its type or in words that the patient is a QMB: not a former one, and not outside the dates of the row. Any name or
 * text of the row counts: a copay that is not collected can be billed later, and one that may not be collected is against the law.
 * decisions/0172-what-nobody-may-miss.md
 */
export function isQualifiedBeneficiary(rows: readonly BenefitRow[], day: string | undefined): boolean {
  return rows.some((row) => {
    if (isInactiveRow(row) || (row.insuranceType !== QUALIFIED_BENEFICIARY && !saysSo(row))) return false
    return day === undefined || isInForce(row, day)
  })
}

const sayQualified = onceForTexts((texts) => texts.some((text) => states(QMB_NAME, text)))

const says = (text: string | undefined) => text !== undefined && states(QMB_NAME, text)

function saysSo(row: BenefitRow): boolean {
  const { planDescription, references, entities } = row
  return (
    says(planDescription) ||
    references.some(({ description }) => says(description)) ||
    entities.some(({ lastName }) => says(lastName)) ||
    sayQualified(row.messages) ||
    row.additionalInformation.some(({ text }) => says(text))
  )
}
