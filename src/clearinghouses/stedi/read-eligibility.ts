import { isObject } from '../../contract/is-object.ts'
import { referenceNames } from '../../x12/codes/references.ts'
import { rejectReasonNames } from '../../x12/codes/rejections.ts'
import { planDescriptionKeys, planReferenceSpellings } from '../../x12/codes/stedi-keys.ts'
import type { Party, Reference, Rejection, Response } from '../../x12/model.ts'
import { emptyParty } from '../../x12/party.ts'
import { beyondRows, type Fitted, fitShape } from '../fit-shape.ts'
import { referenceReader } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts'
import { incompleteIn } from '../partial-answers.ts'
import { BENEFITS_ROWS, benefitsShape } from './benefits-shape.ts'
import { furtherRejections, loopIn, namesPeople, readFollowUp, readTrace, refusesDependent, TOP } from './both-forms.ts'
import { planDateCodes, readBenefits, readDates } from './read-benefits.ts'
import { readMember, readPayer, readProvider } from './read-parties.ts'

/**
 * Reads Stedi's eligibility JSON as the 271 that it represents: one patient, codes raw, nothing invented. Never throws, for any JSON.
 * Information that the JSON does not preserve is missing: whether a plan number or date belongs to the subscriber or the dependent, and all
 * but the last of several dates of one kind. Source: clearinghouse.md A2, A3.
 */
export function readEligibility(json: JsonObject): Response {
  return readFittedEligibility(fitEligibility(json))
}

/** The answer in the shapes of its description. */
export function fitEligibility(json: JsonObject): Fitted {
  const fitted = fitShape(json, benefitsShape, BENEFITS_ROWS)
  const { errors, dependents, warnings, message } = fitted.json
  const unread = [
    // An error without a reason of X12 is the clearinghouse's own: the rest may be what it got until then.
    ...(objectsOf(errors).every(isRejection) ? [] : ['errors']),
    ...(objectsOf(dependents).length > 1 ? ['dependents'] : []),
    ...incompleteIn({ warnings, message }),
  ]
  return { ...fitted, unread: [...fitted.unread, ...unread] }
}

/** Reads what `fitEligibility` returns. */
export function readFittedEligibility(fitted: Fitted): Response {
  const { json } = fitted
  const { stray, ...beyond } = beyondRows(fitted)
  const subscriber = isObject(json.subscriber) ? readMember(json.subscriber) : emptyParty()
  const dependent = objectsOf(json.dependents).map(readMember)[0]
  const patient = dependent ?? subscriber
  const rejections = readRejections(json)
  patient.dates = readDates(objectOf(json.planDateInformation), planDateCodes)
  patient.traces = objectsOf(json.subscriberTraceNumbers).map((trace) => readTrace(trace, textOf(trace.traceTypeCode)))
  subscriber.references.push(...readPlanReferences(json, [subscriber, patient]))
  return {
    controlNumber: textOf(json.controlNumber) ?? '',
    warnings: [],
    rejections,
    patients: [
      {
        ...(isObject(json.payer) && { payer: readPayer(json.payer) }),
        ...(isObject(json.provider) && { provider: readProvider(json.provider) }),
        subscriber,
        ...(dependent && { dependent }),
        rejections,
        benefits: dependent && refusesDependent(rejections) ? [] : [...readBenefits(json), ...stray],
        ...beyond,
      },
    ],
  }
}

/** True when the JSON contains an eligibility answer: a benefit, a reject reason, or at least the subscriber and the payer. */
export function isEligibility(json: JsonObject): boolean {
  const hasRows = [json.benefitsInformation, json.planStatus].some((list) => objectsOf(list).length > 0)
  return hasRows || readRejections(json).length > 0 || namesPeople(json)
}

/**
 * Every AAA once: `errors` collects those of all levels, and a level's own entries that are missing there are added. An error that names
 * neither the segment nor a reason of X12 and a loop of the 271 is the clearinghouse's own and not read here.
 */
export function readRejections(json: JsonObject): Rejection[] {
  const gathered = objectsOf(json.errors)
    .filter(isRejection)
    .map((error) => readRejection(error, TOP))
  const ofLevels = [
    ...readLevel(json.payer, '2100A'),
    ...readLevel(json.provider, '2100B'),
    ...readLevel(json.subscriber, '2100C'),
    ...objectsOf(json.dependents).flatMap((dependent) => readLevel(dependent, '2100D')),
  ]
  return [...gathered, ...furtherRejections(gathered, ofLevels)]
}

const isRejection = ({ field, code, location }: JsonObject) =>
  field === 'AAA' || (Object.hasOwn(rejectReasonNames, textOf(code) ?? '') && loopIn(textOf(location)) !== undefined)

function readLevel(level: unknown, loop: string): Rejection[] {
  return objectsOf(objectOf(level).aaaErrors).map((error) => readRejection(error, loop))
}

function readRejection(error: JsonObject, loop: string): Rejection {
  return {
    reasonCode: textOf(error.code),
    followUpCode: readFollowUp(error.followupAction),
    loop: loopIn(textOf(error.location)) ?? loop,
  }
}

/** REF01 of `planInformation` and its keys of REF02 and REF03. */
const readPlanInformation = referenceReader(
  new Map(
    Object.entries(referenceNames).map(([qualifier, name]) => {
      const description = planDescriptionKeys[qualifier]
      const value = planReferenceSpellings[qualifier] ?? name
      return [qualifier, [value, description]] as const
    }),
  ),
)

/** `planInformation` repeats the members' own references; the others are read as the policy's, i.e. the subscriber's. */
function readPlanReferences(json: JsonObject, members: Party[]): Reference[] {
  const known = new Set(members.flatMap(({ references }) => references.map(({ qualifier }) => qualifier)))
  return readPlanInformation(objectOf(json.planInformation)).filter(({ qualifier }) => !known.has(qualifier))
}
