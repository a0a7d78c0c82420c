import { abandoned, toError, unansweredWithin } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { createTokenSource } from './access-token.ts'
import type { AvailitySettings } from './availity-settings.ts'
import { fetchToken } from './fetch-token.ts'
import { type Budget, createSender, FORM } from './send.ts'

interface AvailityCall {
  method: 'GET' | 'POST'
  path: string
  form?: URLSearchParams
}

/**
 * Sends one call with a token, and once again with a new token when the first is rejected. @throws ClearinghouseError when no complete
 * answer arrives.
 */
export type AvailityExchange = (call: AvailityCall, budget: Budget) => Promise<HttpAnswer>

/** All calls to Availity use this exchange, which handles the token, the deadline and the size limit. Source: clearinghouse.md C. */
export function createExchange(settings: AvailitySettings): AvailityExchange {
  const send = createSender(settings)
  const tokens = createTokenSource(() => fetchToken(settings, send))
  const mock = settings.mockScenario

  return async ({ method, path, form }, budget) => {
    for (let attempt = 1; ; attempt++) {
      const token = await withinBudget(tokens.get(), budget)
      const headers: Record<string, string> = {
        authorization: `Bearer ${token}`,
        ...(form && { 'content-type': FORM }),
        ...(mock && { 'x-api-mock-scenario-id': mock }),
      }
      const answer = await send(path, { method, headers, ...(form && { body: form.toString() }) }, budget)
      if (answer.status !== 401) return answer
      tokens.forget(token)
      if (attempt === 2) return answer
    }
  }
}

/** Waits for a result shared with other callers, but no longer than this caller's budget or signal allows. */
async function withinBudget<Value>(shared: Promise<Value>, budget: Budget): Promise<Value> {
  const { signal } = budget
  const ending = AbortSignal.any([
    AbortSignal.timeout(Math.max(1, Math.ceil(budget.leftMs()))),
    ...(signal ? [signal] : []),
  ])
  let giveUp = () => {}
  const ended = new Promise<never>((_, reject) => {
    giveUp = () => reject(toError(signal?.aborted ? abandoned : unansweredWithin(budget.wholeMs)))
    if (ending.aborted) giveUp()
    else ending.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([shared, ended])
  } finally {
    ending.removeEventListener('abort', giveUp)
  }
}
