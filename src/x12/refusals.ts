import type { Rejection } from './model.ts'

/** AAA03 codes about the patient's identity. Source: x12-271.md 5, rule 5. */
const IDENTITY: ReadonlySet<string | undefined> = new Set('58 64 65 66 67 68 71 72 73 74 75 76 77 78'.split(' '))

/** AAA03 codes about one benefit or an authorization: the rest of the answer is valid. Source: x12-271.md 5, rule 5. */
const INFORMATIONAL: ReadonlySet<string | undefined> = new Set(
  '33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA'.split(' '),
)

/**
 * True for an AAA by which the payer rejected the inquiry about this patient: at the patient's level or above it, for any reason except the
 * informational ones. Coverage stated in such an answer contradicts the rejection and is not trusted. An AAA with no reason or a private
 * reason code counts as a rejection too.
 */
export function refusesPatient({ loop, reasonCode }: Rejection): boolean {
  return !loop.startsWith('2110') && !INFORMATIONAL.has(reasonCode)
}

/** True for an AAA that questions the patient's identity, at any level. */
export function doubtsPatient({ reasonCode }: Rejection): boolean {
  return IDENTITY.has(reasonCode)
}
