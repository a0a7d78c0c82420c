import { Agent } from 'undici'
import { ClearinghouseError, type ClearinghouseFailure } from '../clearinghouse.ts'
import { failureOfExchange } from '../failures.ts'
import { type HttpAnswer, post } from '../http-exchange.ts'
import type { JsonObject } from '../json-values.ts'
import { createTurnstile } from '../turnstile.ts'
import type { StediSettings } from './stedi-settings.ts'

export interface StediCall {
  method: 'GET' | 'POST'
  url: string
  body?: JsonObject
  signal?: AbortSignal
  /** Less than the settings allow, for one call of several that share a deadline. */
  timeoutMs?: number
  /** What is kept of the question when it fails. */
  rawInquiry?: string
}

/** Sends one call, when a place is free. @throws ClearinghouseError when no whole answer comes. */
export type StediExchange = (call: StediCall) => Promise<HttpAnswer>

const connectTimeoutMs = 10_000

/** The one way to Stedi: authorization, bounded concurrency, time and size. Source: clearinghouse.md A1. */
export function createExchange(settings: StediSettings): StediExchange {
  const { timeoutMs = 65_000, maxConcurrency = 5, maxWaiting = 10_000, maxResponseBytes = 10_000_000 } = settings
  const turnstile = createTurnstile(maxConcurrency, maxWaiting)
  const dispatcher = new Agent({
    connections: maxConcurrency,
    connect: { ...settings.tls, timeout: Math.min(connectTimeoutMs, timeoutMs) },
  })
  const headers: Record<string, string> = {
    authorization: settings.authorization === 'Key' ? `Key ${settings.apiKey}` : settings.apiKey,
    accept: 'application/json',
    // Stedi refuses larger pages to whom does not take gzip (clearinghouse.md A5).
    'accept-encoding': 'gzip, deflate, br',
    ...(settings.forwardedFor && { 'x-forwarded-for': settings.forwardedFor }),
  }

  return async ({ method, url, body, signal, rawInquiry, ...call }) => {
    const limits = { timeoutMs: call.timeoutMs ?? timeoutMs, maxResponseBytes, ...(signal && { signal }) }
    try {
      const leave = await turnstile.enter(signal)
      try {
        const message = body
          ? { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
          : { method, headers }
        return await post(dispatcher, url, message, limits)
      } finally {
        leave()
      }
    } catch (cause) {
      throw toError(failureOfExchange(cause, limits), { rawInquiry, cause })
    }
  }
}

export function toError(
  failure: ClearinghouseFailure,
  context: { rawInquiry?: string | undefined; rawResponse?: string; cause?: unknown } = {},
): ClearinghouseError {
  const { rawInquiry, ...rest } = context
  return new ClearinghouseError(failure.message, {
    ...failure,
    ...rest,
    ...(rawInquiry !== undefined && { rawInquiry }),
  })
}
