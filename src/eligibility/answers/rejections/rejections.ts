import {
  followUpActionNames,
  type HandlingClass,
  handlingOfReason,
  INVALID_PARTICIPANT,
  PAYER_MISSING,
  rejectReasonNames,
  subjectOfReason,
} from '../../../x12/codes/rejections.ts'
import type { Rejection } from '../../../x12/model.ts'
import type { ErrorDetails, WireErrorDetails } from '../wire.ts'

/** The advice, in one sentence for the front desk. */
const RESOLUTIONS: Readonly<Record<HandlingClass, string>> = {
  retry: 'The payer could not answer now; the check can be repeated later without any change.',
  registrar:
    'The payer could not identify the patient; compare name, date of birth and member ID with the insurance card and check again.',
  billing:
    'The payer did not accept the provider or payer details; ask the billing office to review NPI, payer ID and enrollment.',
  date: 'The payer does not answer for this date; choose another date of service and check again.',
  informational: 'The payer did not answer for this service; the rest of the answer is valid.',
}

/** AAA04 codes that allow the same inquiry again: original transaction, in 30 days, in 10 days, resubmission allowed. */
const REPEATABLE: ReadonlySet<string | undefined> = new Set(['P', 'W', 'X', 'R'])

/**
 * Who has to act. The reason decides, because sending the inquiry again does not correct missing or wrong values. 79 with "resubmission
 * allowed", or from the payer's own level without "please correct", is an outage of the payer. A reason without a class (4010 and Medicaid
 * programs send private ones) is classified by the follow-up action, then by the level that was rejected. Source: x12-271.md 8.
 */
export function classifyRejection({ reasonCode, followUpCode, loop }: Rejection): HandlingClass {
  if (reasonCode === INVALID_PARTICIPANT && (followUpCode === 'R' || (isPayerLevel(loop) && followUpCode !== 'C')))
    return 'retry'
  const handling = handlingOfReason(reasonCode)
  if (handling !== undefined) return handling
  if (REPEATABLE.has(followUpCode)) return 'retry'
  if (loop.startsWith('2110')) return 'informational'
  return isPayerLevel(loop) || loop.endsWith('B') ? 'billing' : 'registrar'
}

/** True for a reason (AAA03) that a payer which cannot answer now may give: it then says nothing about the coverage. */
export const mayBeOutage = (reasonCode: string | undefined): boolean =>
  reasonCode === INVALID_PARTICIPANT || subjectOfReason(reasonCode) === 'outage'

/** True for a payer whose id the clearinghouse does not recognize. */
function isUnknownPayer(rejection: Rejection): boolean {
  const { reasonCode, loop } = rejection
  if (reasonCode === PAYER_MISSING) return true
  return reasonCode === INVALID_PARTICIPANT && isPayerLevel(loop) && classifyRejection(rejection) === 'billing'
}

/** Advice on an unknown payer, for places that show only a description. */
export const CHECK_PAYER_LIST = 'check it against the payer list'

/** The sentence for the front desk. */
export function describeHandling(handling: HandlingClass): string {
  return RESOLUTIONS[handling]
}

/**
 * A reject reason in the clearinghouse's spelling: `code` is AAA03, `followupAction` AAA04 in words, `location` such as `Loop 2100C`.
 * Private codes are passed on; missing elements are left out. Source: clearinghouse.md A3.
 */
export function errorDetails(rejection: Rejection): ErrorDetails {
  const details: ErrorDetails = { field: 'AAA' }
  if (rejection.reasonCode !== undefined) details.code = rejection.reasonCode
  const description = describeReason(rejection)
  if (description !== undefined) {
    details.description = isUnknownPayer(rejection) ? `${description}: ${CHECK_PAYER_LIST}` : description
  }
  const action = describeFollowUp(rejection)
  if (action !== undefined) details.followupAction = action
  details.location = locationOf(rejection)
  details.possibleResolutions = describeHandling(classifyRejection(rejection))
  return details
}

/**
 * The details under the interface's keys, which end in a question mark, and under the plain ones: generated clients read only the former.
 * Source: rules.md 13.3.
 */
export function wireErrorDetails(plain: ErrorDetails): WireErrorDetails {
  const wire: Record<string, string> = {}
  for (const [key, value] of Object.entries(plain)) {
    if (value === undefined) continue
    wire[`${key}?`] = value
    wire[key] = value
  }
  return wire
}

/** `Loop 2100C`. */
export function locationOf(rejection: Rejection): string {
  return `Loop ${rejection.loop}`
}

/** AAA03 in words; undefined for a private code. */
export function describeReason({ reasonCode }: Rejection): string | undefined {
  return reasonCode === undefined ? undefined : rejectReasonNames[reasonCode]
}

/** AAA04 in words; a private code as it was sent. */
export function describeFollowUp({ followUpCode }: Rejection): string | undefined {
  return followUpCode === undefined ? undefined : (followUpActionNames[followUpCode] ?? followUpCode)
}

function isPayerLevel(loop: string): boolean {
  return loop.endsWith('A')
}
