// The forms of Stedi's answers and errors. Source: clearinghouse.md A3.
import type { Reply } from '../replies.ts'

/** `path` is a JSON pointer, as in Stedi's `fieldList`. */
export interface InputFault {
  path: string
  message: string
}

export function replyWithJson(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}

export function replyWithFaults(faults: InputFault[]): Reply {
  return replyWithJson(400, { message: `${faults.length} validation errors detected`, fieldList: faults })
}

/** The form of errors since 2026-06-01. */
export function replyWithErrors(errors: InputFault[]): Reply {
  return replyWithJson(400, { message: 'The request is not valid.', errors })
}

export function replyWithMessage(status: number, code: string, message: string): Reply {
  return replyWithJson(status, { code, message })
}
