import {
  type CoverageFrame,
  coverageStatuses,
  writeCoverage,
  writeFrame,
} from '../../../clearinghouses/availity/write-coverage.ts'
import type { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import { isObject } from '../../../clearinghouses/json-values.ts'
import { isEligibility, readEligibility } from '../../../clearinghouses/stedi/read-eligibility.ts'
import type { CheckError, CheckOutcome } from '../../answers/outcome.ts'

/**
 * A check's outcome in the form of Availity's Coverage, for any connector: plans and benefits of an answer, `validationMessages` of a
 * rejection or a failure. Source: clearinghouse.md C.
 */
export function toCoverage(outcome: CheckOutcome, frame: CoverageFrame): object {
  const { response } = outcome
  // An answer about another person has no response, and a response that is not an eligibility answer is not rendered as one.
  const [patient] = isObject(response) && isEligibility(response) ? readEligibility(response).patients : []
  if (patient && (outcome.parsedResponse || patient.rejections.length > 0)) return writeCoverage(patient, frame)
  const status = outcome.outage ? coverageStatuses.communicationError : coverageStatuses.requestError
  return { ...writeFrame(frame, status), validationMessages: outcome.errors.map(toMessage) }
}

/** The coverage for a failure of the clearinghouse. */
export function toFailedCoverage({ code, message, detail, retryable }: ClearinghouseError): object {
  const status = retryable ? coverageStatuses.communicationError : coverageStatuses.requestError
  return { ...status, validationMessages: [{ code, errorMessage: detail ? `${message}: ${detail}` : message }] }
}

function toMessage({ errorDetails }: CheckError): object {
  const { code, description, possibleResolutions } = errorDetails as Record<string, string | undefined>
  const errorMessage = [description, possibleResolutions].filter(Boolean).join(': ')
  return { ...(code && { code }), errorMessage }
}
