// Service types by name, and those that a clinic uses most.
import { serviceTypeNames } from '../../../src/x12/codes/service-types.ts'

/** A code without a name is shown unchanged. */
export const serviceTypeName = (code: string) => serviceTypeNames[code] ?? `Service type ${code}`

const ASKED_FIRST = ['30', '98', 'UC', 'PT', '5', '4', 'MH', '33', '35', 'AL', '86', '88']

export const serviceTypeOptions = ASKED_FIRST.map((value) => ({ value, label: `${serviceTypeName(value)} (${value})` }))
