// One attempt of one delivery. Source: Standard Webhooks 1.0.0, "Operational considerations".
import type { Dispatcher } from 'undici'
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

interface Message {
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
/** Of a longer answer, or one in more chunks, only the status counts, and its connection is closed; none of it is kept. */
const ANSWER_MAX_BYTES = 16 * 1024
/** Receivers that answer with a text send it in one or two. All of a receiver's answers may arrive together, and each chunk takes time to read. */
const ANSWER_MAX_CHUNKS = 64

/** Connects only to public addresses and to the `allowed` networks. `now` is the time of the signatures. */
export function createSender(allowed: Networks, now: () => Date, attemptMs = ATTEMPT_MS): Sender {
  // Where there is something to send: most starts need none of it.
  const open = async () => {
    const { Agent } = await import('../platform/outbound/undici.ts')
    // No limit per host: organizations may share one, and would wait for each other. Each webhook sends a few at a time (send-round.ts).
    return new Agent({
      keepAliveTimeout: 4_000,
      maxHeaderSize: 16 * 1024,
      connect: await guardedConnector(allowed, CONNECT_MS),
    })
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    async send({ url, secrets, id, body }) {
      const begunAt = performance.now()
      const durationMs = () => Math.round(performance.now() - begunAt)
      try {
        opened ??= open()
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Anteroom-Webhooks/1.0',
          ...traceHeaders(),
          ...signedHeaders(secrets, { id, at: now(), body }),
        }
        const { status, retryAfter } = await post(await opened, url, { headers, body, attemptMs })
        const isDelivered = status >= 200 && status < 300
        const retryAfterMs = readRetryAfter(retryAfter, now())
        return {
          isDelivered,
          status,
          durationMs: durationMs(),
          isGone: status === 410,
          ...(!isDelivered && { error: `the receiver answered ${status}` }),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        }
      } catch (error) {
        return { isDelivered: false, durationMs: durationMs(), error: explain(error), isGone: false }
      }
    },
    close: async () => (await opened)?.destroy(),
  }
}

class NoAnswerInTime extends Error {}
class TooManyInterimResponses extends Error {}

/** The status of the answer, once it has ended or as much of it as counts has arrived. Redirects are not followed. */
function post(
  dispatcher: Dispatcher,
  url: string,
  { headers, body, attemptMs }: { headers: Record<string, string>; body: string; attemptMs: number },
): Promise<{ status: number; retryAfter: string | undefined }> {
  const { origin, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let answer: { status: number; retryAfter: string | undefined } | undefined
    let isOver = false
    let [interim, bytes, chunks] = [0, 0, 0]
    const end = (reason: Error) => {
      isOver = true
      clearTimeout(timer)
      if (answer) resolve(answer)
      else reject(reason)
    }
    const breakOff = (reason: Error) => {
      end(reason)
      controller?.abort(reason)
    }
    // The limit of the whole attempt.
    const timer = setTimeout(() => breakOff(new NoAnswerInTime()), attemptMs)
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started
          if (isOver) started.abort(new Error('given up before it began'))
        },
        onResponseStart(_, status, received) {
          if (status >= 200) answer = { status, retryAfter: [received['retry-after']].flat()[0] }
          else if (++interim > INTERIM_MAX) breakOff(new TooManyInterimResponses())
        },
        onResponseData(_, chunk) {
          bytes += chunk.length
          if (++chunks > ANSWER_MAX_CHUNKS || bytes > ANSWER_MAX_BYTES) breakOff(new Error('the answer is long'))
        },
        onResponseEnd: () => end(new Error('there is no answer')),
        onResponseError: (_, error) => end(error),
      },
    )
  })
}

/** The kind of error in words; the error's own message may quote the address. */
function explain(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof TooManyInterimResponses) return 'the receiver sent too many interim responses'
  const { name, code = name } = error as NodeJS.ErrnoException
  if (error instanceof NoAnswerInTime || code === 'UND_ERR_CONNECT_TIMEOUT') return 'no answer in time'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name cannot be resolved'
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (/CERT|SSL|TLS/.test(code)) return `the certificate was not accepted (${code})`
  return `the connection failed (${code})`
}
