import { randomInt, randomUUID } from 'node:crypto'
import { toCheckRequest } from '../checks/check-request.ts'
import { toInquiry } from '../eligibility/check.ts'
import { writeInquiry } from '../x12/inquiry-writer.ts'
import { type CommandLine, requireWord } from './command-line.ts'
import { print } from './output.ts'
import { readInput } from './read-input.ts'
import { readRequest } from './read-request.ts'

const CONTROL_NUMBER_MAX = 999_999_999

/** Prints the 270 of an eligibility request in the wire form of `POST /eligibility-checks/v1`. */
export async function encode(line: CommandLine): Promise<void> {
  const request = readRequest(await readInput(requireWord(line, 0, 'a file or -')))
  const at = new Date()
  const inquiry = toInquiry(toCheckRequest(request, at.toISOString().slice(0, 10)), randomUUID())
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
