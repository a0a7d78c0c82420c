import { expect, it } from 'vitest'
import { checkWarning } from './payers.ts'

it('warns of payers that cannot be asked, and of no others', () => {
  const warningOf = (eligibilityCheck: unknown) => checkWarning({ transaction_support: { eligibilityCheck } })
  expect(warningOf('NOT_SUPPORTED')).toBe('no eligibility checks')
  expect(warningOf('ENROLLMENT_REQUIRED')).toMatch('enrollment')
  for (const other of ['SUPPORTED', 'UNHEARD_OF', 7, undefined]) expect(warningOf(other)).toBeUndefined()
  expect(checkWarning({})).toBeUndefined()
})
