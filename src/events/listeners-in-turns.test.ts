import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { turnsOf } from '../../test/support/turns.ts'
import type { EventSource } from './event-source.ts'
import { streamEvents } from './event-stream.ts'

const LISTENERS = 40

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
      const listener = {
        organizationId: 'A',
        after: 0,
        isIncomplete: false,
        selectors: ['*'],
        hearsHeartbeats: false,
        isAdmitted: async () => true,
        mayHear: () => true,
      }
      void streamEvents(source, listener, response as unknown as ServerResponse)
    }
    await Promise.all(heard)
  })
  for (const response of responses) response.destroy()
  expect(turns).toBeGreaterThanOrEqual(LISTENERS - 1)
})
