import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { overloaded, unauthorized } from '../../contract/errors.ts'
import type { Database } from '../database/database.ts'
import { NotConnected } from '../database/errors.ts'
import { openSignInLimits } from './sign-in-limits.ts'

const reply = { header() {} } as unknown as FastifyReply
const attempt = { username: 'ana', address: '203.0.113.9' }

/** Limits on a database that counts in memory and never ends a window. */
function limitsInMemory() {
  const counts = new Map<string, number>()
  const subjectOf = ([digest]: unknown[]) => (digest as Buffer).toString('hex')
  const add = (subject: string, by: number) => counts.set(subject, (counts.get(subject) ?? 0) + by)
  const database = {
    async rows(_statement: unknown, values: unknown[] = []) {
      if (values.length === 1) add(subjectOf(values), -1)
      return []
    },
    async row(_statement: unknown, values: unknown[]) {
      const [limit, used] = [values[2] as number, counts.get(subjectOf(values)) ?? 0]
      if (used >= limit) return ['0', '0', '900000']
      add(subjectOf(values), 1)
      return ['1', String(limit - used - 1), '900000']
    },
  } as unknown as Database
  return openSignInLimits(database)
}

it.each([
  ['overloaded', overloaded()],
  ['without its database', new NotConnected(new Error('no server answers'))],
])('attempts that the service could not decide, because it was %s, do not count as guesses', async (_why, fault) => {
  const limits = limitsInMemory()
  const fail = () => Promise.reject(fault)
  for (let time = 0; time < 30; time++) await expect(limits.attempt(reply, attempt, fail)).rejects.toBe(fault)
  const code = { userId: 'ana', device: undefined }
  for (let time = 0; time < 30; time++) await expect(limits.attemptCode(reply, code, fail)).rejects.toBe(fault)
  expect(await limits.attempt(reply, attempt, async () => 'signed in')).toBe('signed in')
  expect(await limits.attemptCode(reply, code, async () => true)).toBe(true)
})

it('attempts that are refused count, whether they are answered or thrown', async () => {
  const limits = limitsInMemory()
  const refusal = unauthorized('one_time_code is required')
  for (let time = 0; time < 5; time++) {
    expect(await limits.attempt(reply, attempt, async () => undefined)).toBeUndefined()
    await expect(limits.attempt(reply, attempt, () => Promise.reject(refusal))).rejects.toBe(refusal)
  }
  await expect(limits.attempt(reply, attempt, async () => 'signed in')).rejects.toMatchObject({ status: 429 })
})
