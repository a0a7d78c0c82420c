import { isObject } from '../../contract/is-object.ts'
import type { Rejection, Response } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { beyondRows, type Fitted, fitShape } from '../fit-shape.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts'
import { incompleteIn } from '../partial-answers.ts'
import { loopIn, namesPeople, readFollowUp, readTrace, refusesDependent, TOP } from './both-forms.ts'
import { locationWords, traceWords } from './plan-names.ts'
import { PLANS_ROWS, plansShape } from './plans-shape.ts'
import { codeReader } from './read-parties.ts'
import { readPlanRows } from './read-plan-benefits.ts'
import { readPlanMember, readPlanPayer, readPlanProvider } from './read-plan-parties.ts'

/**
 * Reads the answer of `POST /2026-06-01/eligibility-check` as the 271 that it represents: one patient, codes raw, nothing invented. Never
 * throws, for any JSON.
 *
 * Not read: `id`, `eligibilitySearchId`, `meta.traceId` and `meta.outboundTraceId`, which are Stedi's own numbers; `warnings`, which
 * concern the request; `service.definition`, `placesOfService.name` and `diagnosis.codeSystem`, which only name codes; `invalidReasons`,
 * which state why Stedi considers an entry contradictory (the entry itself is read). The whole answer is stored.
 */
export function readPlans(json: JsonObject): Response {
  return readFittedPlans(fitPlans(json))
}

/** The answer in the shapes of its description. */
export function fitPlans(json: JsonObject): Fitted {
  const fitted = fitShape(json, plansShape, PLANS_ROWS)
  const { warnings, message } = fitted.json
  return { ...fitted, unread: [...fitted.unread, ...incompleteIn({ warnings, message })] }
}

/** Reads what `fitPlans` returns. */
export function readFittedPlans(fitted: Fitted): Response {
  const { json } = fitted
  const { stray, ...beyond } = beyondRows(fitted)
  const subscriber = isObject(json.subscriber) ? readPlanMember(json.subscriber) : emptyParty()
  const dependent = isObject(json.dependent) ? readPlanMember(json.dependent) : undefined
  const patient = dependent ?? subscriber
  const rejections = readPlanRejections(json)
  const { benefits, diagnoses } = readPlanRows(json)
  if (diagnoses.length > 0) patient.diagnoses = diagnoses
  patient.traces = objectsOf(objectOf(json.meta).subscriberTraceNumbers).map((trace) =>
    readTrace(trace, readTraceType(trace.type)),
  )
  return {
    controlNumber: '',
    warnings: [],
    rejections,
    patients: [
      {
        ...(isObject(json.payer) && { payer: readPlanPayer(json.payer, textOf(json.payerId)) }),
        ...(isObject(json.provider) && { provider: readPlanProvider(json.provider) }),
        subscriber,
        ...(dependent && { dependent }),
        rejections,
        benefits: dependent && refusesDependent(rejections) ? [] : [...benefits, ...stray],
        ...beyond,
      },
    ],
  }
}

/** True when the JSON is such an answer: it has plans, a reject reason, or at least the people it describes. */
export function isPlans(json: JsonObject): boolean {
  return objectsOf(json.plans).length > 0 || readPlanRejections(json).length > 0 || namesPeople(json)
}

const readLocation = codeReader(locationWords)
const readTraceType = codeReader(traceWords)

/** Every AAA. */
export function readPlanRejections(json: JsonObject): Rejection[] {
  return objectsOf(json.errors).map(({ code, followupAction, location }) => ({
    reasonCode: textOf(code),
    followUpCode: readFollowUp(followupAction),
    loop: loopIn(readLocation(location)) ?? TOP,
  }))
}
