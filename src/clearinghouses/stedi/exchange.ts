import { failureOfExchange, toError } from '../failures.ts'
import { type HttpAnswer, openDispatcher, post } from '../http-exchange.ts'
import type { JsonObject } from '../json-values.ts'
import { createSemaphore } from '../semaphore.ts'
import type { StediSettings } from './stedi-settings.ts'

interface StediCall {
  method: 'GET' | 'POST'
  url: string
  body?: JsonObject
  signal?: AbortSignal
  /** A shorter limit than the settings', for one of several calls that share a deadline. */
  timeoutMs?: number
  /** The inquiry as stored with a failure. */
  rawInquiry?: string
}

/** Sends one call when a place is free. @throws ClearinghouseError when no complete answer arrives. */
export type StediExchange = (call: StediCall) => Promise<HttpAnswer>

/**
 * All calls to Stedi use this exchange, which handles authorization and the limits on concurrency, time and size. Source: clearinghouse.md
 * A1.
 */
export function createExchange(settings: StediSettings): StediExchange {
  const { timeoutMs = 65_000, maxConcurrency = 5 } = settings
  const semaphore = createSemaphore(maxConcurrency)
  const dispatcher = openDispatcher({ ...settings, maxConcurrency, timeoutMs })
  const headers: Record<string, string> = {
    authorization: settings.authorization === 'Key' ? `Key ${settings.apiKey}` : settings.apiKey,
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    ...(settings.forwardedFor && { 'x-forwarded-for': settings.forwardedFor }),
  }

  return async ({ method, url, body, signal, rawInquiry, ...call }) => {
    const limits = { timeoutMs: call.timeoutMs ?? timeoutMs, signal }
    try {
      return await semaphore.pass(signal, () => {
        const message = body
          ? { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
          : { method, headers }
        return post(dispatcher, url, message, limits)
      })
    } catch (cause) {
      throw toError(failureOfExchange(cause, limits), { rawInquiry, cause })
    }
  }
}
