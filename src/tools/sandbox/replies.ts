import { writeEnvelope } from '../../clearinghouses/core/envelope.ts'
import type { CoreFields, CoreForm } from '../../clearinghouses/core/fields.ts'
import { type FaultCode, writeFault } from '../../clearinghouses/core/soap.ts'
import { INVALID_PARTICIPANT } from '../../x12/codes/rejections.ts'
import type { EnvelopeRefusal } from './check-envelope.ts'
import type { RosterAnswer } from './roster.ts'

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** The values that all replies to one request share. */
export interface ReplyContext {
  form: CoreForm
  payloadId: string
  timeStamp: string
  senderId: string
  receiverId: string
}

const payloadTypes = {
  '271': 'X12_271_Response_005010X279A1',
  '999': 'X12_999_Response_005010X231A1',
  TA1: 'X12_TA1_Response_00501X231A1',
} as const

export function replyWithPayload(context: ReplyContext, type: keyof typeof payloadTypes, payload: string): Reply {
  return reply(context, {
    PayloadType: payloadTypes[type],
    Payload: payload,
    ErrorCode: 'Success',
    ErrorMessage: 'None',
  })
}

export function replyWithError(context: ReplyContext, { code, message }: EnvelopeRefusal): Reply {
  return reply(context, { PayloadType: 'CoreEnvelopeError', ErrorCode: code, ErrorMessage: message })
}

/**
 * SOAP 1.2 distinguishes the sender's faults (400) from the receiver's (500); SOAP 1.1 has only 500. MIME has no faults: plain 400 or 500.
 */
export function replyWithFault(form: CoreForm, code: FaultCode, reason: string): Reply {
  const status = code === 'Sender' && form !== 'soap11' ? 400 : 500
  return form === 'mime' ? replyWithText(status, reason) : { status, ...writeFault(form, code, reason) }
}

export function replyWithText(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(`${text}\n`),
  }
}

export function replyWithHtml(html: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) }
}

/** The answer of a clearinghouse that cannot route to a payer: HTTP 400 with AAA 79 in JSON. Source: rules.md 13.3, 13.4. */
export function replyUnknownPayer(): Reply {
  const error = {
    code: INVALID_PARTICIPANT,
    field: 'AAA',
    description: 'Invalid Participant Identification',
    followupAction: 'Please Correct and Resubmit',
    location: 'Loop 2100A',
    possibleResolutions: 'The payer ID is not configured at this clearinghouse. Check it against the payer list.',
  }
  const body = { status: 'ERROR', message: 'Payer is not configured', errors: [error] }
  return { status: 400, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
}

/** The faulty reply that the roster specifies for a patient; undefined when no reply is ever sent. */
export function misbehave(
  context: ReplyContext,
  instead: NonNullable<RosterAnswer['instead']>,
  answer271: string,
): Reply | undefined {
  switch (instead) {
    case 'nothing':
      return undefined
    case 'empty':
      return { status: 200, headers: { 'content-type': 'application/soap+xml' }, body: Buffer.alloc(0) }
    case 'html':
      return replyWithHtml(
        '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon<br></body></html>',
      )
    case 'half-envelope':
      return cutInHalf(replyWithPayload(context, '271', answer271))
    case 'truncated-271':
      return replyWithPayload(context, '271', answer271.slice(0, Math.floor(answer271.length / 2)))
    case 'another-patient':
      return replyWithPayload(context, '271', answer271)
    case '999':
      return replyWithPayload(context, '999', write999(answer271))
    case 'TA1':
      return replyWithPayload(context, 'TA1', writeTa1(answer271))
    case 'error-code':
      return replyWithError(context, { code: 'PayloadIDIllegal', message: 'PayloadID was used before' })
    case 'soap-fault':
      return replyWithFault(context.form, 'Receiver', 'The payer gateway is not available')
    case 'http-503':
      return replyWithText(503, 'Service Unavailable', { 'retry-after': '30' })
  }
}

function reply(context: ReplyContext, fields: CoreFields): Reply {
  const envelope: CoreFields = {
    ...fields,
    ProcessingMode: 'RealTime',
    PayloadID: context.payloadId,
    TimeStamp: context.timeStamp,
    SenderID: context.senderId,
    ReceiverID: context.receiverId,
    CORERuleVersion: '2.2.0',
  }
  return { status: 200, ...writeEnvelope(context.form, 'Response', envelope) }
}

function cutInHalf(whole: Reply): Reply {
  return { ...whole, body: whole.body.subarray(0, whole.body.length / 2) }
}

/** An interchange with the ISA of another one around other segments. */
function wrapLike(interchange: string, segments: string[], groups: number): string {
  const [isa = ''] = interchange.split('~', 1)
  const controlNumber = isa.split('*')[13] ?? ''
  return [isa, ...segments, `IEA*${groups}*${controlNumber}`, ''].join('~')
}

/** IK3 and IK4 name NM109 of the subscriber. Source: 005010X231A1. */
export function write999(answer271: string): string {
  const [, , senderId = '', receiverId = '', date = '', time = '', group = ''] = (answer271.split('~')[1] ?? '').split(
    '*',
  )
  const segments = [
    `GS*FA*${senderId}*${receiverId}*${date}*${time}*${group}*X*005010X231A1`,
    'ST*999*0001*005010X231A1',
    `AK1*HS*${group}*005010X279A1`,
    'AK2*270*0001*005010X279A1',
    'IK3*NM1*8*2100*8',
    'IK4*9*67*1',
    'IK5*R*5',
    'AK9*R*1*1*0',
    'SE*8*0001',
    `GE*1*${group}`,
  ]
  return wrapLike(answer271, segments, 1)
}

/** 006: the interchange sender id is unknown. Source: X12 TA105. */
export function writeTa1(answer271: string): string {
  const isa = (answer271.split('~', 1)[0] ?? '').split('*')
  return wrapLike(answer271, [`TA1*${isa[13]}*${isa[9]}*${isa[10]}*R*006`], 0)
}
