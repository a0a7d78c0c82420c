import { randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { SUBJECTS_MAX } from '../http/limits/rate-limit.ts'
import { openTokenLimits } from './token-limits.ts'

const reply = { header() {} } as unknown as FastifyReply

it('any number of unknown callers fill neither the memory nor, from one address, the database', async () => {
  const database = { rows: async () => [], row: async () => ['1', '59', '60000'] } as unknown as Database
  const limits = openTokenLimits(database, 60)
  for (let stranger = 0; stranger < 3 * SUBJECTS_MAX; stranger++) {
    const address = `10.${stranger >> 16}.${(stranger >> 8) & 255}.${stranger & 255}`
    await limits.count(reply, { claimed: `${'x'.repeat(200)}${stranger}`, address, actor: undefined })
  }
  // Of the three limits, that of tokens granted has seen no one.
  expect(limits.subjects).toBe(2 * SUBJECTS_MAX)
})

it('invented client ids from one address do not get a row each', async () => {
  const subjects = new Set<string>()
  let failures = 0
  const database = {
    rows: async () => [],
    async row(_statement: unknown, [digest, , limit]: [Buffer, number, number]) {
      subjects.add(digest.toString('hex'))
      // The limit of the address is ten times the limit of a client.
      if (limit === 60) return ['1', '59', '60000']
      const granted = Math.min(10, limit - failures)
      failures += granted
      return [String(granted), String(limit - failures), '60000']
    },
  } as unknown as Database
  const limits = openTokenLimits(database, 60)
  let refused = 0
  for (let guess = 0; guess < 5000; guess++) {
    const refusal = await limits.count(reply, { claimed: randomUUID(), address: '203.0.113.9', actor: undefined })
    if (refusal) refused++
  }
  expect(refused).toBe(5000 - 600)
  expect(subjects.size).toBe(601)
})
