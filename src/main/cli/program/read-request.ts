import { EligibilityRequest } from '../../../contract/eligibility-check.schema.ts'
import { WireError } from '../../../contract/errors.ts'
import { cleanInput } from '../../../platform/http/body.ts'
import { parseBody } from '../../../platform/http/body-reader.ts'
import { compileBody } from '../../../platform/http/validation.ts'
import { StartupError } from '../../../platform/startup-error.ts'

/** A request in the wire form of `POST /eligibility-checks/v1`. @throws StartupError that names the invalid field. */
export function readRequest(text: string): EligibilityRequest {
  try {
    const request = cleanInput(EligibilityRequest, parseBody(text))
    const fault = compileBody(EligibilityRequest)(request)
    if (fault) throw new StartupError(fault.message)
    return request as EligibilityRequest
  } catch (error) {
    throw error instanceof WireError ? new StartupError(error.message) : error
  }
}
