import type { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import { objectsOf, readJsonObject, textOf } from '../../../clearinghouses/json-values.ts'
import { INVALID_PARTICIPANT } from '../../../x12/codes/rejections.ts'
import type { ErrorDetails } from '../wire.ts'
import { CHECK_PAYER_LIST } from './rejections.ts'

/** Of a payer that the clearinghouse does not recognize; otherwise the payer itself would have answered. Source: rules.md 13.3. */
const ABOUT_UNKNOWN_PAYER = {
  field: 'AAA',
  followupAction: 'Please Correct and Resubmit',
  location: 'Loop 2100A',
} as const

/** The reason for a missing answer in the fields that clients read: the clearinghouse's own JSON, and our description. */
export function failureDetails({ code, message, detail, rawResponse }: ClearinghouseError): ErrorDetails {
  const json = readJsonObject(rawResponse ?? '')
  const [stated = {}] = typeof json === 'object' ? objectsOf(json.errors) : []
  const details: ErrorDetails = {}
  for (const key of ['field', 'followupAction', 'location', 'possibleResolutions'] as const) {
    const text = textOf(stated[key])
    if (text !== undefined) details[key] = text
  }
  const isUnknownPayer = code === INVALID_PARTICIPANT
  return {
    code,
    description: isUnknownPayer ? `${message}: ${CHECK_PAYER_LIST}` : message,
    ...(detail && { possibleResolutions: detail }),
    ...(isUnknownPayer && ABOUT_UNKNOWN_PAYER),
    ...details,
  }
}
