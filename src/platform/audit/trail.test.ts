import { expect, it, vi } from 'vitest'
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

it('organizations whose events cannot be stored, however many, keep those of no other from being stored', async () => {
  vi.useFakeTimers()
  try {
    const pending = Array.from(
      { length: 150 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    )
    const found = new Set<string>()
    // As PostgreSQL answers, the first ones first.
    const system: SystemDatabase = {
      ...database,
      rows: async (_, [except] = []) => {
        const rows = pending.filter((id) => !(except as string[] | undefined)?.includes(id)).slice(0, 100)
        for (const id of rows) found.add(id)
        return rows.map((id) => [id])
      },
    }
    const trail = openTrail({ database, systemDatabase: system, vault: vault as never, records: [], onError() {} })
    trail.startSweeping()
    await vi.advanceTimersByTimeAsync(11_000)
    expect(found.size).toBe(150)
    await trail.close()
  } finally {
    vi.useRealTimers()
  }
})

it('while other sessions hold the trails of some organizations, the events of others are stored', async () => {
  vi.useFakeTimers()
  try {
    const held = ['33333333-3333-4333-8333-333333333333', one, '44444444-4444-4444-8444-444444444444']
    const began: unknown[] = []
    const chained: unknown[] = []
    const given: SystemDatabase = {
      ...database,
      rows: async () => [],
      row: async () => ['key', '00'],
      async transaction(work) {
        let organizationId: unknown
        const rows: SystemDatabase['rows'] = async (_, [id] = []) => {
          organizationId ??= id
          if (!began.includes(id)) began.push(id)
          return held.includes(String(id)) ? new Promise(() => {}) : []
        }
        const result = await work({ ...database, rows, row: async (...given) => (await rows(...given))[0] })
        chained.push(organizationId)
        return result
      },
    }
    const trail = openTrail({
      database: given,
      systemDatabase: given,
      vault: vault as never,
      records: [],
      onError() {},
    })
    for (const id of held) trail.note(id, read())
    await vi.advanceTimersByTimeAsync(1_000)
    expect(began).toEqual(held)
    trail.note(other, read())
    await vi.advanceTimersByTimeAsync(1_000)
    expect(chained).toEqual([other])
    await trail.flush(other)
  } finally {
    vi.useRealTimers()
  }
})
