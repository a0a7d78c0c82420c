import { setTimeout as wait } from 'node:timers/promises'
import { failureOfExchange, toError } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { type JsonObject, objectOf, objectsOf, readJsonObject, textOf } from '../json-values.ts'
import { stateOf } from './coverage-state.ts'
import type { AvailityExchange, Budget } from './exchange.ts'
import { failureOfAnswer, failureOfPayer } from './failures.ts'

/** A coverage that the payer has answered or rejected, and the text that it came as. */
export interface Followed {
  coverage: JsonObject
  text: string
}

interface Taken extends Followed {
  status: number
}

/** What is kept of an answer that is of no use. */
const KEPT_CHARACTERS = 100_000
export const keep = (text: string) => text.slice(0, KEPT_CHARACTERS)

/**
 * Posts an inquiry and looks after its coverage until the payer has answered it or the budget is spent; `pollMs` lies between
 * two looks. @throws ClearinghouseError when no coverage comes of it.
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
  // The answer to the inquiry is a summary; the benefits stand in the coverage itself.
  let isWhole = id === undefined || objectsOf(taken.coverage.plans).some(({ benefits }) => Array.isArray(benefits))
  let pauseMs = state === 'complete' ? 0 : pollMs / 2
  while (state === 'pending' || (state === 'complete' && !isWhole)) {
    if (id === undefined) throw toError(withoutId, { rawResponse: keep(taken.text) })
    await pause(pauseMs, budget, taken.text)
    pauseMs = pollMs
    const looked = await exchange({ method: 'GET', path: `/coverages/${encodeURIComponent(id)}` }, budget)
    // Too many looks at a time lose nothing: the inquiry is with the payer.
    if (looked.status === 429) continue
    taken = takeLooked(looked)
    state = stateOf(taken.coverage, taken.status)
    isWhole = true
  }
  if (state !== 'failed') return taken
  throw toError(failureOfPayer(textOf(taken.coverage.statusCode) ?? ''), { rawResponse: keep(taken.text) })
}

/** @throws ClearinghouseError unless the answer holds a coverage. A search answers a list: the inquiry's own comes first. */
function take(answer: HttpAnswer): Taken {
  const text = answer.body.toString('utf8')
  const json = readJsonObject(text)
  const failure = failureOfAnswer(answer, json, new Date())
  if (failure) throw toError(failure, { rawResponse: keep(text) })
  const object = json as JsonObject
  const coverage = Array.isArray(object.coverages) ? objectOf(object.coverages[0]) : object
  return { coverage, text, status: answer.status }
}

/** A coverage that Availity has dropped meanwhile can be asked for again. */
function takeLooked(answer: HttpAnswer): Taken {
  try {
    return take(answer)
  } catch (error) {
    throw answer.status === 404
      ? toError({ ...(error as ReturnType<typeof toError>), ...gone }, { cause: error })
      : error
  }
}

async function pause(ms: number, budget: Budget, lastText: string): Promise<void> {
  const { signal, wholeMs } = budget
  const message = `The payer did not answer within ${wholeMs / 1000} s`
  if (ms >= budget.leftMs()) {
    throw toError({ code: 'Timeout', retryable: true, message }, { rawResponse: keep(lastText) })
  }
  await wait(ms, undefined, { ...(signal && { signal }) }).catch((cause: unknown) => {
    throw toError(failureOfExchange(cause, { timeoutMs: wholeMs, maxResponseBytes: 0, ...(signal && { signal }) }), {
      cause,
    })
  })
}

/** The id only: a `Location` or link elsewhere must not get our token. */
function idOf(coverage: JsonObject, location: string | undefined): string | undefined {
  const link = location ?? textOf(objectOf(objectOf(coverage.links).self).href)
  return textOf(coverage.id) ?? (/\/coverages\/([\w.~-]{1,200})\/?(?:\?|$)/.exec(link ?? '')?.[1] || undefined)
}

const withoutId = {
  code: 'NoCoverageId',
  retryable: true,
  message: 'The clearinghouse took the inquiry and did not say where its answer will be',
}

const gone = {
  code: 'HTTP 404',
  retryable: true,
  message: 'The clearinghouse has dropped the inquiry before it was answered',
}
