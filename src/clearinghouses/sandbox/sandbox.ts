import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { readCoreMessage } from '../core/envelope.ts'
import { type CoreFields, type CoreForm, coreTimeStamp } from '../core/fields.ts'
import { soapNamespaces } from '../core/soap.ts'
import { answerInterchange } from './answer-interchange.ts'
import { type Credentials, refuseEnvelope } from './check-envelope.ts'
import { overviewPage } from './overview-page.ts'
import {
  misbehave,
  type Reply,
  type ReplyContext,
  replyUnknownPayer,
  replyWithError,
  replyWithFault,
  replyWithHtml,
  replyWithPayload,
  replyWithText,
} from './replies.ts'
import { type Roster, readRoster } from './roster.ts'

export interface SandboxOptions {
  /** 0 takes any free port. */
  port: number
  host?: string
  /** Path of a roster file; the one that ships with the project when left out. */
  roster?: string
  clock?: () => Date
  /** One line an exchange, without anything of a patient. */
  log?: (message: string, fields: object) => void
  /** Demanded of every request when given. */
  credentials?: Credentials
  /** How slow members wait. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

export interface Sandbox {
  /** Where the CORE connector posts to. */
  url: string
  port: number
  close(): Promise<void>
}

const path = '/core'
const maxRequestBytes = 10_000_000

/**
 * Starts a clearinghouse of invented payers: CORE 2.2.0 real time on `POST /core`, an overview for people on `GET /`.
 * @throws Error when the roster has faults or the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host = '127.0.0.1', clock = () => new Date(), log, credentials } = options
  const pause = options.pause ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal }))
  const roster = await readRoster(options.roster)
  const closing = new AbortController()
  const server = createServer((request, response) => {
    answer(request)
      .catch((error: Error): Reply => {
        if (!closing.signal.aborted) log?.('sandbox failure', { type: error.name })
        return replyWithText(500, 'The sandbox failed')
      })
      .then((reply) => reply && send(response, reply))
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}${path}`

  async function answer(request: IncomingMessage): Promise<Reply | undefined> {
    const target = request.url?.split('?', 1)[0]
    if (target === '/' && request.method === 'GET') return replyWithHtml(overviewPage(roster, url))
    if (target !== path) return replyWithText(404, `Post to ${path}`)
    if (request.method !== 'POST') return replyWithText(405, 'Only POST is answered', { allow: 'POST' })
    const contentType = request.headers['content-type'] ?? ''
    const form = formOf(contentType)
    if (!form) return replyWithText(415, 'Send application/soap+xml, text/xml or multipart/form-data')
    const body = await readBody(request)
    if (!body) return replyWithText(413, 'The request is too large')
    const { outcome, afterMs, reply } = answerMessage({ roster, credentials, form, contentType, body, at: clock() })
    log?.('sandbox exchange', { form, outcome, status: reply?.status })
    if (afterMs) await pause(afterMs, closing.signal)
    return reply
  }

  return {
    url,
    port: address.port,
    async close() {
      closing.abort()
      await stop(server)
    },
  }
}

interface Asked {
  roster: Roster
  credentials: Credentials | undefined
  form: CoreForm
  contentType: string
  body: Buffer
  at: Date
}

interface Answered {
  /** For the log. */
  outcome: string
  afterMs?: number
  /** Undefined when no reply is ever sent. */
  reply: Reply | undefined
}

function answerMessage({ roster, credentials, form, contentType, body, at }: Asked): Answered {
  if (form !== 'mime' && !body.includes(soapNamespaces[form])) {
    return { outcome: 'VersionMismatch', reply: replyWithFault(form, 'VersionMismatch', 'The SOAP version is another') }
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
      const { text, behaviour } = answered
      const { instead, afterMs } = behaviour
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

function formOf(contentType: string): CoreForm | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/soap+xml') return 'soap12'
  if (type === 'text/xml') return 'soap11'
  if (type === 'multipart/form-data') return 'mime'
  // MTOM: the SOAP version stands in a parameter.
  if (type === 'multipart/related') return contentType.includes('application/soap+xml') ? 'soap12' : 'soap11'
  return undefined
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxRequestBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
