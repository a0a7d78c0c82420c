import { WireError } from '../errors.ts'
import { cleanInput } from '../http/body.ts'
import { parseBody } from '../http/body-reader.ts'
import { compileBody } from '../http/validation.ts'
import { EligibilityRequest } from '../resources/eligibility-checks/eligibility-check.schema.ts'
import { StartupError } from '../startup-error.ts'

/** A request in the wire form of `POST /eligibility-checks/v1`. @throws StartupError that names the field at fault. */
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
