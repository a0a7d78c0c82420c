import type { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import { objectsOf, readJsonObject, textOf } from '../../clearinghouses/json-values.ts'
import type { ErrorDetails } from './wire.ts'

/** AAA03 of a payer that the clearinghouse does not know; without it the payer itself would have answered. Source: rules.md 13.3. */
const UNKNOWN_PAYER = '79'
const ABOUT_UNKNOWN_PAYER = {
  field: 'AAA',
  followupAction: 'Please Correct and Resubmit',
  location: 'Loop 2100A',
} as const

/** Why no answer came, in the fields that clients read: what the other side's own JSON says of it, and our words for it. */
export function failureDetails({ code, message, detail, rawResponse }: ClearinghouseError): ErrorDetails {
  const json = readJsonObject(rawResponse ?? '')
  const [said = {}] = typeof json === 'object' ? objectsOf(json.errors) : []
  const told: ErrorDetails = {}
  for (const key of ['field', 'followupAction', 'location', 'possibleResolutions'] as const) {
    const text = textOf(said[key])
    if (text !== undefined) told[key] = text
  }
  const isUnknownPayer = code === UNKNOWN_PAYER
  return {
    code,
    description: isUnknownPayer ? `${message}: check it against the payer list` : message,
    ...(detail && { possibleResolutions: detail }),
    ...(isUnknownPayer && ABOUT_UNKNOWN_PAYER),
    ...told,
  }
}
