// Exports the log by OTLP if an endpoint is configured. The records are created from the printed lines, so they contain nothing that is
// excluded from the log. OpenTelemetry's log libraries are loaded only here. decisions/0043-traces.md

import { Writable } from 'node:stream'
import { steadyLookup } from '../outbound/steady-lookup.ts'
import { withTimeLimit } from '../with-time-limit.ts'

interface LogExport {
  /** Accepts the log as JSON lines. */
  stream: Writable
  /** Sends the remaining records. */
  close(): Promise<void>
}

/** The longest time that a stop waits for an unavailable collector. */
const CLOSE_WITHIN_MS = 5_000

/** pino's levels as OpenTelemetry counts them. Source: OpenTelemetry, Logs Data Model, "Severity Fields". */
const SEVERITIES: Record<number, [number, string]> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
}

/**
 * `endpoint` is the base address of the collector. Records are sent in batches, in the background: a collector that does not answer delays
 * no log line.
 */
export async function openLogExport(endpoint: string): Promise<LogExport> {
  const [api, { LoggerProvider, BatchLogRecordProcessor }, { OTLPLogExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-logs'),
      import('@opentelemetry/exporter-logs-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPLogExporter({
    httpAgentOptions: { keepAlive: true, lookup: steadyLookup },
    url: `${endpoint.replace(/\/$/, '')}/v1/logs`,
    timeoutMillis: CLOSE_WITHIN_MS,
  })
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'anteroom', 'process.pid': process.pid }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  })
  const logger = provider.getLogger('anteroom')

  function emit(line: string): void {
    const { level, time, msg, trace_id: traceId, span_id: spanId, ...rest } = JSON.parse(line)
    const [severityNumber, severityText] = SEVERITIES[level] ?? [0, '']
    const span = traceId && spanId ? { traceId, spanId, traceFlags: api.TraceFlags.SAMPLED } : undefined
    logger.emit({
      timestamp: new Date(time),
      severityNumber,
      severityText,
      body: msg,
      attributes: rest,
      context: span ? api.trace.setSpanContext(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT,
    })
  }

  const stream = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      emit(line)
      done()
    },
  })
  return {
    stream,
    close: () =>
      withTimeLimit(
        CLOSE_WITHIN_MS,
        provider.shutdown().catch(() => {}),
      ),
  }
}
