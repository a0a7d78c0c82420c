// Service types by name, and those that a clinic asks about first.
import { serviceTypeNames } from '../../../src/x12/codes/service-types.ts'

/** A code that has no name is shown as the payer wrote it. */
export const serviceTypeName = (code: string) => serviceTypeNames[code] ?? `Service type ${code}`

const ASKED_FIRST = ['30', '98', 'UC', 'PT', '5', '4', 'MH', '33', '35', 'AL', '86', '88']

export const serviceTypeOptions = ASKED_FIRST.map((value) => ({ value, label: `${serviceTypeName(value)} (${value})` }))
