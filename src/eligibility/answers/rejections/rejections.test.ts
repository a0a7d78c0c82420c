import { expect, test } from 'vitest'
import { type HandlingClass, rejectReasonNames } from '../../../x12/codes/rejections.ts'
import { classifyRejection, errorDetails, wireErrorDetails } from './rejections.ts'

test('a rejection is described with its reason, action, location and advice', () => {
  expect(errorDetails({ reasonCode: '72', followUpCode: 'C', loop: '2100C' })).toEqual({
    field: 'AAA',
    code: '72',
    description: 'Invalid/Missing Subscriber/Insured ID',
    followupAction: 'Please Correct and Resubmit',
    location: 'Loop 2100C',
    possibleResolutions: expect.stringContaining('member ID'),
  })
})

test('missing elements are left out, and a private code is passed on', () => {
  const bare = errorDetails({ loop: '2100C' })
  expect(bare).not.toHaveProperty('code')
  expect(bare).not.toHaveProperty('description')
  expect(bare).not.toHaveProperty('followupAction')
  expect(errorDetails({ reasonCode: 'RC', loop: '2100C' })).toMatchObject({ code: 'RC' })
  expect(errorDetails({ reasonCode: 'constructor', loop: '2100C' })).not.toHaveProperty('description')
})

test('on the wire every key is present with and without its question mark', () => {
  expect(wireErrorDetails({ field: 'AAA', code: '75' })).toEqual({
    field: 'AAA',
    'field?': 'AAA',
    code: '75',
    'code?': '75',
  })
})

test.each<[string, string | undefined, string, HandlingClass]>([
  ['42', 'R', '2100A', 'retry'],
  ['80', 'N', '2100A', 'retry'],
  ['79', 'N', '2100A', 'retry'],
  ['79', 'N', '2100B', 'billing'],
  ['75', 'C', '2100C', 'registrar'],
  ['75', 'W', '2100C', 'registrar'],
  ['15', 'P', '2100C', 'registrar'],
  ['56', 'X', '2100C', 'date'],
  ['RC', 'P', '2100C', 'retry'],
  ['79', 'C', '2100A', 'billing'],
  ['79', 'R', '2100B', 'retry'],
  ['72', 'R', '2100C', 'registrar'],
  ['43', 'C', '2100B', 'billing'],
  ['T4', 'C', '2100A', 'billing'],
  ['62', 'C', '2100C', 'date'],
  ['70', 'N', '2110C', 'informational'],
  ['RC', undefined, '2110C', 'informational'],
  ['RC', undefined, '2100B', 'billing'],
  ['RC', undefined, '2100D', 'registrar'],
])('reason %s with action %s in %s is for: %s', (reasonCode, followUpCode, loop, handling) => {
  expect(classifyRejection({ reasonCode, followUpCode, loop })).toBe(handling)
})

test('the description of an unknown payer contains the advice to check the payer list', () => {
  for (const reason of [
    { reasonCode: '79', followUpCode: 'C', loop: '2100A' },
    { reasonCode: 'T4', loop: '2100A' },
  ]) {
    expect(errorDetails(reason).description).toContain('check it against the payer list')
  }
  expect(errorDetails({ reasonCode: '79', followUpCode: 'R', loop: '2100A' }).description).not.toContain('payer list')
  expect(errorDetails({ reasonCode: '79', followUpCode: 'C', loop: '2100B' }).description).not.toContain('payer list')
})

test('every published reason has one sentence for the front desk', () => {
  for (const reasonCode of Object.keys(rejectReasonNames)) {
    const { description, possibleResolutions } = errorDetails({ reasonCode, loop: '2100C' })
    expect(description).toBeTruthy()
    expect(possibleResolutions).toMatch(/^[A-Z].*\.$/)
  }
})
