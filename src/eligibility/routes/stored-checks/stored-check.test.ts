import { describe, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { sentBy } from '../../../../test/support/sent-statements.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'
import { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import { deleteOldMessages } from '../../checks/message-retention.ts'

const INQUIRY = 'ISA*the inquiry*W123456789~'
const RESPONSE = 'ISA*not quite an answer~'
let now = Date.now()
const service = testService(() => ({
  now: () => new Date(now),
  clearinghouses: singleConnection({
    name: 'test',
    retryForMs: 0,
    clearinghouse: {
      name: 'test',
      checkEligibility: async ({ payer }) => {
        if (payer.id !== 'DOWN') return { rawInquiry: INQUIRY, rawResponse: RESPONSE }
        throw new ClearinghouseError('down', { code: 'DOWN', retryable: false })
      },
    },
  }),
}))
const declared = (operation: string) =>
  endpoints.find((endpoint) => endpoint.operation === `storedChecks.${operation}`)!

async function check({ call }: Caller, overrides: Record<string, unknown> = {}): Promise<void> {
  now += 1000
  expect((await call('POST', '/eligibility-checks/v1', eligibilityRequestBody(overrides))).status).toBe(200)
}

async function list({ call }: Caller, query = '') {
  const reply = await call('GET', `/anteroom/v1/eligibility-checks${query}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(declared('getMulti'), reply)
  return reply.body
}

describe('/anteroom/v1/eligibility-checks', () => {
  it('lists checks with their ids, newest first, by the filters of get-multi, page by page', async () => {
    const caller = await service.newCaller()
    await check(caller)
    await check(caller, { payer_id: 'DOWN' })
    const { items, total } = await list(caller)
    expect(total).toBe(2)
    expect(items.map((item: { payer_id: string }) => item.payer_id)).toEqual(['DOWN', '60054'])
    expect(items[1]).toMatchObject({ status: 'FAILED', initiated_at: expect.any(String), check_id: expect.any(String) })
    expect((await list(caller, '?payer_id=60054')).items).toEqual([items[1]])
    const first = await list(caller, '?limit=1')
    expect((await list(caller, `?limit=1&page_token=${first.next_page_token}`)).items).toEqual([items[1]])
  })

  it('lists the checks of one batch with their places in its request', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    await check(caller)
    const items = [eligibilityRequestBody(), { subscriber: 'none' }, eligibilityRequestBody()]
    const { batch_id } = (await caller.call('POST', '/eligibility-checks/v1/batch', items)).body
    const found = (await list(caller, `?batch_id=${batch_id}`)).items
    expect(found).toHaveLength(3)
    expect(found.map((item: { batch_index: number }) => item.batch_index).sort()).toEqual([0, 1, 2])
    expect(found.find((item: { status: string }) => item.status === 'FAILED')).toMatchObject({
      batch_id,
      batch_index: 1,
    })
    expect((await list(stranger, `?batch_id=${batch_id}`)).items).toEqual([])
    expect((await list(caller, '?batch_id=x')).items).toEqual([])
  })

  it('reads one check and its transmitted messages, which are encrypted at rest', async () => {
    const caller = await service.newCaller()
    await check(caller)
    const [{ check_id: id, ...summary }] = (await list(caller)).items
    const reply = await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}`)
    expectDeclaredAnswer(declared('get'), reply)
    expect(reply.body).toMatchObject({ check_id: id, ...summary, check: { request: eligibilityRequestBody() } })
    const messages = await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/messages`)
    expectDeclaredAnswer(declared('getMessages'), messages)
    expect(messages.body).toEqual({ check_id: id, inquiry: INQUIRY, response: RESPONSE })
    const [stored] = await service.database.rows(
      'select raw_inquiry, raw_response from eligibility_check where id = $1',
      [id],
    )
    for (const text of stored ?? []) expect(text).toMatch(/^encrypted:/)
  })

  it('is found by the id that POST returns, shows the same response again, and none once the messages are deleted', async () => {
    const caller = await service.newCaller()
    now += 1000
    const posted = await caller.call('POST', '/eligibility-checks/v1', eligibilityRequestBody())
    const id = posted.headers['x-eligibility-check-id']
    const read = async () => (await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}`)).body
    expect((await read()).check).toEqual(posted.body)
    expect(posted.body.response).not.toBeNull()
    const inClear = 'select count(*) from eligibility_check e where id = $1 and position($2 in e::text) > 0'
    expect(await service.database.rows(inClear, [id, RESPONSE])).toEqual([['0']])
    const config = { ...service.deps.config, CHECK_MESSAGE_DAYS: -1 }
    await deleteOldMessages({ ...service.deps, config }, service.app.log)
    expect((await read()).check).toEqual({ ...posted.body, response: null })
  })

  it('returns 404 for an unknown check, and for another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    await check(owner)
    const [{ check_id: id }] = (await list(owner)).items
    expect(await list(stranger)).toEqual({ items: [], total: 0 })
    for (const path of [id, `${id}/messages`]) {
      expectEnvelope(await stranger.call('GET', `/anteroom/v1/eligibility-checks/${path}`), 404)
    }
    for (const path of ['x', `${owner.organizationId}/messages`]) {
      expectEnvelope(await owner.call('GET', `/anteroom/v1/eligibility-checks/${path}`), 404)
    }
  })

  it('deletes the messages of a check after their retention time, and keeps the check', async () => {
    const caller = await service.newCaller()
    const { CHECK_MESSAGE_DAYS: days } = service.deps.config
    const grow = (id: string, by: number) =>
      service.database.rows(
        `update eligibility_check set initiated_at = initiated_at - $2 * interval '1 day' where id = $1`,
        [id, by],
      )
    await check(caller)
    const [{ check_id: first }] = (await list(caller)).items
    await grow(first, days - 1)
    await check(caller)
    expect(await deleteOldMessages(service.deps, service.app.log)).toBeGreaterThanOrEqual(0)
    const messagesOf = async (id: string) =>
      (await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/messages`)).body
    expect(await messagesOf(first)).toHaveProperty('response')
    await grow(first, 2)
    const [young, old] = (await list(caller)).items
    await deleteOldMessages(service.deps, service.app.log)
    expect(await messagesOf(old.check_id)).toEqual({ check_id: old.check_id })
    expect(await messagesOf(young.check_id)).toHaveProperty('response')
    expect((await list(caller)).items).toEqual([young, old])
  })
})

describe('the benefit sheet of a check', () => {
  it('is a PDF whose name reveals nothing about the patient, for users who may read the check', async () => {
    const caller = await service.newCaller()
    await check(caller)
    const [{ check_id: id }] = (await list(caller)).items
    const reply = await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/benefit-sheet`)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(reply.headers['content-disposition']).toBe(`inline; filename="benefits-${id}.pdf"`)
    expect(reply.text).toMatch(/^%PDF-1\.7/)
    const stranger = await service.newCaller()
    expect((await stranger.call('GET', `/anteroom/v1/eligibility-checks/${id}/benefit-sheet`)).status).toBe(404)
  })

  it('does not read the transmitted answer, which takes longer than to make the sheet', async () => {
    const caller = await service.newCaller()
    await check(caller)
    const [{ check_id: id }] = (await list(caller)).items
    const { result, statements } = await sentBy(service.deps.database, () =>
      caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/benefit-sheet`),
    )
    expect(result.status).toBe(200)
    const texts = statements.map(({ text }) => text)
    expect(texts.some((text) => text.includes('from eligibility_check'))).toBe(true)
    expect(texts.filter((text) => text.includes('raw_response'))).toEqual([])
  })

  it('is not available before the payer has answered', async () => {
    const caller = await service.newCaller()
    const id = await caller.newCheckId()
    expect((await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/benefit-sheet`)).status).toBe(400)
  })
})

it('transmitted messages are explained, or shown unchanged when they are not X12', async () => {
  const caller = await service.newCaller()
  await check(caller)
  const [{ check_id: id }] = (await list(caller)).items
  const reply = await caller.call('GET', `/anteroom/v1/eligibility-checks/${id}/explained-messages`)
  expectDeclaredAnswer(declared('explainMessages'), reply)
  expect(reply.body).toEqual({
    check_id: id,
    inquiry: { format: 'OTHER', text: INQUIRY },
    response: { format: 'OTHER', text: RESPONSE },
  })
})
