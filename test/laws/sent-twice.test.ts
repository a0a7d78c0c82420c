// A create that is sent again because its answer was lost. decisions/0150-creates-that-are-sent-twice.md
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { UNIQUE_TEXT } from '../support/bodies.ts'
import { endpoints, kindOf, operate, type RecordKind, validBody } from '../support/operations.ts'
import { testService } from '../support/service.ts'

const service = testService()

const takesKey = ({ query }: Endpoint) => query !== undefined && 'idempotency_key' in query.properties

/** What makes a record without a key, and why it needs none. */
const WITHOUT_KEY = {
  'patientMerges.create': 'the second merge of a pair is refused',
  'tags.create': 'the tag with the value is the answer',
}

const creates = endpoints.flatMap((endpoint) => {
  const kind = kindOf(endpoint)
  const isCreate = /\.create(WithMrn)?$/.test(endpoint.operation)
  return kind && isCreate ? [{ operation: endpoint.operation, endpoint, kind }] : []
})

it('every operation that makes a record takes an idempotency key, or needs none for a reason that is stated here', () => {
  const without = creates.filter(({ endpoint }) => !takesKey(endpoint)).map(({ operation }) => operation)
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_KEY))
})

const countOf = async ({ name }: RecordKind, organizationId: string) => {
  const [row] = await service.database.rows(`select count(*) from ${name} where organization_id = $1`, [organizationId])
  return Number(row?.[0])
}

describe.each(creates.filter(({ endpoint }) => takesKey(endpoint)))('$operation', ({ endpoint, kind }) => {
  it('stores the same content once for a key, however often and however soon it is sent, and answers each call with it', async () => {
    const caller = await service.newCaller()
    const body = await validBody(endpoint, caller)
    const text = JSON.stringify(body).replaceAll(UNIQUE_TEXT, randomUUID().slice(0, 12))
    const before = await countOf(kind, caller.organizationId)
    const send = async (key: string) => {
      const reply = await operate(caller, endpoint, { body: JSON.parse(text), query: `idempotency_key=${key}` })
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    }
    const sent = await Promise.all([1, 2, 3, 4].map(() => send('form%201')))
    sent.push(await send('form%201'))
    expect(new Set(sent.map((record) => JSON.stringify(record))).size).toBe(1)
    expect(await countOf(kind, caller.organizationId)).toBe(before + 1)
  })
})

describe('an idempotency key', () => {
  const note = { value: 'Called the payer.' }
  const create = async (caller: Awaited<ReturnType<typeof service.newCaller>>, key: string, body: object = note) => {
    const reply = await caller.call('POST', `/notes/v1${key}`, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }

  it('joins neither other content, nor other keys, nor the calls of other clients, nor calls without a key', async () => {
    const caller = await service.newCaller()
    const made = [
      await create(caller, '?idempotency_key=k'),
      await create(caller, '?idempotency_key=k2'),
      await create(caller, '?idempotency_key=k', { value: 'Called the payer again.' }),
      await create(await service.newCaller({ beside: caller }), '?idempotency_key=k'),
      await create(await service.newCaller(), '?idempotency_key=k'),
      await create(caller, ''),
      await create(caller, ''),
    ]
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length)
    expect((await caller.call('POST', '/notes/v1?idempotency_key=', note)).status).toBe(400)
  })

  it('answers with the record as it is by then, and writes nothing over it', async () => {
    const caller = await service.newCaller()
    const { id } = await create(caller, '?idempotency_key=k')
    await caller.call('PUT', `/notes/v1/${id}/1`, { value: 'Corrected.' })
    expect(await create(caller, '?idempotency_key=k')).toMatchObject({ id, version: 2, value: 'Corrected.' })
  })

  it('leaves a call that was refused without effect on the next one', async () => {
    const caller = await service.newCaller()
    const { body: patient } = await caller.call('POST', '/patients/v1', {})
    expect(patient.errorName).toBe('BadRequestError')
    const person = await validBody(
      endpoints.find(({ operation }) => operation === 'patients.create') as Endpoint,
      caller,
    )
    const first = await caller.call('POST', '/patients/v1', person)
    const again = (query: string) => caller.call('POST', `/patients/v1?idempotency_key=form${query}`, person)
    expect((await again('')).status).toBe(409)
    const [one, other] = [await again('&skip_duplicate_check=true'), await again('&skip_duplicate_check=true')]
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body.id).not.toBe(first.body.id)
    expect(other.body).toEqual(one.body)
  })
})
