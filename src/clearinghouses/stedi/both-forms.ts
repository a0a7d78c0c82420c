// What the two forms of Stedi's eligibility answers have in common.
import { followUpActionNames } from '../../x12/codes/rejections.ts'
import type { Party, Rejection } from '../../x12/model.ts'
import { refusesPatient } from '../../x12/refusals.ts'
import { type JsonObject, objectOf, textOf } from '../json-values.ts'
import { codeReader } from './read-parties.ts'

/** The loop of an AAA without a location: above all others. */
export const TOP = '2000A'

/** The loop of the 271 that the location of an AAA names. */
export const loopIn = (location: string | undefined): string | undefined => /\b2\d{3}[A-D]\b/.exec(location ?? '')?.[0]

export const readFollowUp = codeReader(followUpActionNames)

/**
 * Whether the payer rejected the inquiry about the dependent. The JSON does not state whether its benefits are the subscriber's or the dependent's: a rejected dependent
 * gets none of them.
 */
export const refusesDependent = (rejections: Rejection[]): boolean =>
  rejections.some((rejection) => rejection.loop.endsWith('D') && refusesPatient(rejection))

/** Those of `stated` that are not among `known`. The entries of a 2000 and a 2100 loop are the same AAA; one of a benefit is a different one. */
export function furtherRejections(known: readonly Rejection[], stated: readonly Rejection[]): Rejection[] {
  const keyOf = ({ reasonCode, loop }: Rejection) => `${reasonCode} ${loop.replace('2000', '2100')}`
  const keys = new Set(known.map(keyOf))
  return stated.filter((rejection) => !keys.has(keyOf(rejection)))
}

/** Whether the answer describes at least the subscriber and the payer. */
export const namesPeople = ({ subscriber, payer }: JsonObject): boolean =>
  [subscriber, payer].every((member) => Object.keys(objectOf(member)).length > 0)

/** A trace number, whose type is a code in one form and a word in the other. */
export const readTrace = (json: JsonObject, type: string | undefined): Party['traces'][number] => ({
  type: type ?? '',
  number: textOf(json.referenceIdentification) ?? '',
  originator: textOf(json.originatingCompanyIdentifier),
  subdivision: textOf(json.secondaryReferenceIdentification),
})
