import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { turnsOf } from '../../test/support/turns.ts'
import type { SystemDatabase } from '../platform/database/database.ts'
import { type EventSource, openEventSource } from './event-source.ts'
import { streamEvents } from './event-stream.ts'

const LISTENERS = 40
const listener = {
  organizationId: 'A',
  after: 0,
  isIncomplete: false,
  selectors: ['*'],
  hearsHeartbeats: false,
  isAdmitted: async () => true,
  mayHear: () => true,
}

afterEach(() => void vi.useRealTimers())

test('a page of events is written to the listeners of an organization in turns: one of thousands would hold up all other calls', async () => {
  const page = Array.from({ length: 500 }, (_, index) => ({ number: index + 1, type: 'note.created', json: '{}' }))
  const read = Promise.resolve(page)
  const wakes: (() => void)[] = []
  const source = {
    read: (_organizationId: string, after: number) => (after === 0 ? read : Promise.resolve([])),
    listen: (_organizationId: string, wake: () => void) => {
      wakes.push(wake)
      return () => {}
    },
    onClose: () => () => {},
  } as unknown as EventSource
  const responses = Array.from({ length: LISTENERS }, () => new PassThrough({ highWaterMark: 1_000_000 }))
  const heard = responses.map((response) => {
    return new Promise<void>((resolve) => {
      response.on('data', (text) => String(text).includes('id: 500\n') && resolve())
    })
  })
  const turns = await turnsOf(async () => {
    for (const response of responses) {
      void streamEvents(source, { ...listener }, response as unknown as ServerResponse)
    }
    await Promise.all(heard)
  })
  for (const response of responses) response.destroy()
  expect(turns).toBeGreaterThanOrEqual(LISTENERS - 1)
})

test('listeners who came together are sent heartbeats in turns', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const source = {
    read: async () => [],
    listen: () => () => {},
    onClose: () => () => {},
  } as unknown as EventSource
  const responses = Array.from({ length: LISTENERS }, () => new PassThrough({ highWaterMark: 1_000_000 }))
  const heard = responses.map(
    (response) =>
      new Promise<void>((resolve) => {
        response.on('data', (text) => String(text).includes('still here') && resolve())
      }),
  )
  for (const response of responses) void streamEvents(source, { ...listener }, response as unknown as ServerResponse)
  const turns = await turnsOf(async () => {
    vi.advanceTimersByTime(15_000)
    await Promise.all(heard)
  })
  for (const response of responses) response.destroy()
  expect(turns).toBeGreaterThanOrEqual(LISTENERS - 1)
})

test('thousands of listeners of an organization who come together have its changes collected once or twice, not once for each', async () => {
  const asked: string[] = []
  const database = {
    rows: async ({ name }: { name: string }) => {
      asked.push(name)
      return []
    },
    row: async () => ['7', '3'],
    transaction: (work: (transaction: unknown) => unknown) => work(database),
  }
  const source = openEventSource({
    database: database as unknown as SystemDatabase,
    systemDatabase: database as unknown as SystemDatabase,
    types: { subjects: [], feeds: [] } as never,
    onError: () => {},
  })
  const ends = await Promise.all(Array.from({ length: 2_500 }, () => source.ends('A')))
  expect(ends).toEqual(Array(2_500).fill({ last: 7, pruned: 3 }))
  expect(asked.filter((name) => name === 'event_log_begin').length).toBeLessThanOrEqual(2)
})
