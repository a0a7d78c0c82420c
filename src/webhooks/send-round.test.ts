import { pino } from 'pino'
import { expect, test } from 'vitest'
import { turnsOf } from '../../test/support/turns.ts'
import type { Database } from '../platform/database/database.ts'
import { sendRound } from './send-round.ts'
import type { Target } from './webhook-store.ts'

const DELIVERIES = 16
const target = {
  organizationId: 'A',
  id: 'hook',
  url: 'https://x.invalid/',
  secrets: [],
  includesRecord: true,
  failures: 0,
}

test('long records are signed and sent in turns: sixteen of each of twenty webhooks would hold up all other calls', async () => {
  const rows = Array.from({ length: DELIVERIES }, (_, index) => [
    '0',
    '0',
    `${index + 1}`,
    `${index}`,
    'eligibility_check.created',
    '',
    'eligibility_check',
    'id',
  ])
  const database = { rows: async () => rows, transaction: async () => {} } as unknown as Database
  const subject = { name: 'eligibility_check' }
  const deps = {
    database,
    config: { WEBHOOK_GIVE_UP_DAYS: 5 },
    events: { types: { subjectOf: () => subject } },
    metrics: { webhookAttempts: { inc: () => {} } },
    tracing: { within: (_: string, _about: object, work: () => unknown) => work() },
    audit: { note: () => {} },
    now: () => new Date(),
  } as unknown as Parameters<typeof sendRound>[0]
  const sent: number[] = []
  const options = {
    sender: {
      send: async ({ body }: { body: string }) => {
        sent.push(body.length)
        return { isDelivered: true, durationMs: 1, isGone: false }
      },
      close: async () => {},
    },
    readers: { eligibility_check: async () => `"${'text '.repeat(40_000)}"` },
    log: pino({ level: 'silent' }),
    renew: async () => true,
  }
  const turns = await turnsOf(() => sendRound(deps, target as unknown as Target, options))
  expect(sent).toHaveLength(DELIVERIES)
  expect(Math.min(...sent)).toBeGreaterThan(200_000)
  expect(turns).toBeGreaterThanOrEqual(DELIVERIES - 1)
})
