import { type Logger, pino } from 'pino'
import type { Config } from '../../config.ts'
import { openLogExport } from '../../platform/tracing/log-export.ts'
import { createLogger } from '../server.ts'
import { logDestination } from './terminal-log.ts'

export interface Log {
  logger: Logger
  /** Sends what is left to the collector, if there is one. */
  close(): Promise<void>
}

/** The log of a process that stays: on standard output, and to the collector where one is set. */
export async function openLog(config: Config): Promise<Log> {
  const destination = await logDestination(config)
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return { logger: createLogger(config, destination), close: async () => {} }
  const sent = await openLogExport(endpoint)
  // What is a line of the log is decided before it comes here.
  const streams = [destination ?? pino.destination(1), sent.stream].map((stream) => ({
    stream,
    level: 'trace' as const,
  }))
  return { logger: createLogger(config, pino.multistream(streams)), close: sent.close }
}
