// The live stream, as a program without a public address uses it.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { coverageBody, patientBody, planGroupBody } from '../../test/support/bodies.ts'
import { refuseReads } from '../../test/support/refuse-writes.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { revokeClient } from '../platform/auth/clients.ts'
import { pruneEvents } from './prune.ts'

const service = testService()
let port = 0
beforeAll(async () => {
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.address() as AddressInfo).port
})

interface Heard {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: an event as any listener reads it
  event: any
}

interface Stream {
  heard: Heard[]
  /** The position that an EventSource would send when it reconnects. */
  position(): string
  status: number
  headers: Record<string, unknown>
  text(): string
  ended: Promise<void>
  close(): void
  pause(): void
  resume(): void
}

const open: Stream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

/** Connects and reads as the HTML standard specifies, without a library that could hide a fault. */
function listen(caller: Caller, headers: Record<string, string> = {}, query = ''): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: `/anteroom/v1/events${query}`,
      headers: { authorization: `Bearer ${caller.token}`, accept: 'text/event-stream', ...headers },
    })
    call.once('error', reject)
    call.once('response', (response) => {
      let text = ''
      const heard: Heard[] = []
      let position = ''
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        rest += chunk
        const blocks = rest.split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)))
          if (fields.id !== undefined) position = fields.id
          if (fields.data !== undefined) {
            heard.push({ id: fields.id, type: fields.event, event: JSON.parse(fields.data) })
          }
        }
      })
      const ended = new Promise<void>((resolve) => response.on('end', resolve))
      response.on('error', () => {})
      const stream: Stream = {
        heard,
        position: () => position,
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        ended,
        close: () => call.destroy(),
        pause: () => response.pause(),
        resume: () => response.resume(),
      }
      open.push(stream)
      resolve(stream)
    })
    call.end()
  })
}

const until = (holds: () => unknown) =>
  vi.waitFor(async () => expect(await holds()).toBeTruthy(), { timeout: 60_000, interval: 20 })

const newNote = async (caller: Caller, value = 'x') => (await caller.call('POST', '/notes/v1', { value })).body

it('sends events with the number to resume from', async () => {
  const caller = await service.newCaller()
  const stream = await listen(caller)
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
  await until(() => stream.heard.length === 1)
  const [heard] = stream.heard as [Heard]
  expect(heard).toMatchObject({ id: '1', type: 'patient.created', event: { number: 1, data: { id: patient.id } } })
  expect(stream.text()).not.toContain(patient.mrn)
})

it('sends heartbeats as events to a listener that asks for them, so that it notices a lost connection, and to no other', async () => {
  const caller = await service.newCaller()
  const [plain, asking] = [await listen(caller), await listen(caller, {}, '?heartbeat=true')]
  await newNote(caller)
  await until(() => plain.heard.length === 1 && asking.heard.length === 2)
  expect([plain, asking].map(({ heard }) => heard.map(({ type }) => type))).toEqual([
    ['note.created'],
    ['heartbeat', 'note.created'],
  ])
})

it('resumes exactly where a listener stopped, including events while there was no listener', async () => {
  const caller = await service.newCaller()
  const first = await listen(caller)
  await newNote(caller)
  await until(() => first.heard.length === 1)
  first.close()
  const ids = [first.heard[0]?.id]
  for (let index = 0; index < 30; index++) await newNote(caller)
  const second = await listen(caller, { 'last-event-id': first.position() })
  await until(() => second.heard.length === 30)
  await newNote(caller)
  await until(() => second.heard.length === 31)
  ids.push(...second.heard.map(({ id }) => id))
  expect(ids).toEqual(Array.from({ length: 32 }, (_, index) => String(index + 1)))
})

it('resumes after events that this listener may not receive', async () => {
  const caller = await service.newCaller()
  const stream = await listen(caller, {}, '?event_types=patient.*')
  await newNote(caller)
  await until(() => stream.position() === '1')
  expect(stream.heard).toEqual([])
})

it('sends a client only events of records that it may read', async () => {
  const caller = await service.newCaller()
  const limited = await service.newCaller({ beside: caller, scopes: ['events:read', 'notes:read'] })
  const [all, some] = [await listen(caller), await listen(limited)]
  await caller.call('POST', '/patients/v1', patientBody())
  await newNote(caller)
  await until(() => all.heard.length === 2 && some.position() === '2')
  expect(some.heard.map(({ type }) => type)).toEqual(['note.created'])
  const stranger = await service.newCaller()
  const other = await listen(stranger)
  await newNote(caller)
  await until(() => all.heard.length === 3)
  await newNote(stranger)
  await until(() => other.heard.length === 1)
  expect(other.heard[0]?.event.data.organization_id).toBe(stranger.organizationId)
})

it('keeps the order of each record under concurrent writers, and repeats nothing', async () => {
  const caller = await service.newCaller()
  const streams = await Promise.all([listen(caller), listen(caller), listen(caller)])
  const notes = await Promise.all(Array.from({ length: 10 }, (_, index) => newNote(caller, `n${index}`)))
  await Promise.all(
    notes.map(async ({ id }) => {
      for (let version = 1; version <= 5; version++) {
        await caller.call('PUT', `/notes/v1/${id}/${version}`, { value: `v${version}` })
      }
    }),
  )
  await until(() => streams.every(({ heard }) => heard.length === 60))
  for (const { heard } of streams) {
    expect(heard.map(({ id }) => Number(id))).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
    for (const { id } of notes) {
      const own = heard.filter(({ event }) => event.data.id === id)
      expect(own.map(({ event }) => event.data.version)).toEqual([1, 2, 3, 4, 5, 6])
    }
  }
})

it('a listener that does not read delays no other, and receives everything when it reads again', async () => {
  const caller = await service.newCaller()
  const [slow, fast] = [await listen(caller), await listen(caller)]
  slow.pause()
  await service.database.rows(
    `insert into event_pending (organization_id, type, record_type, record_id, detail)
      select $1, 'note.created', 'note', gen_random_uuid(), jsonb_build_object('reason', repeat('x', 1000)) from generate_series(1, 20000)`,
    [caller.organizationId],
  )
  await until(() => fast.heard.length === 20_000)
  slow.resume()
  await until(() => slow.heard.length === 20_000)
  expect(slow.heard.at(-1)?.id).toBe('20000')
})

it('reports that older events are no longer kept', async () => {
  const caller = await service.newCaller()
  const first = await listen(caller)
  await newNote(caller)
  await until(() => first.heard.length === 1)
  first.close()
  await service.database.rows('update event set at = $2::timestamptz where organization_id = $1', [
    caller.organizationId,
    new Date(Date.now() - 31 * 86_400_000).toISOString(),
  ])
  await newNote(caller)
  await pruneEvents(service.deps, service.app.log)
  const second = await listen(caller, { 'last-event-id': '0' })
  await until(() => second.heard.length === 2)
  expect(second.heard.map(({ type }) => type)).toEqual(['incomplete', 'note.created'])
})

it('ends within ten seconds after the client is revoked', async () => {
  const caller = await service.newCaller()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const stream = await listen(caller)
    await revokeClient(service.database, { id: caller.credentials.client_id })
    vi.advanceTimersByTime(10_000)
    // Not polled: that would advance the time.
    await stream.ended
    expect(stream.heard).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('ends within ten seconds after the permissions of its listener have changed, which connects again with the new ones', async () => {
  const caller = await service.newCaller()
  const scopes = ['events:read', 'notes:read']
  const limited = await service.newCaller({ beside: caller, scopes })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const stream = await listen(limited)
    const path = `/anteroom/v1/api-clients/${limited.credentials.client_id}`
    const changed = await caller.call('PUT', path, { scopes: [...scopes, 'patients:read'] })
    expect(changed.status, changed.text).toBe(200)
    vi.advanceTimersByTime(10_000)
    await stream.ended
  } finally {
    vi.useRealTimers()
  }
  const again = await listen(limited)
  await caller.call('POST', '/patients/v1', patientBody())
  await until(() => again.heard.length === 1)
})

it('keeps no place for a listener who leaves before the stream begins', async () => {
  const caller = await service.newCaller()
  const { events } = service.deps
  const before = events.listeners()
  const connected = once(service.app.server, 'connection')
  const call = request({
    host: '127.0.0.1',
    port,
    path: '/anteroom/v1/events',
    headers: { authorization: `Bearer ${caller.token}`, accept: 'text/event-stream' },
    agent: false,
  })
  call.once('error', () => {})
  const beginning = new Promise<void>((resolve, reject) => {
    service.deps.events = {
      ...events,
      async ends(organizationId) {
        const [socket] = await connected
        call.destroy()
        if (!socket.destroyed) await once(socket, 'close')
        const ends = await events.ends(organizationId)
        setImmediate(resolve)
        return ends
      },
    }
    call.once('response', () => reject(new Error('the listener was answered')))
  })
  call.end()
  await beginning.finally(() => {
    service.deps.events = events
  })
  expect(events.listeners()).toBe(before)
})

it('requires a token with the scope, and explains an invalid position or selection', async () => {
  const caller = await service.newCaller()
  const limited = await service.newCaller({ beside: caller, scopes: ['notes:read'] })
  expect((await listen({ ...caller, token: 'x' })).status).toBe(401)
  expect((await listen(limited)).status).toBe(403)
  expect((await listen(caller, { 'last-event-id': 'abc' })).status).toBe(400)
  expect((await listen(caller, {}, '?event_types=nothing')).status).toBe(400)
  const many = (count: number) => `?${Array(count).fill('event_types=note.created').join('&')}`
  expect([(await listen(caller, {}, many(100))).status, (await listen(caller, {}, many(101))).status]).toEqual([
    200, 400,
  ])
})

it('can also be read in pages by polling', async () => {
  const caller = await service.newCaller()
  const { body: begun } = await caller.call('GET', '/anteroom/v1/events')
  expect(begun).toEqual({ items: [], last_event_id: '0', has_more: false, is_incomplete: false })
  await service.database.rows(
    `insert into event_pending (organization_id, type, record_type, record_id)
      select $1, 'note.created', 'note', gen_random_uuid() from generate_series(1, 150)`,
    [caller.organizationId],
  )
  const { body: page } = await caller.call('GET', '/anteroom/v1/events')
  expect([page.items.length, page.last_event_id, page.has_more]).toEqual([100, '100', true])
  const { body: rest } = await caller.call('GET', `/anteroom/v1/events?after=${page.last_event_id}`)
  expect([rest.items.length, rest.last_event_id, rest.has_more]).toEqual([50, '150', false])
})

it('sends an event for every record that a bulk update changed', async () => {
  const caller = await service.newCaller()
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
  const group = planGroupBody()
  const plan = {
    member_id: 'M1',
    payer_id: '60054',
    payer_name: 'Aetna',
    payer_plan_group_id: group.payer_plan_group_id,
  }
  const ids: string[] = []
  for (let index = 0; index < 120; index++) {
    const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patient.id, { insurance_plan: plan }))
    ids.push(body.id)
  }
  await caller.call('GET', '/anteroom/v1/events')
  const path = `/coverages/v1/batch-update-ppg/${group.payer_plan_group_id}`
  const changed = await caller.call('POST', path, { ...group, payer_name: 'Aetna of Maine' })
  expect(changed.status, changed.text).toBe(200)
  const received: string[] = []
  for (let after = '0', hasMore = true; hasMore; ) {
    const { body } = await caller.call('GET', `/anteroom/v1/events?event_types=coverage.updated&after=${after}`)
    received.push(...body.items.map(({ data }: { data: { id: string } }) => data.id))
    after = body.last_event_id
    hasMore = body.has_more
  }
  expect(received.sort()).toEqual(ids.sort())
})

it('an organization whose event log cannot be read keeps no other from hearing its own', async () => {
  const [damaged, other] = [await service.newCaller(), await service.newCaller()]
  const streams = [await listen(damaged), await listen(other)]
  const undo = await refuseReads(service.database, 'event_log', damaged.organizationId)
  const writing = [damaged, other].map((caller) => caller.call('POST', '/notes/v1', { value: 'n' }))
  await Promise.all(writing)
  await vi.waitFor(() => expect(streams[1]?.heard).toHaveLength(1), { timeout: 60_000, interval: 20 })
  await undo()
  await vi.waitFor(() => expect(streams[0]?.heard).toHaveLength(1), { timeout: 60_000, interval: 20 })
})
