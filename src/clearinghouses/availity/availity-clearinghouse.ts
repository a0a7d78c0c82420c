import type { Inquiry } from '../../x12/model.ts'
import { type Clearinghouse, type ClearinghouseAnswer, ClearinghouseError } from '../clearinghouse.ts'
import { excerpt, failureOfExchange, toError, unusableAnswers } from '../failures.ts'
import { textOf } from '../json-values.ts'
import { createSemaphore } from '../semaphore.ts'
import type { AvailitySettings } from './availity-settings.ts'
import { stateOf } from './coverage-state.ts'
import { createExchange } from './exchange.ts'
import { failureOfMessages, readFieldMessages } from './failures.ts'
import { type Followed, followCoverage } from './follow-coverage.ts'
import { inquiryForm, passedForm } from './inquiry-form.ts'
import { fitCoverage, readFittedCoverage } from './read-coverage.ts'
import { isBeyondPlans } from './read-plans.ts'

/** The usual polling interval of integrations. */
const POLL_MS = 2_000

/**
 * A connector to Availity's Coverages: an inquiry is posted as a form and polled until the payer has answered it.
 * @throws Error immediately when the settings are unusable.
 */
export function createAvailityClearinghouse(settings: AvailitySettings): Clearinghouse {
  requireUsable(settings)
  const send = openInquiries(settings)
  return {
    name: settings.name ?? 'availity',
    async checkEligibility(inquiry, { signal }) {
      const form = inquiryForm(inquiry, settings)
      const rawInquiry = form.toString()
      const followed = await send(form, signal).catch((error: unknown) => {
        throw error instanceof ClearinghouseError ? error.with({ rawInquiry }) : error
      })
      return toAnswer(followed, inquiry, rawInquiry)
    },
    async fetchCoverage(parameters, { signal } = {}) {
      return (await send(passedForm(parameters), signal)).coverage
    },
  }
}

/** Limits the number of concurrent inquiries and the time of each, which begins when the inquiry leaves the waiting queue. */
function openInquiries(settings: AvailitySettings) {
  const { timeoutMs = 55_000, maxConcurrency = 20, pollMs = POLL_MS } = settings
  const exchange = createExchange(settings)
  const semaphore = createSemaphore(maxConcurrency)
  return async (form: URLSearchParams, signal: AbortSignal | undefined): Promise<Followed> => {
    const follow = () => {
      const until = performance.now() + timeoutMs
      const budget = { wholeMs: timeoutMs, leftMs: () => until - performance.now(), signal }
      return followCoverage(exchange, form, budget, pollMs)
    }
    return semaphore.pass(signal, follow).catch((cause: unknown) => {
      if (cause instanceof ClearinghouseError) throw cause
      throw toError(failureOfExchange(cause, { timeoutMs, signal }), { cause })
    })
  }
}

/**
 * @throws ClearinghouseError when the payer rejected the inquiry in words instead of X12 codes, or the answer exceeds the bounds of an
 * answer to one inquiry.
 */
function toAnswer({ coverage, text }: Followed, inquiry: Inquiry, rawInquiry: string): ClearinghouseAnswer {
  const refuse = () => {
    throw toError(unusableAnswers.tooLarge, { rawInquiry, rawResponse: excerpt(text) })
  }
  // Also as it came: to bring thousands of rows into shape takes longer than to count them.
  if (isBeyondPlans(coverage.plans)) refuse()
  const fitted = fitCoverage(coverage)
  if (isBeyondPlans(fitted.json.plans)) refuse()
  const response = readFittedCoverage(fitted, inquiry)
  if (stateOf(coverage, 200) === 'rejected' && response.rejections.length === 0) {
    const messages = readFieldMessages(coverage.validationMessages)
    const failure = failureOfMessages(messages, textOf(coverage.statusCode))
    throw toError(failure, { rawInquiry, rawResponse: excerpt(text) })
  }
  return { rawInquiry, rawResponse: text, responses: [response] }
}

function requireUsable(settings: AvailitySettings): void {
  const { url } = settings
  if (url !== undefined && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
    throw new Error('clearinghouse url must be an http or https URL')
  }
  for (const name of ['timeoutMs', 'maxConcurrency', 'pollMs'] as const) {
    const value = settings[name]
    if (value !== undefined && !(value > 0)) throw new Error(`clearinghouse ${name} must be positive`)
  }
}
