// Reasons in the form of discovery and coordination of benefits: bare error details without a source. Source: rules.md 13.10, 13.11.
import type { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import { objectsOf, textOf } from '../../../clearinghouses/json-values.ts'
import { ERROR_DETAIL_KEYS } from '../../../contract/eligibility-check.schema.ts'
import type { ErrorDetails } from '../wire.ts'
import { wireErrorDetails } from './rejections.ts'

/** One reason, under the interface's keys and under the plain ones. */
export type BareError = Record<string, string>

/** The clearinghouse's own list of errors under the interface's keys; entries that are not error objects are left out. */
export function bareErrors(errors: unknown): BareError[] {
  return objectsOf(errors).map((error) => {
    const details: ErrorDetails = {}
    for (const key of ERROR_DETAIL_KEYS) {
      const text = textOf(error[key]) ?? (key === 'description' ? textOf(error.message) : undefined)
      if (text !== undefined) details[key] = text
    }
    return bareError(details)
  })
}

/** The failure of a clearinghouse as one error. */
export function bareFailure({ code, message, detail }: ClearinghouseError): BareError {
  return bareError({ code, description: message, ...(detail !== undefined && { possibleResolutions: detail }) })
}

/** The errors of a check, without their source. */
export const withoutSource = (errors: readonly { errorDetails: ErrorDetails }[]): BareError[] =>
  errors.map(({ errorDetails }) => ({ ...errorDetails }) as BareError)

/** A reason of this service. */
export function bareError(details: ErrorDetails): BareError {
  return { ...wireErrorDetails(details) } as BareError
}
