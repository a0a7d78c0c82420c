import { expect, it } from 'vitest'
import { checkSupport, checkWarning } from './payers.ts'

it('warns of payers that answer no eligibility checks, and of no others', () => {
  const warningOf = (eligibilityCheck: unknown) => checkWarning({ transaction_support: { eligibilityCheck } })
  expect(warningOf('NOT_SUPPORTED')).toBe('no eligibility checks')
  expect(warningOf('ENROLLMENT_REQUIRED')).toMatch('enrollment')
  for (const other of ['SUPPORTED', 'UNHEARD_OF', 7, undefined]) expect(warningOf(other)).toBeUndefined()
  expect(checkWarning({})).toBeUndefined()
})

it('states for every payer what the directory says about checks, even if it says nothing', () => {
  const supportOf = (eligibilityCheck: unknown) => checkSupport({ transaction_support: { eligibilityCheck } })
  expect(['SUPPORTED', 'NOT_SUPPORTED', 'UNHEARD_OF', undefined].map(supportOf)).toEqual([
    'supported',
    'no eligibility checks',
    'not stated',
    'not stated',
  ])
  expect(checkSupport({})).toBe('not stated')
})
