import { describe, expect, it } from 'vitest'
import { sayVerification } from './visit-check.ts'

describe('what a verification came to', () => {
  it.each([
    ['ready', { state: 'DONE', status: 'READY' }, 'Jane Doe is ready.'],
    [
      'not ready, with what to do',
      { state: 'DONE', status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE' },
      'Jane Doe is not ready. No coverage is filed. Add a coverage, or mark the patient as self-pay.',
    ],
    [
      'a payer that is asked again by itself',
      { state: 'WAITING', status: 'NOT_READY', next_attempt_at: '2026-11-22T09:00:00.000Z' },
      'The payer of Jane Doe cannot answer now. It is asked again by itself.',
    ],
    [
      'a payer that nobody asks again by itself: it promises nothing',
      { state: 'WAITING', status: 'PENDING' },
      'The payer of Jane Doe cannot answer now. Check again later, or telephone the payer.',
    ],
    [
      'somebody who was checked in meanwhile',
      { state: 'WAITING', status: 'CHECKED_IN' },
      'Somebody else changed the visit of Jane Doe meanwhile. It was left as it is.',
    ],
    ['no answer yet', { state: 'RUNNING', status: 'PENDING' }, 'The payer of Jane Doe has not answered yet.'],
  ] as const)('%s', (_, state, words) => {
    expect(sayVerification('Jane Doe', state)).toBe(words)
  })
})
