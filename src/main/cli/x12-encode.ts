import { randomInt, randomUUID } from 'node:crypto'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import { WireError } from '../../contract/errors.ts'
import { requireAskable, toCheckRequest } from '../../eligibility/checks/check-request.ts'
import { type CheckRequest, toInquiry } from '../../eligibility/inquiries/check-inquiry.ts'
import { fitInquiry } from '../../eligibility/inquiries/fit-inquiry.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { writeInquiry } from '../../x12/inquiry-writer.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { print } from './program/output.ts'
import { readInput } from './program/read-input.ts'
import { readRequest } from './program/read-request.ts'

const CONTROL_NUMBER_MAX = 999_999_999

/** Prints the 270 of an eligibility request in the wire form of `POST /eligibility-checks/v1`. */
export async function encode(line: CommandLine): Promise<void> {
  const request = readRequest(await readInput(requireWord(line, 0, 'a file or -')))
  const at = new Date()
  const { inquiry } = fitInquiry(toInquiry(readAsked(request, at.toISOString().slice(0, 10)), randomUUID()))
  print(
    writeInquiry(inquiry, {
      senderQualifier: 'ZZ',
      senderId: 'ANTEROOM',
      receiverQualifier: 'ZZ',
      receiverId: 'CLEARINGHOUSE',
      usage: 'T',
      controlNumber: randomInt(1, CONTROL_NUMBER_MAX),
      at,
    }),
  )
}

/** @throws StartupError that names the fields that an inquiry cannot carry. */
function readAsked(request: EligibilityRequest, today: string): CheckRequest {
  try {
    const asked = toCheckRequest(request, today)
    requireAskable(asked)
    return asked
  } catch (error) {
    throw error instanceof WireError ? new StartupError(error.message, { cause: error }) : error
  }
}
