import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../../../../test/support/bodies.ts'
import { newGate } from '../../../../test/support/gate.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'
import {
  type Clearinghouse,
  type ClearinghouseAnswer,
  ClearinghouseError,
} from '../../../clearinghouses/clearinghouse.ts'
import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Inquiry } from '../../../x12/model.ts'
import { type BatchItem, storeBatch } from '../../checks/batch-store.ts'
import { startCheckWorker } from '../../checks/check-worker.ts'
import { shownItem } from './shown-item.ts'

/** A payer controlled by the test; inquiries are counted by member id. */
const payer = {
  asked: [] as string[],
  answer: (inquiry: Inquiry): Promise<ClearinghouseAnswer> | ClearinghouseAnswer => activeAnswer(inquiry),
}
const clearinghouse: Clearinghouse = {
  name: 'test',
  async checkEligibility(inquiry) {
    payer.asked.push(inquiry.subscriber.memberId ?? '')
    return payer.answer(inquiry)
  },
}
const connection = { name: 'test', clearinghouse, retryForMs: 60_000, breakAfter: Number.POSITIVE_INFINITY }
const service = testService(() => ({ clearinghouses: singleConnection(connection) }))
const polled = endpoints.find(({ operation }) => operation === 'eligibilityChecks.pollBatch')!
const log = pino({ level: 'silent' })

function activeAnswer({ traceNumber, subscriber }: Inquiry): ClearinghouseAnswer {
  const segments = [
    'ST*271*0001*005010X279A1',
    'BHT*0022*11*1*20260310*1200',
    'HL*1**20*1',
    'NM1*PR*2*TEST PAYER*****PI*60054',
    'HL*2*1*21*1',
    'NM1*1P*2*CLINIC*****XX*1234567893',
    'HL*3*2*22*0',
    `TRN*2*${traceNumber}*9ANTEROOM0`,
    `NM1*IL*1*${subscriber.lastName}*${subscriber.firstName}****MI*${subscriber.memberId}`,
    'EB*1**30',
    'SE*11*0001',
  ]
  const isa = `ISA*00*          *00*          *ZZ*${'A'.padEnd(15)}*ZZ*${'B'.padEnd(15)}*260310*1200*^*00501*000000001*0*P*:`
  const rawResponse = `${[isa, 'GS*HB*A*B*20260310*1200*1*X*005010X279A1', ...segments, 'GE*1*1', 'IEA*1*000000001'].join('~')}~`
  return { rawInquiry: 'asked', rawResponse }
}

const requestOf = (memberId: string, more: object = {}) =>
  eligibilityRequestBody({
    subscriber: { member_id: memberId, first_name: 'ANA', last_name: 'RIVERA' },
    submitter_transaction_identifier: memberId,
    ...more,
  })

async function post({ call }: Caller, items: unknown): Promise<string> {
  const reply = await call('POST', '/eligibility-checks/v1/batch', items)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.batch_id
}

async function poll({ call }: Caller, batchId: string, token?: string) {
  const query = token === undefined ? '' : `?page_token=${token}`
  const reply = await call('GET', `/eligibility-checks/v1/batch/${batchId}${query}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(polled, reply)
  return reply.body
}

/** How often other work ran before `deps.database` stored anything. */
async function turnsBeforeStoring(store: (deps: Deps) => Promise<unknown>): Promise<number> {
  let [turns, before, isDone] = [0, 0, false]
  const rows = async () => {
    before ||= turns
    return []
  }
  const transaction = (work: (database: Database) => Promise<unknown>) => work({ ...service.deps.database, rows })
  const counting = (async () => {
    while (!isDone) {
      await nextTurn()
      turns++
    }
  })()
  await store({ ...service.deps, database: { ...service.deps.database, transaction: transaction as never } })
  isDone = true
  await counting
  return before
}

/** Runs `count` workers until the batch has `answers`, then stops them. */
async function work(caller: Caller, batchId: string, answers: number, count = 1) {
  payer.asked = []
  const workers = Array.from({ length: count }, () => startCheckWorker(service.deps, { concurrency: 8, log }))
  try {
    await vi.waitFor(async () => expect((await poll(caller, batchId)).total).toBe(answers), {
      timeout: 60_000,
      interval: 100,
    })
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  return poll(caller, batchId)
}

const identifiersOf = (items: { request: { submitter_transaction_identifier: string } }[]) =>
  items.map(({ request }) => request.submitter_transaction_identifier)

describe('POST and GET /eligibility-checks/v1/batch', () => {
  // The workers of the next test take any check that is due.
  afterEach(() => service.database.rows(`update eligibility_check set status = 'FAILED' where status = 'PENDING'`))

  it('serves other requests while a long batch is stored', async () => {
    const { organizationId } = await service.newCaller()
    const actor = { organizationId, userId: organizationId, clientId: organizationId }
    const items: BatchItem[] = Array.from({ length: 10_000 }, () => ({
      request: shownItem(null),
      fault: 'x'.repeat(1000),
      field: 'payer_id',
    }))
    expect(await turnsBeforeStoring((deps) => storeBatch(deps, actor, items))).toBeGreaterThan(1)
  })

  it('rejects a body that is not an array of checks, and one of ten million empty lists without parsing it', async () => {
    const { token } = await service.newCaller()
    const post = (payload: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return service.app.inject({ method: 'POST', url: '/eligibility-checks/v1/batch', headers, payload })
    }
    for (const payload of [
      '{}',
      '[',
      '[1,]',
      '"[]"',
      '',
      `[[${'[],'.repeat(5_000_000)}[]]]`,
      `[${'[],'.repeat(5_000_000)}[]]`,
    ]) {
      const reply = await post(payload)
      expect(reply.statusCode).toBe(400)
      expect(reply.json().errorName).toBe('BadRequestError')
    }
  })

  it('answers every check once, in the order of the request, with the batch and the identifier that was sent', async () => {
    const caller = await service.newCaller()
    const members = Array.from({ length: 150 }, (_, index) => `W${String(index).padStart(3, '0')}`)
    payer.answer = async (inquiry) => {
      await wait(Math.random() * 20)
      return activeAnswer(inquiry)
    }
    const batchId = await post(
      caller,
      members.map((member) => requestOf(member)),
    )
    expect(await poll(caller, batchId)).toEqual({ items: [], total: 0 })
    const first = await work(caller, batchId, members.length, 3)
    const second = await poll(caller, batchId, first.next_page_token)
    expect(identifiersOf([...first.items, ...second.items])).toEqual(members)
    expect(payer.asked.toSorted()).toEqual(members)
    expect(second).not.toHaveProperty('next_page_token')
    for (const item of first.items) {
      expect(item).toMatchObject({ batch_id: batchId, parsed_response: { eligibility_status: 'ACTIVE' } })
    }
  })

  it('stores the same content once for an idempotency key, however often and however soon it is sent again', async () => {
    const caller = await service.newCaller()
    const send = async (key: string, items: unknown, by = caller) => {
      const reply = await by.call('POST', `/eligibility-checks/v1/batch?idempotency_key=${key}`, items)
      expect(reply.status, reply.text).toBe(200)
      return reply.body as { batch_id: string; submitted_at: string }
    }
    const items = [requestOf('TWICE1'), { nonsense: true }, requestOf('TWICE2')]
    const sent = await Promise.all([1, 2, 3, 4].map(() => send('k 1', items)))
    sent.push(await send('k 1', items))
    expect(new Set(sent.map((batch) => JSON.stringify(batch))).size).toBe(1)
    const others = [
      await send('k 2', items),
      await send('k 1', items.slice(0, 2)),
      await send('k 1', [items[0], items[2], items[1]]),
      await send('k 1', items, await service.newCaller({ beside: caller })),
      await send('k 1', items, await service.newCaller()),
    ]
    expect(new Set([...sent, ...others].map(({ batch_id }) => batch_id)).size).toBe(1 + others.length)
    const stored = await service.database.rows(
      `select b.id, b.size, (select count(*) from eligibility_check c where c.batch_id = b.id)
        from eligibility_batch b where b.organization_id = $1`,
      [caller.organizationId],
    )
    expect(stored.map(([, size, count]) => [Number(size), Number(count)]).sort()).toEqual([
      [2, 2],
      ...Array(4).fill([3, 3]),
    ])
    expect((await caller.call('POST', '/eligibility-checks/v1/batch?idempotency_key=', items)).status).toBe(400)
  })

  it('counts only answers that its pages contain, while answers arrive in reverse order', async () => {
    const caller = await service.newCaller()
    const members = Array.from({ length: 150 }, (_, index) => `W${index}`)
    const batchId = await post(
      caller,
      members.map((member) => requestOf(member)),
    )
    const answering = (async () => {
      for (const index of members.keys()) {
        const values = [batchId, members.length - 1 - index]
        await service.database.rows(
          `update eligibility_check set status = 'FAILED' where batch_id = $1 and batch_index = $2`,
          values,
        )
      }
    })()
    let total = 0
    while (total < members.length) {
      const first = await poll(caller, batchId)
      total = first.total
      if (first.next_page_token === undefined) expect(first.items).toHaveLength(total)
      else {
        const second = await poll(caller, batchId, first.next_page_token)
        expect(first.items.length + second.items.length).toBe(total)
      }
    }
    await answering
  })

  it('returns an invalid item as failed, and answers the others', async () => {
    const caller = await service.newCaller()
    payer.answer = activeAnswer
    const bad = [
      null,
      7,
      {},
      { ...requestOf('W2'), payer_id: 5 },
      requestOf('W\0'),
      requestOf('W3', { encounter: { date_of_service: '2026-02-30' } }),
    ]
    const batchId = await post(caller, [
      requestOf('W1'),
      ...bad,
      requestOf('W9', { portal_username: 'u', portal_password: 'secret-word' }),
    ])
    const { items } = await work(caller, batchId, bad.length + 2)
    const faults = items.slice(1, -1)
    expect(faults).toHaveLength(bad.length)
    for (const [index, item] of faults.entries()) {
      expect(item.errors).toHaveLength(1)
      expect(item.errors[0]).toMatchObject({ source: 'CANDID', errorDetails: { 'location?': `item ${index + 1}` } })
      expect(item.response).toBeNull()
    }
    expect(faults[3].errors[0].errorDetails['field?']).toBe('payer_id')
    expect(identifiersOf([items[0], items.at(-1)])).toEqual(['W1', 'W9'])
    expect(JSON.stringify(items)).not.toContain('secret-word')
  })

  it('retries when the payer was unavailable, but not when it rejected the patient', async () => {
    const caller = await service.newCaller()
    let outages = 2
    payer.answer = (inquiry) => {
      if (inquiry.subscriber.memberId === 'GONE')
        throw new ClearinghouseError('no', { code: 'HTTP 401', retryable: false })
      if (outages-- > 0) throw new ClearinghouseError('down', { code: 'HTTP 503', retryable: true })
      return activeAnswer(inquiry)
    }
    const batchId = await post(caller, [requestOf('BACK'), requestOf('GONE')])
    const { items } = await work(caller, batchId, 2)
    expect(items.map((item: { errors?: unknown }) => 'errors' in item)).toEqual([false, true])
    expect(payer.asked.filter((member) => member === 'BACK').length).toBeGreaterThan(1)
    expect(payer.asked.filter((member) => member === 'GONE')).toHaveLength(1)
  })

  it('takes over the checks of a killed worker, which can then change nothing', async () => {
    const caller = await service.newCaller()
    const gate = newGate()
    payer.answer = async (inquiry) => {
      await gate.opened
      return activeAnswer(inquiry)
    }
    payer.asked = []
    const batchId = await post(caller, [requestOf('W1')])
    const dead = startCheckWorker(service.deps, { concurrency: 1, log })
    await vi.waitFor(() => expect(payer.asked).toEqual(['W1']), { timeout: 60_000 })
    // As when its lease has expired without a renewal.
    const lose = 'update eligibility_check set due_at = now(), held = false where batch_id = $1'
    await service.database.rows(lose, [batchId])
    payer.answer = () => {
      throw new ClearinghouseError('refused', { code: 'HTTP 401', retryable: false })
    }
    const { items } = await work(caller, batchId, 1)
    expect(items[0].errors[0].errorDetails['code?']).toBe('HTTP 401')
    gate.open()
    await dead.stop()
    expect((await poll(caller, batchId)).items).toEqual(items)
  })

  it('releases unstarted checks when it stops', async () => {
    const caller = await service.newCaller()
    const gate = newGate()
    payer.answer = async (inquiry) => {
      await gate.opened
      return activeAnswer(inquiry)
    }
    payer.asked = []
    const batchId = await post(
      caller,
      ['W1', 'W2', 'W3'].map((member) => requestOf(member)),
    )
    const worker = startCheckWorker(service.deps, { concurrency: 1, log })
    await vi.waitFor(() => expect(payer.asked).toHaveLength(1), { timeout: 60_000 })
    const started = [...payer.asked]
    const stopped = worker.stop()
    gate.open()
    await stopped
    expect(identifiersOf((await poll(caller, batchId)).items)).toEqual(started)
    payer.answer = activeAnswer
    expect(identifiersOf((await work(caller, batchId, 3)).items)).toEqual(['W1', 'W2', 'W3'])
  })

  it('answers an item from a successful check that was initiated after the given instant', async () => {
    const caller = await service.newCaller()
    payer.answer = activeAnswer
    const before = new Date(Date.now() - 60_000).toISOString()
    expect((await caller.call('POST', '/eligibility-checks/v1', requestOf('W1'))).status).toBe(200)
    const batchId = await post(caller, [
      requestOf('W1', { get_existing_check_initiated_after: before }),
      requestOf('W1', { get_existing_check_initiated_after: new Date(Date.now() + 60_000).toISOString() }),
    ])
    const { items } = await work(caller, batchId, 2)
    expect(payer.asked).toEqual(['W1'])
    for (const item of items) expect(item.parsed_response.eligibility_status).toBe('ACTIVE')
  })

  it('keeps what prevents READY in an answer that it takes from an earlier check', async () => {
    const caller = await service.newCaller()
    const otherPayer = 'EB*1**30~EB*R**30~LS*2120~NM1*PRP*2*OTHER MUTUAL*****PI*OTHER1~LE*2120~'
    payer.answer = (inquiry) => {
      const answer = activeAnswer(inquiry)
      return { ...answer, rawResponse: answer.rawResponse.replace('EB*1**30~', otherPayer) }
    }
    const before = new Date(Date.now() - 60_000).toISOString()
    expect((await caller.call('POST', '/eligibility-checks/v1', requestOf('W1'))).status).toBe(200)
    await work(caller, await post(caller, [requestOf('W1', { get_existing_check_initiated_after: before })]), 1)
    expect(payer.asked).toEqual([])
    const stored = await service.database.rows(
      `select obstacles::text from eligibility_check where organization_id = '${caller.organizationId}'`,
    )
    expect(stored.map(([issues]) => JSON.parse(issues ?? 'null'))).toEqual(
      Array(2).fill([expect.objectContaining({ kind: 'OTHER_PAYER' })]),
    )
  })

  it('accepts 1 to 10,000 checks', async () => {
    const { call } = await service.newCaller()
    const send = (items: unknown) => call('POST', '/eligibility-checks/v1/batch', items)
    expect((await send(Array.from({ length: 10_000 }, (_, index) => requestOf(`W${index}`)))).status).toBe(200)
    for (const items of [[], {}, 'x', null, Array.from({ length: 10_001 }, () => 1)])
      expectEnvelope(await send(items), 400)
  })

  it('rejects a batch that cannot be parsed as a whole', async () => {
    const { call } = await service.newCaller()
    const send = (body: string, type = 'application/json') =>
      call('POST', '/eligibility-checks/v1/batch', body, { 'content-type': type })
    for (const body of ['[{"payer_id": ', '[{}] [{}]', '', '7', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
      expectEnvelope(await send(body), 400)
    }
    expectEnvelope(await send(JSON.stringify(['x'.repeat(21 * 1024 * 1024)])), 413)
    for (const type of ['text/plain', ''])
      expectEnvelope(await send('[{}]', type), (status) => status === 400 || status === 415)
  })

  it('returns 404 for an unknown batch, and for another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const batchId = await post(owner, [requestOf('W1')])
    const read = (caller: Caller, id: string) => caller.call('GET', `/eligibility-checks/v1/batch/${id}`)
    for (const reply of [
      await read(stranger, batchId),
      await read(owner, owner.organizationId),
      await read(owner, 'x'),
    ]) {
      expectEnvelope(reply, 404)
    }
  })
})
