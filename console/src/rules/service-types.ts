// Service types by name, and those that a clinic uses most.
import { isServiceTypeCode } from '../../../src/contract/wire-codes.ts'
import { serviceTypeNames } from '../../../src/x12/codes/service-types.ts'

/** A code without a name is shown unchanged. */
export const serviceTypeName = (code: string) => serviceTypeNames[code] ?? `Service type ${code}`

const ASKED_FIRST = ['30', '98', 'UC', 'PT', '5', '4', 'MH', '33', '35', 'AL', '86', '88']

export const serviceTypeOptions = ASKED_FIRST.map((value) => ({ value, label: `${serviceTypeName(value)} (${value})` }))

/** The codes of a text such as `PT, 98`. */
export const serviceTypesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;|]+/)
    .filter(Boolean)

/** Why payers cannot be asked about these codes, which may be words: `OFFICE, VISIT`. */
export function faultOfServiceTypes(codes: readonly string[]): string | undefined {
  const unknown = codes.filter((code) => !isServiceTypeCode(code))
  if (unknown.length === 0) return undefined
  return `Not ${unknown.length === 1 ? 'a service type code' : 'service type codes'} (X12 1365), such as 98: ${unknown.join(', ')}`
}
