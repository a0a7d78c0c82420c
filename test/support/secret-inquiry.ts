import { expect } from 'vitest'
import { ClearinghouseError } from '../../src/clearinghouses/clearinghouse.ts'
import type { Inquiry } from '../../src/x12/model.ts'

/** An inquiry whose member id and last name no message of a connector may contain. */
export const secretInquiry: Inquiry = {
  reference: 'REF1',
  traceNumber: 'TRACE1',
  payer: { id: '60054' },
  provider: { npi: '1999999984', organizationName: 'Clinic' },
  subscriber: { memberId: 'SECRETMEMBER', firstName: 'Jane', lastName: 'Secretname', dateOfBirth: '2004-04-04' },
  dateOfService: '2026-01-31',
  serviceTypeCodes: ['30'],
}

/** The error of an attempt that must fail, without data of the patient. `secret`: what neither message nor code may contain. */
export async function failureOf(attempt: Promise<unknown>, secret = /secret/i): Promise<ClearinghouseError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ClearinghouseError)) throw new Error('expected a ClearinghouseError', { cause: error })
  expect(error.message).not.toMatch(secret)
  expect(error.code).not.toMatch(secret)
  return error
}

/** The same where X12 was sent: the failure has it. */
export async function failureWithInquiryOf(attempt: Promise<unknown>): Promise<ClearinghouseError> {
  const error = await failureOf(attempt)
  expect(error.rawInquiry).toContain('SECRETMEMBER')
  return error
}
