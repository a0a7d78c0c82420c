// /metrics on a separate port: it shows load and outages, which must not be public, and must answer when the other port
// is full.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gathered } from '../gathered.ts'
import { addressOf } from '../http/address-of.ts'
import { explainListen } from '../http/explain-listen.ts'
import { limitConnections, SERVER_OPTIONS } from '../http/limits/connection-limits.ts'

/** Each monitoring system has one or two; an idle connection takes a file handle that the other ports need too. */
const CONNECTIONS_MAX = 200
/** Beyond the longest that the processes of a server take together. */
const ANSWER_MS = 15_000

/** The source of the metrics: one process, or several together. */
export interface MetricsSource {
  readonly contentType: string
  metrics(): Promise<string>
}

export interface MetricsServer {
  url: string
  close(): Promise<void>
}

/** @throws StartupError when the port cannot be opened. */
export async function serveMetrics(
  registry: MetricsSource,
  { host, port, onError }: { host: string; port: number; onError(error: Error): void },
): Promise<MetricsServer> {
  // Writing all series takes milliseconds, and the port has two hundred connections.
  const readMetrics = gathered(() => registry.metrics())
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    readMetrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: Error) => {
        onError(error)
        response.writeHead(503).end()
      },
    )
  })
  limitConnections(server, { answerMs: ANSWER_MS, trustedProxies: [], connectionsMax: CONNECTIONS_MAX })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, { host: 'METRICS_HOST', port: 'METRICS_PORT' }, port)))
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${addressOf('http', host, bound)}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
