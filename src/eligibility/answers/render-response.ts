// Renders the answer of a stored check as it was shown originally. Source: decisions/0020-bounded-work.md.
import { readCoverage } from '../../clearinghouses/availity/read-coverage.ts'
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { readJsonObject } from '../../clearinghouses/json-values.ts'
import { readKeptPlans } from '../../clearinghouses/stedi/take-answer.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import type { Inquiry } from '../../x12/model.ts'
import { type CheckRequest, toInquiry } from '../inquiries/check-inquiry.ts'
import type { AnswerForm } from './outcome.ts'
import { readAnswer, readForeign, renderOnly } from './read-answer.ts'
import { maskInTurns } from './social-security.ts'

/** The `response` of a check from its stored answer, as it was shown originally. */
export async function renderResponse(
  kept: { text: string; form: AnswerForm },
  request: CheckRequest,
  { organizationId, id: checkId }: { organizationId: string; id: string },
): Promise<unknown> {
  const { text, form } = kept
  if (form === 'text' || form === 'json') return maskInTurns(readForeign(text), request, () => takeTurn(organizationId))
  const inquiry = toInquiry(request, checkId)
  const sent = { request, inquiry, organizationId, checkId, isStored: true }
  return (await readAnswer(readKept(kept, inquiry), sent, renderOnly)).response
}

function readKept({ text, form }: { text: string; form: AnswerForm }, inquiry: Inquiry): ClearinghouseAnswer {
  const plans = form === 'plans' ? readKeptPlans(text, inquiry.traceNumber) : undefined
  if (plans) return plans
  const coverage = form === 'coverage' || text.trimStart().startsWith('{') ? readJsonObject(text) : undefined
  return {
    rawResponse: text,
    ...(typeof coverage === 'object' && { responses: [readCoverage(coverage, inquiry)] }),
  }
}
