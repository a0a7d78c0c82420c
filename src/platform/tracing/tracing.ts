// Traces with OpenTelemetry, exported by OTLP when an endpoint is set. Its libraries are loaded only then.
// decisions/0043-traces.md

import type { Context, Span, Tracer } from '@opentelemetry/api'
import { steadyLookup } from '../outbound/steady-lookup.ts'
import { currentContext, runInContext } from './request-context.ts'

/** A span in progress. Attributes name operations and kinds, never a patient's value. */
export interface ActiveSpan {
  traceparent: string
  end(attributes: Record<string, string | number>, isError: boolean): void
}

export interface Tracing {
  /**
   * The span of a request; `parent` is the caller's `traceparent`, used when it is well-formed. Undefined when traces
   * are not exported.
   */
  begin(name: string, parent: string | undefined): ActiveSpan | undefined
  /** A span within the current one, around work that may call other services. */
  within<T>(name: string, attributes: Record<string, string>, work: () => Promise<T>): Promise<T>
  /** Exports the remaining spans. */
  close(): Promise<void>
}

export const withoutTracing: Tracing = {
  begin: () => undefined,
  within: (_name, _attributes, work) => work(),
  close: async () => {},
}

/** Without an endpoint, the base address of the collector, `withoutTracing`. Spans are sent in batches, in the background. */
export async function openTracing(endpoint: string | undefined): Promise<Tracing> {
  if (endpoint === undefined) return withoutTracing
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    httpAgentOptions: { keepAlive: true, lookup: steadyLookup },
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'anteroom' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  const tracer: Tracer = provider.getTracer('anteroom')

  function contextOf(traceparent: string | undefined): Context {
    const parent = parseTraceparent(traceparent)
    return parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true }) : api.ROOT_CONTEXT
  }

  function begin(name: string, parent: string | undefined, kind = api.SpanKind.SERVER): ActiveSpan {
    const span: Span = tracer.startSpan(name, { kind }, contextOf(parent))
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end(attributes, isError) {
        span.setAttributes(attributes)
        if (isError) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    begin: (name, parent) => begin(name, parent),
    async within(name, attributes, work) {
      const outer = currentContext()
      const span = begin(name, outer?.traceparent, api.SpanKind.CLIENT)
      let isError = true
      try {
        const result = await runInContext({ requestId: outer?.requestId, traceparent: span.traceparent }, work)
        isError = false
        return result
      } finally {
        span.end(attributes, isError)
      }
    },
    close: () => provider.shutdown(),
  }
}

/** Source: W3C Trace Context, 3.2. Ids of zeros only are invalid. */
function parseTraceparent(
  text: string | undefined,
): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
