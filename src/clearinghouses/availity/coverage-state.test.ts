import { expect, test } from 'vitest'
import { stateOf } from './coverage-state.ts'

test.each([
  ['4', 'complete'],
  [4, 'complete'],
  [' 4 ', 'complete'],
  ['04', 'complete'],
  ['4.0', 'complete'],
  ['Complete', 'complete'],
  ['3', 'complete'],
  ['0', 'pending'],
  ['R1', 'pending'],
  ['r1', 'pending'],
  ['40', 'pending'],
  ['99', 'pending'],
  [true, 'pending'],
  ['19', 'rejected'],
  ['r', 'rejected'],
  ['07', 'failed'],
  ['e', 'failed'],
])('a coverage of the status code %j is %s', (statusCode, state) => {
  expect(stateOf({ statusCode }, 200)).toBe(state)
})

test.each([
  ['Complete', 'complete'],
  ['In Progress', 'pending'],
  ['Request Error', 'rejected'],
  ['Communication Error', 'failed'],
  ['', 'pending'],
])('without a code, a coverage of the status %j is %s', (status, state) => {
  expect(stateOf({ status }, 200)).toBe(state)
  expect(stateOf({ status, statusCode: null }, 200)).toBe(state)
})

test('the code counts beside another word, and HTTP 202 is not the end', () => {
  expect(stateOf({ statusCode: '0', status: 'Complete' }, 200)).toBe('pending')
  expect(stateOf({ statusCode: '4' }, 202)).toBe('pending')
})
