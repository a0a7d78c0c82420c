import { expect, it } from 'vitest'
import { explainCode } from './reject-words.ts'

it.each(['04', '46', '47', '48', '49'])(
  'reason %s about the provider or the inquiry says what to do, and who',
  (code) => {
    expect(explainCode(code)).toMatchObject({ owner: 'Billing', next: 'read-answer' })
  },
)

it.each([
  ['52', 'Front desk'],
  ['68', 'Front desk'],
  ['76', 'Front desk'],
  ['79', 'Billing'],
  ['T4', 'Billing'],
  ['80', 'Payer'],
])('reason %s is resolved by whom x12-271.md 8 says, as on the command line: %s', (code, owner) => {
  expect(explainCode(code)?.owner).toBe(owner)
})

it('a private reason, or a code that is the name of a property of every object, is explained by nobody', () => {
  expect([explainCode('ZZ'), explainCode('constructor'), explainCode(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
