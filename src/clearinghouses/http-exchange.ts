import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { CHUNKS_A_TURN, limitChunks } from '../platform/chunk-limit.ts'
import { codeOf } from '../platform/error-code.ts'
import { takeTurn } from '../platform/event-loop.ts'
import { INTERIM_MAX } from '../platform/outbound/interim-responses.ts'
import { guardedConnector, type Networks } from '../platform/outbound/public-address.ts'
import { secured } from '../platform/outbound/secured.ts'
import { steadyLookup } from '../platform/outbound/steady-lookup.ts'
import { traceHeaders } from '../platform/tracing/request-context.ts'
import { answersInMemory, NoRoom } from './answers-in-memory.ts'

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
  /** For the body, both as sent and decompressed. */
  maxResponseBytes: number
  signal?: AbortSignal
}

/** A reachable partner accepts a connection within this time. */
const CONNECT_TIMEOUT_MS = 10_000

/** The connections to one partner, opened for the first exchange: loading undici is a tenth of a start. */
export type Connections = () => Promise<Dispatcher>

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
export class ResponseTooLarge extends Error {}
/** The body is within the limit so far, but arrives in very many small chunks, or after very many interim responses. */
export class TooManyParts extends ResponseTooLarge {}
export class BrokenCompression extends Error {}

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
  const { status, headers, bytes } = await exchange(connections, await connections(), { url, message, limits })
  const decompressed = decompress(bytes, single(headers['content-encoding']), limits.maxResponseBytes)
  return {
    status,
    contentType: single(headers['content-type']) ?? '',
    retryAfter: single(headers['retry-after']),
    location: single(headers.location),
    // Without success the status decides what follows, whatever the body is.
    body: isSuccess(status) ? await decompressed : await decompressed.catch(() => Buffer.alloc(0)),
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Collects the chunks directly: a stream and an abort signal per answer would cost as much as reading it. */
function exchange(
  connections: Connections,
  dispatcher: Dispatcher,
  { url, message, limits }: { url: string | URL; message: HttpMessage; limits: ExchangeLimits },
): Promise<Received> {
  const { timeoutMs, maxResponseBytes, signal } = limits
  const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let isOver = false
    let [status, size, held, parts, interim] = [0, 0, 0, 0, 0]
    let headers: IncomingHttpHeaders = {}
    const chunks: Buffer[] = []
    const mayGoOn = limitChunks()
    const end = () => {
      isOver = true
      answersInMemory.add(connections, -held)
      clearTimeout(deadline)
      signal?.removeEventListener('abort', giveUp)
    }
    const fail = (reason: Error) => {
      if (isOver) return
      end()
      reject(reason)
      controller?.abort(reason)
    }
    const finish = () => {
      end()
      resolve({ status, headers, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) })
    }
    const giveUp = () => fail(signal?.reason)
    /** What has arrived is kept, unread, until then: the answers to hundreds of inquiries may arrive together. */
    const goOnInTurn = (receiving: Dispatcher.DispatchController) => {
      receiving.pause()
      void takeTurn(origin).then(() => isOver || receiving.resume())
    }
    // The only timer of the exchange.
    const deadline = setTimeout(() => fail(new DeadlinePassed('the deadline passed')), timeoutMs)
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    const request = {
      origin,
      path: `${pathname}${search}`,
      method: message.method ?? 'POST',
      headers: { ...traceHeaders(), ...message.headers },
      body: message.body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started
        if (isOver) started.abort(new Error('aborted before it began'))
      },
      onResponseStart(_, statusCode, received) {
        if (statusCode < 200 && ++interim > INTERIM_MAX) return fail(new TooManyParts('too many interim responses'))
        status = statusCode
        headers = received
      },
      onResponseData(receiving, chunk) {
        size += chunk.length
        if (isOver) return
        if (++parts % CHUNKS_A_TURN === 0) goOnInTurn(receiving)
        const isInParts = mayGoOn(chunk.length)
        if (size > maxResponseBytes || !isInParts) {
          const excess = isInParts
            ? new ResponseTooLarge('the body exceeds the limit')
            : new TooManyParts('too many chunks')
          if (isSuccess(status)) return fail(excess)
          finish()
          return controller?.abort(excess)
        }
        if (!answersInMemory.hasRoomFor(connections, chunk.length))
          return fail(new NoRoom('too many answers are arriving'))
        answersInMemory.add(connections, chunk.length)
        held += chunk.length
        chunks.push(chunk)
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => fail(error),
    })
  })
}

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

async function decompress(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase()
  if (bytes.length === 0 || name === undefined || !Object.hasOwn(decompressors, name)) return bytes
  try {
    return await decompressors[name as keyof typeof decompressors](bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge('too large', { cause })
    throw new BrokenCompression('the body cannot be decompressed', { cause })
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
