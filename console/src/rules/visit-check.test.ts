import { describe, expect, it } from 'vitest'
import { missingOf } from './missing.ts'
import { sayVerification } from './visit-check.ts'

describe('the result of a verification', () => {
  it.each([
    ['ready', { state: 'DONE', status: 'READY' }, 'Jane Doe is ready.'],
    [
      'not ready, with what to do',
      { state: 'DONE', status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE' },
      'Jane Doe is not ready. No coverage is filed. Add a coverage, or mark the patient as self-pay.',
    ],
    [
      'a payer with an automatic retry',
      { state: 'WAITING', status: 'NOT_READY', next_attempt_at: '2026-11-22T09:00:00.000Z' },
      'The payer of Jane Doe cannot answer now. The check is repeated automatically.',
    ],
    [
      'a payer without an automatic retry',
      { state: 'WAITING', status: 'PENDING' },
      'The payer of Jane Doe cannot answer now. Check again later, or call the payer.',
    ],
    [
      'an entry that no payer can be asked with',
      { state: 'WAITING', status: 'NOT_READY', not_ready_reason: 'ERROR', next_attempt_at: '2026-11-22T09:00:00.000Z' },
      'Jane Doe is not ready. A coverage could not be verified. Open the patient and press “Check eligibility”: it says which entry is missing or what the payer answered.',
    ],
    [
      'a rejected coverage beside one that no payer could be asked about',
      {
        state: 'WAITING',
        status: 'NOT_READY',
        next_attempt_at: '2026-11-22T09:00:00.000Z',
        not_ready_reason: 'ELIGIBILITY_CHECK_FAILED_SECONDARY',
      },
      'Jane Doe is not ready. Secondary coverage is not confirmed. View the response, correct the coverage, or arrange payment.',
    ],
    [
      'a patient who has been checked in',
      { state: 'WAITING', status: 'CHECKED_IN' },
      'Another user changed the visit of Jane Doe. It was not changed.',
    ],
    ['no answer yet', { state: 'RUNNING', status: 'PENDING' }, 'The payer of Jane Doe has not answered yet.'],
  ] as const)('%s', (_, state, words) => {
    expect(sayVerification('Jane Doe', state)).toBe(words)
  })

  it('says what the board says of the same visit', () => {
    const verified = {
      state: 'DONE',
      status: 'NOT_READY',
      not_ready_reason: 'ELIGIBILITY_CHECK_FAILED_PRIMARY',
    } as const
    const errors = [{ code: '75', description: 'Subscriber/Insured Not Found' }]
    const initiated_at = '2026-11-22T08:00:00.000Z'
    const latest_eligibility_check = { check_id: 'c', status: 'UNKNOWN', initiated_at, errors } as const
    const visit = { primary_coverage: { status: 'ACTIVE', latest_eligibility_check } } as unknown as Parameters<
      typeof sayVerification
    >[2]
    const missing = missingOf(verified, visit)
    expect(missing?.what).toBe('The check of the primary coverage failed')
    expect(sayVerification('Jane Doe', verified, visit)).toBe(
      `Jane Doe is not ready. ${missing?.what}. ${missing?.todo}`,
    )
  })
})
