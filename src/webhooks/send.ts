// One attempt of one delivery. Source: Standard Webhooks 1.0.0, "Operational considerations".

import { INTERIM_MAX } from '../platform/outbound/interim-responses.ts'
import { AddressRefused, guardedConnector, type Networks } from '../platform/outbound/public-address.ts'
import { readRetryAfter } from '../platform/outbound/retry-after.ts'
import { traceHeaders } from '../platform/tracing/request-context.ts'
import { signedHeaders } from './signature.ts'

export interface Attempt {
  isDelivered: boolean
  status?: number
  durationMs: number
  /** A short reason for the failure, never the receiver's own text. */
  error?: string
  /** The wait that the receiver requests (Retry-After). */
  retryAfterMs?: number
  /** The receiver is permanently gone (410). */
  isGone: boolean
}

export interface Message {
  url: string
  secrets: readonly string[]
  id: string
  body: string
}

export interface Sender {
  send(message: Message): Promise<Attempt>
  close(): Promise<void>
}

/** The specification recommends 15 to 30 s. */
export const ATTEMPT_MS = 15_000
const CONNECT_MS = 5_000
/** The limit of the response body; none of it is kept. */
const ANSWER_MAX_BYTES = 16 * 1024

export function createSender(allowed: Networks, now: () => Date): Sender {
  // Where there is something to send: most starts need none of it.
  const open = async () => {
    const { Agent, request } = await import('../platform/outbound/undici.ts')
    // No limit per host: organizations may share one, and would wait for each other. Each webhook sends a few at a time (dispatcher.ts).
    const dispatcher = new Agent({
      keepAliveTimeout: 4_000,
      maxHeaderSize: 16 * 1024,
      connect: await guardedConnector(allowed, CONNECT_MS),
    })
    return { dispatcher, request }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    async send({ url, secrets, id, body }) {
      const begunAt = performance.now()
      const durationMs = () => Math.round(performance.now() - begunAt)
      const excess = new AbortController()
      let interim = 0
      try {
        opened ??= open()
        const { dispatcher, request } = await opened
        const answer = await request(url, {
          dispatcher,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Anteroom-Webhooks/1.0',
            ...traceHeaders(),
            ...signedHeaders(secrets, { id, at: now(), body }),
          },
          body,
          // The limit of the whole attempt; redirects are not followed.
          signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), excess.signal]),
          onInfo: () => {
            if (++interim > INTERIM_MAX) excess.abort()
          },
        })
        const { statusCode, headers } = answer
        await answer.body.dump({ limit: ANSWER_MAX_BYTES }).catch(() => {})
        const isDelivered = statusCode >= 200 && statusCode < 300
        const retryAfterMs = readRetryAfter([headers['retry-after']].flat()[0], now())
        return {
          isDelivered,
          status: statusCode,
          durationMs: durationMs(),
          isGone: statusCode === 410,
          ...(!isDelivered && { error: `the receiver answered ${statusCode}` }),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        }
      } catch (error) {
        return {
          isDelivered: false,
          durationMs: durationMs(),
          error: excess.signal.aborted ? 'the receiver sent too many interim responses' : explain(error),
          isGone: false,
        }
      }
    },
    close: async () => (await opened)?.dispatcher.destroy(),
  }
}

/** The kind of error in words; the error's own message may quote the address. */
function explain(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  const { name, code = name } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'no answer in time'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name cannot be resolved'
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (/CERT|SSL|TLS/.test(code)) return `the certificate was not accepted (${code})`
  return `the connection failed (${code})`
}
