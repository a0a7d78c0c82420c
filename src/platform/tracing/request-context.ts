// The context of the current call where calls are traced, available anywhere in its work: for log lines and for outgoing requests.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestContext {
  requestId: string | undefined
  /** W3C Trace Context, for outgoing requests. */
  traceparent: string | undefined
}

const contexts = new AsyncLocalStorage<RequestContext>()

export const runInContext = <T>(context: RequestContext, work: () => T): T => contexts.run(context, work)

export const currentContext = (): RequestContext | undefined => contexts.getStore()

/** Headers for an outgoing request of this call; none when traces are not exported. */
export function traceHeaders(): Record<string, string> {
  const traceparent = contexts.getStore()?.traceparent
  return traceparent === undefined ? {} : { traceparent }
}

/** The fields of every log line of this call. */
export function logContext(): Record<string, string> {
  const context = contexts.getStore()
  if (!context) return {}
  const { requestId, traceparent } = context
  const [, traceId = '', spanId = ''] = traceparent?.split('-') ?? []
  return {
    ...(requestId !== undefined && { request: requestId }),
    ...(traceparent !== undefined && { trace_id: traceId, span_id: spanId }),
  }
}
