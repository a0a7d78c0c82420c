import { describe, expect, it } from 'vitest'
import { addresses } from '../api/generated.ts'
import { describeOperation, describeOutcome } from './operations.ts'

describe('an entry of the audit trail', () => {
  it.each([
    ['patients.get', 'Viewed a patient'],
    ['patients.update', 'Changed a patient'],
    ['patientMerges.create', 'Merged two patients'],
    ['storedChecks.get', 'Viewed an eligibility response'],
    ['storedChecks.getBenefitSheet', 'Opened a benefit sheet'],
    ['session.create', 'Signed in'],
    ['coverages', 'Coverages'],
    ['system.appointment.amend', 'Changed a visit'],
    ['system.eligibility_check.answer', 'Stored the answer of an eligibility check'],
    ['command.client create', 'Command on the server: client create'],
    ['patients.anOperationOfAnotherRelease', 'Patients an operation of another release'],
  ])('%s is read as “%s”', (operation, words) => {
    expect(describeOperation(operation)).toBe(words)
  })

  it('has its own words, so that a user can choose it from the list', () => {
    const words = Object.keys(addresses).map(describeOperation)
    expect(words.filter((each, place) => words.indexOf(each) !== place)).toEqual([])
  })

  it('says in words why a call was refused', () => {
    expect(describeOutcome({ status: 200 })).toBe('Done')
    expect(describeOutcome({ status: 404, error_name: 'NotFoundError' })).toBe('Refused: not found')
    expect(describeOutcome({ status: 401, error_name: 'UnauthorizedError' })).toBe('Refused: not signed in')
    expect(describeOutcome({ status: 403, error_name: 'UnauthorizedError' })).toBe('Refused: not permitted')
  })
})
