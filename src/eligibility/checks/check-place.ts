import type { Place } from '../../platform/crypto/encryption.ts'

/** The encrypted parts of a stored check: whole columns, and top-level fields of JSON columns. */
export type CheckColumn = 'request.portal_password' | 'raw_inquiry' | 'raw_response'

/** The location of an encrypted value of a check. */
export function placeOfCheck(check: { organizationId: string; id: string }, column: CheckColumn): Place {
  return { table: 'eligibility_check', column, organizationId: check.organizationId, id: check.id }
}
