import { setTimeout as wait } from 'node:timers/promises'
import { decodeText } from '../decode-text.ts'
import { excerpt, failureOfExchange, toError } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { type JsonObject, objectOf, objectsOf, readJsonObject, textOf } from '../json-values.ts'
import { stateOf } from './coverage-state.ts'
import type { AvailityExchange } from './exchange.ts'
import { failureOfAnswer, failureOfPayer } from './failures.ts'
import type { Budget } from './send.ts'

/** A coverage that the payer has answered or rejected, and the text of the answer. */
export interface Followed {
  coverage: JsonObject
  text: string
}

interface Taken extends Followed {
  status: number
}

/**
 * Posts an inquiry and polls its coverage every `pollMs` until the payer has answered it or the budget is spent. @throws ClearinghouseError
 * when no coverage results.
 */
export async function followCoverage(
  exchange: AvailityExchange,
  form: URLSearchParams,
  budget: Budget,
  pollMs: number,
): Promise<Followed> {
  const posted = await exchange({ method: 'POST', path: '/coverages', form }, budget)
  let taken = take(posted)
  let state = stateOf(taken.coverage, taken.status)
  const id = idOf(taken.coverage, posted.location)
  // The answer to the inquiry is only a summary; the coverage itself holds the benefits.
  let isWhole = id === undefined || objectsOf(taken.coverage.plans).some(({ benefits }) => Array.isArray(benefits))
  let pauseMs = state === 'complete' ? 0 : pollMs / 2
  while (state === 'pending' || (state === 'complete' && !isWhole)) {
    if (id === undefined) throw toError(withoutId, { rawResponse: excerpt(taken.text) })
    await pause(pauseMs, budget, taken.text)
    pauseMs = pollMs
    const polled = await exchange({ method: 'GET', path: `/coverages/${encodeURIComponent(id)}` }, budget)
    // A rate limit on polling loses nothing: the payer has the inquiry.
    if (polled.status === 429) continue
    taken = takePolled(polled)
    if ((textOf(taken.coverage.id) ?? id) !== id) throw toError(misdirected, { rawResponse: excerpt(taken.text) })
    state = stateOf(taken.coverage, taken.status)
    isWhole = true
  }
  if (state !== 'failed') return taken
  throw toError(failureOfPayer(textOf(taken.coverage.statusCode) ?? ''), { rawResponse: excerpt(taken.text) })
}

/** @throws ClearinghouseError unless the answer holds a coverage. A search returns a list, which begins with the inquiry's own coverage. */
function take(answer: HttpAnswer): Taken {
  const text = decodeText(answer.contentType, answer.body)
  const json = readJsonObject(text)
  const failure = failureOfAnswer(answer, json, new Date())
  if (failure) throw toError(failure, { rawResponse: excerpt(text) })
  const object = json as JsonObject
  const coverage = Array.isArray(object.coverages) ? objectOf(object.coverages[0]) : object
  return { coverage, text, status: answer.status }
}

/** A coverage that Availity has deleted may be requested again. */
function takePolled(answer: HttpAnswer): Taken {
  try {
    return take(answer)
  } catch (error) {
    throw answer.status === 404
      ? toError({ ...(error as ReturnType<typeof toError>), ...deleted }, { cause: error })
      : error
  }
}

async function pause(ms: number, budget: Budget, lastText: string): Promise<void> {
  const { signal, wholeMs } = budget
  const message = `The payer did not answer within ${wholeMs / 1000} s`
  if (ms >= budget.leftMs()) {
    throw toError({ code: 'Timeout', retryable: true, message }, { rawResponse: excerpt(lastText) })
  }
  await wait(ms, undefined, { ...(signal && { signal }) }).catch((cause: unknown) => {
    throw toError(failureOfExchange(cause, { timeoutMs: wholeMs, signal }), { cause })
  })
}

/** The id only: a `Location` header or link to another host must not receive our token. */
function idOf(coverage: JsonObject, location: string | undefined): string | undefined {
  const link = location ?? textOf(objectOf(objectOf(coverage.links).self).href)
  return textOf(coverage.id) ?? (/\/coverages\/([\w.~-]{1,200})\/?(?:\?|$)/.exec(link ?? '')?.[1] || undefined)
}

const withoutId = {
  code: 'NoCoverageId',
  retryable: true,
  message: 'The clearinghouse accepted the inquiry but returned no id for its answer',
}

const misdirected = {
  code: 'MisdirectedAnswer',
  retryable: true,
  message: 'The clearinghouse sent the coverage of another inquiry',
}

const deleted = {
  code: 'HTTP 404',
  retryable: true,
  message: 'The clearinghouse deleted the inquiry before it was answered',
}
