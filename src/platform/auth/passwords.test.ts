import { expect, it } from 'vitest'
import { hashesAtATime } from './passwords.ts'

it.each([
  [1, 1],
  [2, 1],
  [8, 2],
  [64, 2],
])('a machine with %i cores computes %i password hashes at a time, and has threads left for files', (cores, hashes) => {
  expect(hashesAtATime(cores)).toBe(hashes)
})
