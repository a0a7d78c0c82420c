import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { type MetricsServer, type MetricsSource, serveMetrics } from '../platform/metrics/serve-metrics.ts'

/** Serves `/metrics` when the settings enable it. @throws StartupError */
export async function openMetrics(
  { METRICS_PORT: port, METRICS_HOST: host }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  source: MetricsSource,
  log: FastifyBaseLogger,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined
  const logFailure = createFailureLog(log)
  const server = await serveMetrics(source, {
    host,
    port,
    onError: (error) => logFailure('the metrics could not be read', error),
  })
  log.info({ url: server.url }, 'metrics are served')
  return server
}
