// What a connection may cost before it is a request, the same on both ports.
import type { Server, ServerOptions } from 'node:http'

/** Headers of a browser or a client with a token take two; Node's own default, said here so that it stays. */
const HEADERS_MAX_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 15_000
/** The longest body is an image: 15 MB over a line of one megabit a second. */
const REQUEST_TIMEOUT_MS = 120_000
/** How often connections are held against the two limits above. */
const CHECK_EVERY_MS = 5_000
/** Longer than a load balancer keeps its idle connections (60 s is usual), so that it never sends into one that we close. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Beyond the longest wait for a payer: a caller that takes nothing of its answer for this long is gone. */
const IDLE_BEYOND_ANSWER_MS = 60_000
/** An idle connection takes about 20 kB. */
const CONNECTIONS_MAX = 5_000

/** For the making of a server of Node. */
export const SERVER_OPTIONS = {
  maxHeaderSize: HEADERS_MAX_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
} satisfies ServerOptions

/** Ends connections that stand still, `answerMs` being the longest that an operation may take, and refuses those past the limit. */
export function limitConnections(server: Server, answerMs: number): void {
  server.maxConnections = CONNECTIONS_MAX
  server.setTimeout(answerMs + IDLE_BEYOND_ANSWER_MS)
}
