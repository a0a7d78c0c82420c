import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { CHUNKS_A_TURN, limitChunks } from '../platform/chunk-limit.ts'
import { ownTurn, takeTurn } from '../platform/event-loop.ts'
import { INTERIM_MAX } from '../platform/outbound/interim-responses.ts'
import { guardedConnector, type Networks } from '../platform/outbound/public-address.ts'
import { secured } from '../platform/outbound/secured.ts'
import { steadyLookup } from '../platform/outbound/steady-lookup.ts'
import { traceHeaders } from '../platform/tracing/request-context.ts'
import { HeldBytes, type NoRoom } from './answers-in-memory.ts'
import { decompressed, ResponseTooLarge } from './decompressed.ts'

/** One HTTP request. */
export interface HttpMessage {
  /** POST by default. */
  method?: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: Buffer | string
}

export interface HttpAnswer {
  status: number
  contentType: string
  retryAfter: string | undefined
  /** Where the answer can be fetched later, from servers that answer 201 or 202. */
  location: string | undefined
  /** Decompressed. */
  body: Buffer
}

export interface ExchangeLimits {
  /** For the whole exchange, from connecting to the last byte: an answer that trickles in does not extend it. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** For the body of an answer, both as sent and decompressed. */
export const MAX_RESPONSE_BYTES = 4_000_000

/** A reachable partner accepts a connection within this time. */
const CONNECT_TIMEOUT_MS = 10_000

/** The connections to one partner, opened for the first exchange: loading undici is a tenth of a start. */
type Connections = () => Promise<Dispatcher>

/** The connections to one partner, as many as exchanges may be concurrent. */
export function openDispatcher(settings: {
  maxConcurrency: number
  timeoutMs: number
  /** PEM texts: a private certificate authority, a client certificate and its key. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
  /**
   * Set when the organization chose the address: the networks it may reach besides the public Internet. Without it, any address is allowed.
   */
  allowedNetworks?: Networks | undefined
}): Connections {
  const { maxConcurrency, timeoutMs, tls, allowedNetworks } = settings
  const timeout = Math.min(CONNECT_TIMEOUT_MS, timeoutMs)
  const open = async () => {
    const { Agent } = await import('../platform/outbound/undici.ts')
    const options = await secured(tls)
    const connect = allowedNetworks
      ? await guardedConnector(allowedNetworks, timeout, options)
      : { ...options, timeout, lookup: steadyLookup }
    return new Agent({ connections: maxConcurrency, connect })
  }
  let opened: Promise<Dispatcher> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

export class DeadlinePassed extends Error {}
/** The body is within the limit so far, but arrives in very many small chunks, or after very many interim responses. */
export class TooManyParts extends ResponseTooLarge {}

/**
 * Sends one message, by default a POST, and reads the whole answer. Redirects are not followed: the payload goes only to the configured
 * address.
 * @throws DeadlinePassed, ResponseTooLarge, NoRoom, BrokenCompression, the caller's abort reason, or the network's own error.
 */
export async function post(
  connections: Connections,
  url: string | URL,
  message: HttpMessage,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  const held = new HeldBytes(connections)
  try {
    const received = await exchange(held, await connections(), { url, message, limits })
    const { status, headers } = received
    const { origin } = new URL(url)
    const body = await bodyOf(received, held, { origin, maxBytes: MAX_RESPONSE_BYTES })
    await turnToRead(body, origin)
    return {
      status,
      contentType: single(headers['content-type']) ?? '',
      retryAfter: single(headers['retry-after']),
      location: single(headers.location),
      body,
    }
  } finally {
    held.release()
  }
}

/** Without success the status decides what follows, whatever the body is. */
function bodyOf({ status, headers, bytes }: Received, held: HeldBytes, limits: { origin: string; maxBytes: number }) {
  const body = decompressed(bytes, single(headers['content-encoding']), { held, ...limits })
  return isSuccess(status) ? body : body.catch(() => Buffer.alloc(0))
}

/** Parsing a body of four megabytes takes up to 90 ms. A partner, which may be the organization's own server, can complete thirty of them at the same moment. */
const LARGE_BODY_BYTES = 50_000
const SHORT_BODY_BYTES = 10_000

function turnToRead({ length }: Buffer, origin: string): Promise<void> | undefined {
  if (length > LARGE_BODY_BYTES) return ownTurn(origin)
  return length > SHORT_BODY_BYTES ? takeTurn(origin) : undefined
}

const isSuccess = (status: number) => status >= 200 && status < 300

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

interface Sent {
  url: string | URL
  message: HttpMessage
  limits: ExchangeLimits
}

interface Settle {
  resolve: (received: Received) => void
  reject: (reason: Error) => void
}

const exchange = (held: HeldBytes, dispatcher: Dispatcher, sent: Sent): Promise<Received> =>
  new Promise((resolve, reject) => new Exchange(held, sent.limits, { resolve, reject }).begin(dispatcher, sent))

/** Collects the chunks directly: a stream and an abort signal per answer would cost as much as reading it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #held: HeldBytes
  readonly #limits: ExchangeLimits
  readonly #settle: Settle
  /** The only timer of the exchange. */
  #deadline: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #origin = ''
  #isOver = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  readonly #chunks: Buffer[] = []
  readonly #mayGoOn = limitChunks()
  #interim = 0
  #parts = 0
  #size = 0

  constructor(held: HeldBytes, limits: ExchangeLimits, settle: Settle) {
    this.#held = held
    this.#limits = limits
    this.#settle = settle
  }

  begin(dispatcher: Dispatcher, { url, message: { method = 'POST', headers, body } }: Sent): void {
    const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url
    const { timeoutMs, signal } = this.#limits
    if (signal?.aborted) {
      this.#fail(signal.reason)
      return
    }
    signal?.addEventListener('abort', this.#giveUp, { once: true })
    this.#deadline = setTimeout(() => this.#fail(new DeadlinePassed('the deadline passed')), timeoutMs)
    this.#origin = origin
    const path = `${pathname}${search}`
    const all = { ...traceHeaders(), ...headers }
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 }
    dispatcher.dispatch({ origin, path, method, headers: all, body: body ?? null, ...timeouts }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('aborted before it began'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) this.#interim++
    if (this.#interim > INTERIM_MAX) this.#fail(new TooManyParts('too many interim responses'))
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#size += chunk.length
    if (++this.#parts % CHUNKS_A_TURN === 0) this.#goOnInTurn(controller)
    const excess = this.#excessAfter(chunk)
    if (excess) this.#stop(excess)
    else this.#hold(chunk)
  }

  onResponseEnd(): void {
    this.#end()
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    this.#settle.resolve({ status: this.#status, headers: this.#headers, bytes })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #excessAfter(chunk: Buffer): ResponseTooLarge | undefined {
    if (!this.#mayGoOn(chunk.length)) return new TooManyParts('too many chunks')
    if (this.#size > MAX_RESPONSE_BYTES) return new ResponseTooLarge('the body exceeds the limit')
    return undefined
  }

  /** Without success the status says what happened, whatever is left of the body. */
  #stop(excess: ResponseTooLarge): void {
    if (isSuccess(this.#status)) this.#fail(excess)
    else {
      this.onResponseEnd()
      this.#controller?.abort(excess)
    }
  }

  #hold(chunk: Buffer): void {
    try {
      this.#held.add(chunk.length)
      this.#chunks.push(chunk)
    } catch (noRoom) {
      this.#fail(noRoom as NoRoom)
    }
  }

  /** What has arrived is kept, unread, until then: the answers to hundreds of inquiries may arrive together. */
  #goOnInTurn(controller: Dispatcher.DispatchController): void {
    controller.pause()
    void takeTurn(this.#origin).then(() => this.#isOver || controller.resume())
  }

  readonly #giveUp = () => this.#fail(this.#limits.signal?.reason)

  #fail(reason: Error): void {
    if (this.#isOver) return
    this.#end()
    this.#settle.reject(reason)
    this.#controller?.abort(reason)
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#deadline)
    this.#limits.signal?.removeEventListener('abort', this.#giveUp)
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
