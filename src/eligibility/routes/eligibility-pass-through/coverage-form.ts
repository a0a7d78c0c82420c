import {
  type CoverageFrame,
  coverageStatuses,
  writeCoverage,
  writeFrame,
} from '../../../clearinghouses/availity/write-coverage.ts'
import { prepareDetails } from '../../../clearinghouses/availity/write-details.ts'
import type { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import { isEligibility, readEligibility } from '../../../clearinghouses/stedi/read-eligibility.ts'
import { isObject } from '../../../contract/is-object.ts'
import { isBeyondWritten } from '../../../x12/bounds.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import type { CheckError, CheckOutcome } from '../../answers/outcome.ts'

/**
 * A check's outcome in the form of Availity's Coverage, for any connector: plans and benefits of an answer, `validationMessages` of a
 * rejection or a failure. The form lists a row under each of its services; an answer that would be too long in it is a failure. Source:
 * clearinghouse.md C.
 */
export async function toCoverage(
  outcome: CheckOutcome,
  frame: CoverageFrame,
  turn: () => Promise<void> | undefined = () => undefined,
): Promise<object> {
  await turn()
  const { response } = outcome
  // An answer about another person has no response, and a response that is not an eligibility answer is not rendered as one.
  const [patient] = isObject(response) && isEligibility(response) ? readEligibility(response).patients : []
  await turn()
  if (patient && (outcome.parsedResponse || patient.rejections.length > 0)) {
    if (isBeyondWritten(patient.benefits.map(writtenTimes))) {
      return { ...writeFrame(frame, coverageStatuses.requestError), validationMessages: [TOO_LONG] }
    }
    for (let from = 0; from < patient.benefits.length; from += ROWS_A_TURN) {
      prepareDetails(patient.benefits.slice(from, from + ROWS_A_TURN))
      await turn()
    }
    return writeCoverage(patient, frame)
  }
  const status = outcome.outage ? coverageStatuses.communicationError : coverageStatuses.requestError
  return { ...writeFrame(frame, status), validationMessages: outcome.errors.map(toMessage) }
}

/** Ten milliseconds for a process that has just started. */
const ROWS_A_TURN = 500

function writtenTimes(row: BenefitRow): [row: object, times: number] {
  const { serviceTypeCodes, ...rest } = row
  return [rest, Math.max(1, serviceTypeCodes.length)]
}

const TOO_LONG = {
  code: 'AnswerTooLarge',
  errorMessage:
    'The answer is too long in this form. The check is stored: read it with GET /anteroom/v1/eligibility-checks/{id}',
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
