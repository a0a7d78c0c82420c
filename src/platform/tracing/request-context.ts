// What is known of the call on whose behalf something runs, wherever it runs: for log lines and for requests that leave.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestContext {
  requestId: string | undefined
  /** W3C Trace Context: what a request that leaves carries. */
  traceparent: string | undefined
}

const contexts = new AsyncLocalStorage<RequestContext>()

export const runInContext = <T>(context: RequestContext, work: () => T): T => contexts.run(context, work)

export const currentContext = (): RequestContext | undefined => contexts.getStore()

/** Headers for a request that leaves on behalf of this call; none where traces are not kept. */
export function traceHeaders(): Record<string, string> {
  const traceparent = contexts.getStore()?.traceparent
  return traceparent === undefined ? {} : { traceparent }
}

/** What every line of the log says of its call. */
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
