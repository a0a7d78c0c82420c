import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SERVER_OPTIONS } from '../../platform/http/limits/connection-limits.ts'
import { type Answered, answerCore, formOf } from './answer-core.ts'
import { availityPath, createAvailityEndpoints } from './availity/availity-endpoints.ts'
import type { Credentials } from './check-envelope.ts'
import { type EndpointCall, listen, readBody, send, stop } from './http.ts'
import { overviewPage } from './overview-page.ts'
import { type Reply, replyWithHtml, replyWithText } from './replies.ts'
import { type Roster, readRoster } from './roster.ts'
import { createStediEndpoints } from './stedi/stedi-endpoints.ts'
import { plansPath, stediPath } from './stedi/stedi-path.ts'

export interface SandboxOptions {
  /** 0 selects any free port. */
  port: number
  host?: string
  /** Path of a roster file; by default the one that ships with the project. */
  roster?: string
  clock?: () => Date
  /** Called with one line per exchange, without patient data. */
  log?: (message: string, fields: object) => void
  /** Required of every request when given. */
  credentials?: Credentials
  /** The wait before a slow member's answer. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

export interface Sandbox {
  /** The address of the CORE endpoint. */
  url: string
  port: number
  close(): Promise<void>
}

const path = '/core'

/**
 * Starts a clearinghouse of invented payers: CORE 2.2.0 real time on `POST /core`, Stedi's JSON under `/2024-04-01` and `/2026-06-01`,
 * Availity's coverages under `/availity/v1`, an overview page on `GET /` and `GET /core`.
 * @throws Error when the roster has faults or the port is in use.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host = '127.0.0.1', clock = () => new Date(), log, credentials } = options
  const pause = options.pause ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal }))
  const roster = await readRoster(options.roster)
  const stedi = createStediEndpoints({ roster, credentials })
  const sides = [
    { name: 'stedi', path: stediPath, answer: stedi },
    { name: 'stedi', path: plansPath, answer: stedi },
    { name: 'availity', path: availityPath, answer: createAvailityEndpoints({ roster, credentials }) },
  ]
  const closing = new AbortController()
  const context = { roster, sides, credentials, clock, log, pause, closing: closing.signal }
  // With Node's 5 seconds, a busy machine closes connections into which an inquiry is just being sent.
  const { keepAliveTimeout } = SERVER_OPTIONS
  const server = createServer({ keepAliveTimeout }, (request, response) => {
    answer(request, { ...context, url })
      .catch((error: Error): Reply => {
        if (!closing.signal.aborted) log?.('sandbox failure', { type: error.name })
        return replyWithText(500, 'The sandbox failed')
      })
      .then((reply) => reply && send(response, reply))
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}${path}`

  return {
    url,
    port: address.port,
    async close() {
      closing.abort()
      await stop(server)
    },
  }
}

interface Context {
  roster: Roster
  /** The simulated vendors besides CORE, each under its own path. */
  sides: { name: string; path: string; answer(call: EndpointCall): Answered }[]
  credentials: Credentials | undefined
  clock: () => Date
  log: SandboxOptions['log']
  pause: NonNullable<SandboxOptions['pause']>
  closing: AbortSignal
  url: string
}

async function answer(request: IncomingMessage, context: Context): Promise<Reply | undefined> {
  const { roster, sides, credentials, url } = context
  const target = new URL(request.url ?? '/', url)
  // The printed address too: people open it in a browser.
  if (['/', path].includes(target.pathname) && request.method === 'GET') return replyWithHtml(overviewPage(roster, url))
  const side = sides.find((each) => target.pathname.startsWith(`${each.path}/`))
  if (!side && target.pathname !== path) return replyWithText(404, `Post to ${path}`)
  if (!side && request.method !== 'POST') return replyWithText(405, 'Only POST is answered', { allow: 'POST' })
  const contentType = request.headers['content-type'] ?? ''
  const form = formOf(contentType)
  if (!side && !form) return replyWithText(415, 'Send application/soap+xml, text/xml or multipart/form-data')
  const body = await readBody(request)
  if (!body) return replyWithText(413, 'The request is too large')
  const at = context.clock()
  const { outcome, afterMs, reply }: Answered =
    form && !side
      ? answerCore({ roster, credentials, form, contentType, body, at })
      : side!.answer({ method: request.method ?? '', target, headers: request.headers, body, at })
  context.log?.('sandbox exchange', { form: side?.name ?? form, outcome, status: reply?.status })
  if (afterMs) await context.pause(afterMs, context.closing)
  return reply
}
