import type { Rejection } from './model.ts'

/** AAA03 about who the patient is. Source: x12-271.md 5, rule 5. */
const IDENTITY: ReadonlySet<string | undefined> = new Set('58 64 65 66 67 68 71 72 73 74 75 76 77 78'.split(' '))

/** AAA03 about one benefit, or about an authorization: the rest of the answer stands. Source: x12-271.md 5, rule 5. */
const INFORMATIONAL: ReadonlySet<string | undefined> = new Set(
  '33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA'.split(' '),
)

/**
 * True for an AAA by which the payer refused the inquiry about this patient: at the patient's level or above it, for any
 * reason but the informational ones. What such an answer says of coverage contradicts itself and is not believed. An AAA
 * without a reason, or with a private one, is no reason to believe the rest either.
 */
export function refusesPatient({ loop, reasonCode }: Rejection): boolean {
  return !loop.startsWith('2110') && !INFORMATIONAL.has(reasonCode)
}

/** True for an AAA that doubts who the patient is, wherever it stands. */
export function doubtsPatient({ reasonCode }: Rejection): boolean {
  return IDENTITY.has(reasonCode)
}
