import { describe, expect, it } from 'vitest'
import { addresses } from '../api/generated.ts'
import { describeOperation } from './operations.ts'

describe('an operation in the audit trail', () => {
  it.each([
    ['patients.get', 'Patients: view'],
    ['patients.getMultiPaginated', 'Patients: list by page'],
    ['apiClients.getScopes', 'API clients: view scopes'],
    ['storedChecks.getBenefitSheet', 'Stored checks: view benefit sheet'],
    ['session.createByPasskey', 'Session: create by passkey'],
    ['coverages', 'Coverages'],
  ])('%s is described as “%s”', (operation, words) => {
    expect(describeOperation(operation)).toBe(words)
  })

  it('has a description that no other operation has, so that a user can choose it from the list', () => {
    const words = Object.keys(addresses).map(describeOperation)
    expect(words.filter((each, place) => words.indexOf(each) !== place)).toEqual([])
  })
})
