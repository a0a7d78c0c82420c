import { setTimeout as wait } from 'node:timers/promises'
import { ClearinghouseError, type DiscoveryInquiry, type StediJson } from '../clearinghouse.ts'
import { toError } from '../failures.ts'
import type { JsonObject } from '../json-values.ts'
import { textOf } from '../json-values.ts'
import type { StediExchange } from './exchange.ts'
import { takeJson } from './take-answer.ts'

interface DiscoveryOptions {
  /** The address of the search. */
  url: string
  /** For the search including all polls. */
  timeoutMs: number
  pollEveryMs: number
  signal?: AbortSignal
}

/**
 * Starts a search and polls its result: a long search is answered PENDING at first.
 * @throws ClearinghouseError, `Pending` when the time is over. Source: clearinghouse.md A7.
 */
export async function discover(
  exchange: StediExchange,
  inquiry: DiscoveryInquiry,
  options: DiscoveryOptions,
): Promise<StediJson> {
  const { url, timeoutMs, pollEveryMs, signal } = options
  const endsAt = performance.now() + timeoutMs
  const send = async (call: { method: 'GET' | 'POST'; url: string; body?: JsonObject }) => {
    const remainingMs = Math.max(1, endsAt - performance.now())
    return takeJson(await exchange({ ...call, timeoutMs: remainingMs, ...(signal && { signal }) }), new Date())
  }
  const stillRunning = () =>
    toError({
      code: 'Pending',
      retryable: true,
      message: `The search for insurance was still running after ${timeoutMs / 1000} s`,
    })

  let found = await send({ method: 'POST', url, body: { ...inquiry } })
  const id = textOf(found.discoveryId)
  while (found.status === 'PENDING') {
    if (id === undefined || performance.now() + pollEveryMs >= endsAt) throw stillRunning()
    await wait(pollEveryMs, undefined, signal && { signal }).catch(() => {})
    found = await send({ method: 'GET', url: `${url}/${encodeURIComponent(id)}` }).catch((error: unknown) => {
      // A temporary error of the poll: the search itself continues.
      if (error instanceof ClearinghouseError && error.retryable && !signal?.aborted) return found
      throw error
    })
  }
  return found
}
