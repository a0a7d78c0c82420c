import { readCoreMessage } from '../../clearinghouses/core/envelope.ts'
import { type CoreFields, type CoreForm, coreTimeStamp } from '../../clearinghouses/core/fields.ts'
import { soapNamespaces } from '../../clearinghouses/core/soap.ts'
import { answerInterchange } from './answer-interchange.ts'
import { type Credentials, refuseEnvelope } from './check-envelope.ts'
import {
  misbehave,
  type Reply,
  type ReplyContext,
  replyUnknownPayer,
  replyWithError,
  replyWithFault,
  replyWithPayload,
} from './replies.ts'
import type { Roster } from './roster.ts'

interface CoreCall {
  roster: Roster
  credentials: Credentials | undefined
  form: CoreForm
  contentType: string
  body: Buffer
  at: Date
}

/** The reply to a request, its delay, and its name in the log. */
export interface Answered {
  /** The name in the log. */
  outcome: string
  afterMs?: number
  /** Undefined when no reply is ever sent. */
  reply: Reply | undefined
}

/** Answers one CORE envelope. Source: clearinghouse.md B. */
export function answerCore({ roster, credentials, form, contentType, body, at }: CoreCall): Answered {
  if (form !== 'mime' && !body.includes(soapNamespaces[form])) {
    return {
      outcome: 'VersionMismatch',
      reply: replyWithFault(form, 'VersionMismatch', 'The SOAP version does not match the content type'),
    }
  }
  const reading = readCoreMessage(contentType, body)
  if (reading.kind !== 'envelope') {
    return { outcome: 'no envelope', reply: replyWithFault(form, 'Sender', 'No CORE envelope was found') }
  }
  const { fields } = reading
  const context = contextOf(form, fields, at)
  const refusal = refuseEnvelope(fields, credentials)
  if (refusal) return { outcome: refusal.code, reply: replyWithError(context, refusal) }
  const answered = answerInterchange(roster, fields.Payload ?? '', at)
  switch (answered.kind) {
    case 'not-a-270': {
      const code = 'PayloadNotUnderstood'
      return { outcome: code, reply: replyWithError(context, { code, message: 'The payload holds no 270 inquiry' }) }
    }
    case 'unknown-payer':
      return { outcome: 'unknown payer', reply: replyUnknownPayer() }
    case 'answered': {
      const { text, behavior } = answered
      const { instead, afterMs } = behavior
      const reply = instead ? misbehave(context, instead, text) : replyWithPayload(context, '271', text)
      return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
    }
  }
}

function contextOf(form: CoreForm, fields: CoreFields, at: Date): ReplyContext {
  return {
    form,
    payloadId: fields.PayloadID ?? '',
    timeStamp: coreTimeStamp(at),
    senderId: fields.ReceiverID ?? '',
    receiverId: fields.SenderID ?? '',
  }
}

/** The CORE form of a content type. */
export function formOf(contentType: string): CoreForm | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/soap+xml') return 'soap12'
  if (type === 'text/xml') return 'soap11'
  if (type === 'multipart/form-data') return 'mime'
  // MTOM: a parameter carries the SOAP version.
  if (type === 'multipart/related') return contentType.includes('application/soap+xml') ? 'soap12' : 'soap11'
  return undefined
}
