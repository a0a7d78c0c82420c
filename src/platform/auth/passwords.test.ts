import { expect, it } from 'vitest'
import { createPasswords, hashesAtATime } from './passwords.ts'

it.each([
  [1, 1],
  [2, 1],
  [8, 2],
  [64, 2],
])('a machine with %i cores computes %i password hashes at a time, and has threads left for files', (cores, hashes) => {
  expect(hashesAtATime(cores)).toBe(hashes)
})

it('a password is still right after the cost of new hashes was raised, and a wrong one still wrong', async () => {
  const stored = await createPasswords({ ln: 4, r: 8, p: 1 }).hash('lamp quarrel river', 'clinic')
  const later = createPasswords({ ln: 5, r: 8, p: 2 })
  expect(await later.matches('lamp quarrel river', stored, 'clinic')).toBe(true)
  expect(await later.matches('lamp quarrel rivers', stored, 'clinic')).toBe(false)
})
