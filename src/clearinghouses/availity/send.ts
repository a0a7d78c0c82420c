import { failureOfExchange, toError } from '../failures.ts'
import { type HttpAnswer, type HttpMessage, openDispatcher, post } from '../http-exchange.ts'
import { type AvailitySettings, DEFAULT_URL } from './availity-settings.ts'

/** The remaining time of one check, and the caller's abort signal. */
export interface Budget {
  /** The whole time allowed, in milliseconds. */
  wholeMs: number
  leftMs(): number
  signal?: AbortSignal
}

export const FORM = 'application/x-www-form-urlencoded'

/** Sends one message and reads the whole answer, for any status. @throws ClearinghouseError */
export type Sender = (path: string, message: HttpMessage, budget: Budget) => Promise<HttpAnswer>

/** Limits that the settings do not set: 55 s, 20 connections. Connects with the first message. */
export function createSender(settings: AvailitySettings): Sender {
  const { timeoutMs = 55_000, maxConcurrency = 20 } = settings
  const base = (settings.url ?? DEFAULT_URL).replace(/\/+$/, '')
  const dispatcher = openDispatcher({ ...settings, maxConcurrency, timeoutMs })
  return (path, message, budget) => {
    const { signal } = budget
    const limits = { timeoutMs: Math.max(1, budget.leftMs()), signal }
    const headers = { accept: 'application/json', 'accept-encoding': 'gzip, deflate, br', ...message.headers }
    return post(dispatcher, `${base}${path}`, { ...message, headers }, limits).catch((cause: unknown) => {
      // The message states the time of the whole check, not the remainder.
      throw toError(failureOfExchange(cause, { ...limits, timeoutMs: budget.wholeMs }), { cause })
    })
  }
}
