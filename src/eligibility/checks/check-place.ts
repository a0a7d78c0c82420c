import type { Place } from '../../platform/crypto/encryption.ts'

/** What is encrypted of a stored check: whole columns, and fields at the top of those that hold JSON. */
export type CheckColumn = 'request.portal_password' | 'raw_inquiry' | 'raw_response'

/** Where an encrypted value of a check stands. */
export function placeOfCheck(check: { organizationId: string; id: string }, column: CheckColumn): Place {
  return { table: 'eligibility_check', column, organizationId: check.organizationId, id: check.id }
}
