// The limits of a connection before it carries a request, the same on both ports.
import type { Server, ServerOptions } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { Config } from '../../../config.ts'
import { createFairShare } from '../../fair-share.ts'
import { connectionsFor, openFilesMax } from '../../open-files.ts'
import { callerSite } from '../caller-address.ts'
import { readTrustedProxies } from '../trusted-proxies.ts'
import { greetInTurns } from './greet-in-turns.ts'
import { readInTurns } from './read-in-turns.ts'
import { refuseSmallChunks } from './small-chunks.ts'

/**
 * The headers of a client with a token take two kilobytes; the rest is for the URL: filters with several hundred ids,
 * and a page token.
 */
const HEADERS_MAX_BYTES = 64 * 1024
/** A client behind several proxies sends some 50. Each takes about 100 bytes more than its text. */
export const HEADERS_MAX = 200
const HEADERS_TIMEOUT_MS = 15_000
/** The longest body is an image: 15 MB over a line of one megabit a second. */
const REQUEST_TIMEOUT_MS = 120_000
/** How often connections are checked against the two limits above. */
const CHECK_EVERY_MS = 5_000
/**
 * Longer than a load balancer keeps its idle connections (60 s is usual), so that it never sends into a connection that
 * the service is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Beyond the longest wait for a payer: a caller that reads nothing of its answer for this long is gone. */
const IDLE_BEYOND_ANSWER_MS = 60_000
/** An idle connection takes about 20 kB. */
const CONNECTIONS_MAX = 5_000

/** Options for creating a Node server. */
export const SERVER_OPTIONS = {
  maxHeaderSize: HEADERS_MAX_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // Checked by requireOneHost, which answers with the error envelope.
  requireHostHeader: false,
} satisfies ServerOptions

interface ConnectionLimits {
  /** The longest that an operation may take. */
  answerMs: number
  /** Their connections carry many callers, so only their total is limited. */
  trustedProxies: readonly string[]
  connectionsMax?: number
}

/**
 * Closes connections that make no progress, and refuses those beyond the limit; only a trusted proxy may have all of
 * them.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { answerMs, trustedProxies, connectionsMax = CONNECTIONS_MAX } = limits
  const isProxy = networksOf(trustedProxies)
  const share = createFairShare({ places: connectionsMax })
  server.maxConnections = connectionsMax
  server.maxHeadersCount = HEADERS_MAX
  greetInTurns(server, isProxy)
  readInTurns(server, { isProxy })
  refuseSmallChunks(server, isProxy)
  server.setTimeout(answerMs + IDLE_BEYOND_ANSWER_MS)
  // Registered before Node's own listener, so that nothing is read from a refused connection.
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const address = callerSite(remoteAddress)
    if (!share.tryEnter(address)) return void socket.destroy()
    socket.once('close', () => share.leave(address))
  })
}

/** For each port. Idle connections would otherwise take the files with which the database is reached: all callers would get 503. */
export function connectionLimits(
  config: Pick<Config, 'CLEARINGHOUSE_TIMEOUT_MS' | 'TRUSTED_PROXIES' | 'CORE_PORT'>,
  filesMax = openFilesMax() ?? Number.POSITIVE_INFINITY,
): ConnectionLimits {
  const ports = config.CORE_PORT === 0 ? 1 : 2
  return {
    answerMs: config.CLEARINGHOUSE_TIMEOUT_MS,
    trustedProxies: readTrustedProxies(config.TRUSTED_PROXIES),
    connectionsMax: Math.min(CONNECTIONS_MAX, Math.floor(connectionsFor(filesMax) / ports)),
  }
}

/**
 * How many connections may wait to be accepted: as many as may be open. Node takes 511, and accepts one in each turn of the event loop. Of more that
 * arrive together Linux forgets some whose callers count as connected, and resets them when they send. The system has a limit of its own
 * (net.core.somaxconn). decisions/0222-callers-that-connect-at-once.md
 */
export const backlogOf = (config: Parameters<typeof connectionLimits>[0]): number =>
  connectionLimits(config).connectionsMax ?? CONNECTIONS_MAX

function networksOf(entries: readonly string[]): (address: string) => boolean {
  const networks = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return (address) => networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
