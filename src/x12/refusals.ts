import { subjectOfReason } from './codes/rejections.ts'
import type { Rejection } from './model.ts'

/**
 * True for an AAA by which the payer rejected the inquiry about this patient: at the patient's level or above it, for any reason except
 * those about one service. Coverage stated in such an answer contradicts the rejection and is not trusted. An AAA with no reason or a private
 * reason code counts as a rejection too. Source: x12-271.md 5, rule 5.
 */
export function refusesPatient({ loop, reasonCode }: Rejection): boolean {
  return !loop.startsWith('2110') && subjectOfReason(reasonCode) !== 'service'
}

/** AAA03: the patient was born after the date of service, or died before it. */
const NOT_ALIVE: ReadonlySet<string | undefined> = new Set(['60', '61'])

/** True for an AAA that questions whether the patient is the person, or was alive, at any level. */
export function doubtsPatient({ reasonCode }: Rejection): boolean {
  return subjectOfReason(reasonCode) === 'identity' || NOT_ALIVE.has(reasonCode)
}
