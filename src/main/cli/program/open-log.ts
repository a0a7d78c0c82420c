import { type Logger, pino } from 'pino'
import type { Config } from '../../../config.ts'
import { openLogExport } from '../../../platform/tracing/log-export.ts'
import { createLogger } from '../../server.ts'
import { goOnWithoutOutput, logLines } from './output.ts'
import { logDestination } from './terminal-log.ts'

export interface Log {
  logger: Logger
  /** Sends the remaining lines to the collector, if one is configured. */
  close(): Promise<void>
}

/** The log of a server or worker: on standard output, and to an OpenTelemetry collector if one is configured. */
export async function openLog(config: Config): Promise<Log> {
  goOnWithoutOutput()
  const destination = (await logDestination(config)) ?? logLines()
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return { logger: createLogger(config, destination), close: async () => {} }
  const sent = await openLogExport(endpoint)
  // The logger has already filtered by level.
  const streams = [destination, sent.stream].map((stream) => ({
    stream,
    level: 'trace' as const,
  }))
  return { logger: createLogger(config, pino.multistream(streams)), close: sent.close }
}
