import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { traceHeaders } from '../platform/tracing/request-context.ts'

/** One request as HTTP needs it. */
export interface HttpMessage {
  /** POST when left out. */
  method?: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: Buffer | string
}

export interface HttpAnswer {
  status: number
  contentType: string
  retryAfter: string | undefined
  /** Where the answer can be fetched later, from sides that answer 201 or 202. */
  location: string | undefined
  /** Decompressed. */
  body: Buffer
}

export interface ExchangeLimits {
  /** For the whole exchange, from connecting to the last byte: a slow drip does not extend it. */
  timeoutMs: number
  /** For the body, both as sent and decompressed. */
  maxResponseBytes: number
  signal?: AbortSignal
}

/** A partner who is there answers the phone within this. */
const CONNECT_TIMEOUT_MS = 10_000

/** The connections to one partner, as many as exchanges may be open at a time. */
export function openDispatcher(settings: {
  maxConcurrency: number
  timeoutMs: number
  /** PEM texts: a private authority, a client certificate and its key. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
}): Dispatcher {
  const { maxConcurrency, timeoutMs, tls } = settings
  return new Agent({
    connections: maxConcurrency,
    connect: { ...tls, timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
  })
}

export class DeadlinePassed extends Error {}
export class ResponseTooLarge extends Error {}
export class BrokenCompression extends Error {}

/**
 * Sends one message, a POST unless it says otherwise, and reads the whole answer. Redirects are not followed: the payload goes where the settings say.
 * @throws DeadlinePassed, ResponseTooLarge, BrokenCompression, the caller's abort reason, or the network's own error.
 */
export async function post(
  dispatcher: Dispatcher,
  url: string,
  message: HttpMessage,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  const ending = new AbortController()
  const deadline = setTimeout(() => ending.abort(new DeadlinePassed('the deadline passed')), limits.timeoutMs)
  const giveUp = () => ending.abort(limits.signal?.reason)
  limits.signal?.addEventListener('abort', giveUp, { once: true })
  try {
    limits.signal?.throwIfAborted()
    const answer = await request(url, {
      method: message.method ?? 'POST',
      headers: { ...traceHeaders(), ...message.headers },
      ...(message.body !== undefined && { body: message.body }),
      dispatcher,
      signal: ending.signal,
      // The deadline above is the only clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const bytes = await readBody(answer, limits.maxResponseBytes)
    return {
      status: answer.statusCode,
      contentType: single(answer.headers['content-type']) ?? '',
      retryAfter: single(answer.headers['retry-after']),
      location: single(answer.headers.location),
      body: await decompress(bytes, single(answer.headers['content-encoding']), limits.maxResponseBytes),
    }
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error
  } finally {
    clearTimeout(deadline)
    limits.signal?.removeEventListener('abort', giveUp)
  }
}

async function readBody(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > maxBytes) throw new ResponseTooLarge('the body exceeds the limit')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ResponseTooLarge('too large', { cause })
    throw new BrokenCompression('the body cannot be decompressed', { cause })
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
