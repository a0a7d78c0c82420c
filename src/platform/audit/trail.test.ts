import { expect, it } from 'vitest'
import type { SystemDatabase } from '../database/database.ts'
import type { NotedEvent } from './event.ts'
import { openTrail } from './trail.ts'

const refuse = () => Promise.reject(new Error('no database'))
const database: SystemDatabase = {
  rows: refuse,
  row: refuse,
  rowByKey: refuse,
  rowsByKey: refuse,
  transaction: refuse,
  reach: 'every organization',
}
const vault = { encrypt: (text: string) => text, decrypt: (text: string) => text }
const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const read = (): NotedEvent => ({
  event: { at: '2026-01-01T00:00:00.000Z', operation: 'notes.get', user_id: other, status: 200 } as never,
})

it('refuses an organization whose events fill its share of the memory, but neither another organization nor unknown callers', async () => {
  const trail = openTrail({ database, systemDatabase: database, vault: vault as never, records: [], onError() {} })
  let noted = 0
  for (; !trail.isFull(one) && noted < 20_000; noted++) trail.note(one, read())
  expect(noted).toBeLessThan(20_000)
  await trail.flush().catch(() => {})
  expect(trail.isFull(one)).toBe(true)
  for (let index = 0; index < 1000; index++) trail.note(other, read())
  expect([trail.isFull(other), trail.isFull(undefined)]).toEqual([false, false])
  await trail.close()
})

it('knows for how long events could not be stored, although the database has none of them, and counts from the first failure', async () => {
  const working: SystemDatabase = {
    ...database,
    rows: async () => [],
    row: async () => ['key', '00'],
    transaction: async () => false as never,
  }
  const given = { ...database }
  const trail = openTrail({ database: given, systemDatabase: given, vault: vault as never, records: [], onError() {} })
  expect(trail.unstoredForSeconds()).toBe(0)
  trail.note(one, read())
  await trail.flush().catch(() => {})
  const first = trail.unstoredForSeconds()
  await trail.flush().catch(() => {})
  expect(trail.unstoredForSeconds()).toBeGreaterThan(first)
  expect(first).toBeGreaterThan(0)
  Object.assign(given, working)
  await trail.flush()
  expect(trail.unstoredForSeconds()).toBe(0)
  await trail.close()
})
