import type pg from 'pg'
import { expect, it } from 'vitest'
import { renewPlans } from './plan-age.ts'

function newConnection() {
  const sent: string[] = []
  const client = {
    query: async (text: string) => {
      sent.push(text)
    },
  }
  return { sent, client: client as unknown as pg.ClientBase }
}

it('uses no plan for longer than its connection was open, nor for longer than 30 seconds, because tables grow', () => {
  const { client, sent } = newConnection()
  const renewedAt: number[] = []
  for (let second = 0; second <= 160; second++) {
    const before = sent.length
    renewPlans(client, 5_000 + second * 1000)
    renewPlans(client, 5_000 + second * 1000 + 1)
    if (sent.length > before) renewedAt.push(second)
  }
  expect(renewedAt).toEqual([1, 2, 4, 8, 16, 32, 62, 92, 122, 152])
  expect(new Set(sent)).toEqual(new Set(['discard plans']))
})

it('renews the plans of each connection for itself', () => {
  const [one, other] = [newConnection(), newConnection()]
  renewPlans(one.client, 0)
  renewPlans(other.client, 20_000)
  renewPlans(one.client, 20_000)
  expect([one.sent.length, other.sent.length]).toEqual([1, 0])
})
