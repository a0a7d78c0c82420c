// A caller that is refused again and again must fill neither the memory nor the trail.
import { describe, expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { NotedEvent, StoredAuditEvent } from './event.ts'
import { readTrail } from './read-trail.ts'
import { collapseRefusals } from './refusals.ts'

const refusal = (more: Partial<StoredAuditEvent>): StoredAuditEvent => ({
  at: '2026-01-01T00:00:00.000Z',
  operation: 'patients.get',
  address: '192.0.2.1',
  status: 401,
  error_name: 'UnauthorizedError',
  ...more,
})
const ofClient = { client_id: 'client', user_id: 'user', status: 429, error_name: 'TooManyRequestsError' }

/** The events that are stored for these, with one flush after all of them. */
function noteAll(events: StoredAuditEvent[], clues?: NotedEvent['clues']): StoredAuditEvent[] {
  const refusals = collapseRefusals()
  return events
    .map((event): NotedEvent => ({ event, clues }))
    .filter((noted) => !refusals.join('organization', noted))
    .map(({ event }) => event)
}

describe('repeated refusals', () => {
  const note = { record_type: 'note', record_ids: ['one'] }

  it('are one event with a count, also when interleaved: of unknown callers, and of a client beyond its rate', () => {
    const [stranger, client] = [() => refusal(note), () => refusal({ ...note, ...ofClient })]
    expect(noteAll([stranger(), client(), stranger(), client(), stranger()])).toEqual([
      { ...stranger(), times: 3 },
      { ...client(), times: 2 },
    ])
  })

  it('are counted separately by address, operation, client, outcome and record', () => {
    const others = [
      {},
      { address: '192.0.2.2' },
      { operation: 'notes.get' },
      { client_id: 'claimed' },
      { error_name: 'TooManyRequestsError', status: 429 },
      { record_ids: ['two'] },
      ofClient,
      { ...ofClient, client_id: 'another', user_id: 'another' },
    ].map((more) => refusal(more))
    expect(noteAll(structuredClone(others))).toEqual(others)
  })

  it('are separate events when a known caller was refused for the content of its request', () => {
    const denied = { client_id: 'client', user_id: 'user', status: 403, error_name: 'UnauthorizedError' }
    expect(noteAll([refusal(denied), refusal(denied)])).toEqual([refusal(denied), refusal(denied)])
  })

  it('start a new count with every flush', () => {
    const refusals = collapseRefusals()
    const join = () => refusals.join('organization', { event: refusal({}) })
    expect([join(), join()]).toEqual([false, true])
    refusals.forget('another organization')
    expect(join()).toBe(true)
    refusals.forget('organization')
    expect(join()).toBe(false)
  })
})

it('are recorded in detail at first and only counted later when a caller enumerates records or client ids', () => {
  for (const who of [{}, ofClient]) {
    const tried = Array.from({ length: 500 }, (_, index) =>
      refusal({ ...who, record_type: 'patient', record_ids: [`${index}`], patient_ids: [`${index}`] }),
    )
    const noted = noteAll(tried, { mrns: [], recordIds: [] })
    expect(noted).toHaveLength(21)
    expect(noted.slice(0, 20).map(({ record_ids }) => record_ids?.[0])).toEqual([...Array(20).keys()].map(String))
    expect(noted.at(-1)).toEqual(refusal({ ...who, times: 480 }))
  }
  const guessed = noteAll(Array.from({ length: 500 }, (_, index) => refusal({ client_id: `${index}` })))
  expect([guessed.length, guessed.at(-1)]).toEqual([21, refusal({ times: 480 })])
})

describe('while no more events of an organization can be noted', () => {
  const service = testService()

  it('its calls are refused and change nothing, from the first one with a token on; those of others are answered', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()]
    const { audit } = service.deps
    const { isFull } = audit
    audit.isFull = (organizationId) => organizationId === caller.organizationId
    try {
      const post = ({ call }: typeof caller) => call('POST', '/notes/v1', { value: 'one' })
      for (const { status, body } of [await post(caller), await post(caller)]) {
        expect([status, body.errorName]).toEqual([503, 'InternalError'])
      }
      expect((await post(other)).status).toBe(200)
    } finally {
      audit.isFull = isFull
    }
    const stored = 'select count(*) from note where organization_id = $1'
    expect(await service.database.row(stored, [caller.organizationId])).toEqual(['0'])
  })
})

describe('a client beyond its rate', () => {
  const service = testService((deps) => ({ config: { ...deps.config, RATE_LIMIT: 5 } }))

  it('has events with its name that count every refused call', async () => {
    const { call, credentials, organizationId } = await service.newCaller()
    const id = service.deps.newId()
    let refused = 0
    for (let index = 0; index < 200; index++) refused += Number((await call('GET', `/notes/v1/${id}`)).status === 429)
    expect(refused).toBeGreaterThan(0)
    await service.deps.audit.flush(organizationId)
    const trail = await readTrail(service.database, organizationId, { limit: 1000 })
    const events = trail.filter(({ status }) => status === 429)
    expect(events.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(refused)
    for (const event of events) {
      expect(event).toMatchObject({
        operation: 'notes.get',
        client_id: credentials.client_id,
        error_name: 'TooManyRequestsError',
        record_ids: [id],
      })
    }
  })
})
