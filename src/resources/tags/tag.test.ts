import { describe, expect, it } from 'vitest'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { testService } from '../../../test/support/service.ts'

const service = testService()

describe('POST /tags/v1', () => {
  it('returns 200 with the stored tag at version 1', async () => {
    const { call, organizationId } = await service.newCaller()
    const { status, body } = await call('POST', '/tags/v1', { value: 'Interpreter', description: null, alert: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...firstVersionOf({ organizationId }),
      value: 'Interpreter',
      alert: true,
    })
  })

  it('returns an existing tag with the same value, with its description and alert, and writes nothing', async () => {
    const { call } = await service.newCaller()
    const { body: first } = await call('POST', '/tags/v1', { value: 'VIP', description: 'Board member' })
    const again = await call('POST', '/tags/v1', { value: 'VIP', description: 'other', alert: true })
    expect([again.status, again.body]).toEqual([200, first])
  })

  it('compares values exactly: another case or an extra blank is another tag', async () => {
    const { call } = await service.newCaller()
    const ids = new Set<string>()
    for (const value of ['vip', 'VIP', 'VIP ']) ids.add((await call('POST', '/tags/v1', { value })).body.id)
    expect(ids.size).toBe(3)
  })

  it('creates one tag for 20 concurrent requests with the same value, and returns 200 to all of them', async () => {
    const { call } = await service.newCaller()
    // Every connection is opened first, so that all requests start together.
    await Promise.all(Array.from({ length: 20 }, () => call('GET', '/tags/v1')))
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('POST', '/tags/v1', { value: 'same', description: `${n}` })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect((await call('GET', '/tags/v1')).body.total).toBe(1)
  })

  it('returns a deactivated tag with the same value as it is, also to 20 concurrent requests', async () => {
    const { call } = await service.newCaller()
    const { body: first } = await call('POST', '/tags/v1', { value: 'old', alert: true })
    await call('DELETE', `/tags/v1/${first.id}/1`)
    const { text: deactivated } = await call('GET', `/tags/v1/${first.id}`)
    const replies = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/tags/v1', { value: 'old' })))
    expect(replies.map(({ status, text }) => [status, text])).toEqual(replies.map(() => [200, deactivated]))
    expect((await call('GET', '/tags/v1')).body.total).toBe(0)
  })

  it('looks for the value in an index, among deactivated tags as well', async () => {
    const { call } = await service.newCaller()
    const { statements } = await sentBy(service.deps.database, () => call('POST', '/tags/v1', { value: 'indexed' }))
    const sent = statements.filter(({ name }) => name === 'tag_find_by_value')
    expect(sent).toHaveLength(1)
    const plan = await service.database.transaction(async (transaction) => {
      // In a nearly empty table every other plan is cheaper.
      await transaction.rows('set local enable_seqscan = off')
      return transaction.rows(`explain ${sent[0]?.text}`, sent[0]?.values)
    })
    expect(plan.flat().join('\n')).toMatch(/Index Cond: .*'value'/)
  })

  it('returns the active tag where another one with the same value was deactivated later', async () => {
    const { call } = await service.newCaller()
    const { body: gone } = await call('POST', '/tags/v1', { value: 'used again' })
    const { body: active } = await call('POST', '/tags/v1', { value: 'other' })
    await call('DELETE', `/tags/v1/${gone.id}/1`)
    const { text } = await call('PUT', `/tags/v1/${active.id}/1`, { value: 'used again' })
    await service.database.rows(`update tag set updated_at = now() + interval '1 day' where id = $1`, [gone.id])
    const again = await call('POST', '/tags/v1', { value: 'used again' })
    expect([again.status, again.text]).toEqual([200, text])
  })

  it('keeps the values of organizations separate', async () => {
    const [one, other] = [await service.newCaller(), await service.newCaller()]
    const { body: first } = await one.call('POST', '/tags/v1', { value: 'shared' })
    const { body: second } = await other.call('POST', '/tags/v1', { value: 'shared' })
    expect(second.id).not.toBe(first.id)
  })

  it('returns 400 for a value that is too long for the index', async () => {
    const { call } = await service.newCaller()
    expect((await call('POST', '/tags/v1', { value: '𝛑'.repeat(400) })).status).toBe(200)
    const { status, body } = await call('POST', '/tags/v1', { value: 'x'.repeat(401) })
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
  })
})

describe('GET /tags/v1', () => {
  it('lists active tags by value, up to 1000 unless the limit is lower', async () => {
    const { call } = await service.newCaller()
    for (const value of ['b', 'c', 'a']) await call('POST', '/tags/v1', { value })
    const { body: gone } = await call('POST', '/tags/v1', { value: 'aa' })
    await call('DELETE', `/tags/v1/${gone.id}/1`)
    const { status, body } = await call('GET', '/tags/v1')
    expect(status).toBe(200)
    expect(body.items.map(({ value }: { value: string }) => value)).toEqual(['a', 'b', 'c'])
    expect(body).toMatchObject({ total: 3 })
    expect(body).not.toHaveProperty('next_page_token')
  })

  it('returns 1000 tags on one page by default', async () => {
    const caller = await service.newCaller()
    const { body: first } = await caller.call('POST', '/tags/v1', { value: 'tag 0' })
    await service.database.rows(
      `insert into tag (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at,
        jsonb_build_object('value', 'tag ' || n) from tag, generate_series(1, 1000) n where id = $1`,
      [first.id],
    )
    const { body } = await caller.call('GET', '/tags/v1')
    expect([body.items.length, body.total]).toEqual([1000, 1001])
    const { body: rest } = await caller.call('GET', `/tags/v1?page_token=${body.next_page_token}`)
    expect(rest.items.map(({ value }: { value: string }) => value)).toEqual(['tag 999'])
  })

  it('pages in both directions without losing or repeating a tag', async () => {
    const { call } = await service.newCaller()
    for (const value of ['a', 'b', 'c', 'd', 'e']) await call('POST', '/tags/v1', { value })
    const values = (page: { items: { value: string }[] }) => page.items.map(({ value }) => value).join('')
    const { body: first } = await call('GET', '/tags/v1?limit=2')
    const { body: second } = await call('GET', `/tags/v1?limit=2&page_token=${first.next_page_token}`)
    const { body: third } = await call('GET', `/tags/v1?limit=2&page_token=${second.next_page_token}`)
    const { body: back } = await call('GET', `/tags/v1?limit=2&page_token=${second.prev_page_token}`)
    expect([first, second, third, back].map(values)).toEqual(['ab', 'cd', 'e', 'ab'])
    expect([first, second, third, back].map(({ total }) => total)).toEqual([5, 5, 5, 5])
  })

  it('returns 400 for a page token that it did not issue', async () => {
    const { call } = await service.newCaller()
    const { status, body } = await call('GET', '/tags/v1?page_token=abc')
    expect([status, body.errorName]).toEqual([400, 'BadRequestError'])
  })
})

describe('PUT /tags/v1/:id/:version', () => {
  it('takes the version that the caller read', async () => {
    const { call } = await service.newCaller()
    const { body: tag } = await call('POST', '/tags/v1', { value: 'new' })
    expect((await call('PUT', `/tags/v1/${tag.id}/2`, { value: 'newer' })).status).toBe(409)
    const { status, body } = await call('PUT', `/tags/v1/${tag.id}/1`, { value: 'newer' })
    expect([status, body.version, body.value]).toEqual([200, 2, 'newer'])
  })

  it('returns 409 without a version for the value of another active tag, and accepts it once that tag is deactivated', async () => {
    const { call } = await service.newCaller()
    const { body: holder } = await call('POST', '/tags/v1', { value: 'taken' })
    const { body: tag } = await call('POST', '/tags/v1', { value: 'free' })
    const refused = {
      errorName: 'VersionConflictError',
      content: { message: 'value is in use by another tag' },
    }
    const first = await call('PUT', `/tags/v1/${tag.id}/1`, { value: 'taken' })
    expect([first.status, first.body]).toEqual([409, refused])
    await call('DELETE', `/tags/v1/${holder.id}/1`)
    expect((await call('PUT', `/tags/v1/${tag.id}/1`, { value: 'taken' })).body).toMatchObject({
      value: 'taken',
      version: 2,
    })
  })

  it('keeps a deactivated tag deactivated', async () => {
    const { call } = await service.newCaller()
    const { body: tag } = await call('POST', '/tags/v1', { value: 'gone' })
    await call('DELETE', `/tags/v1/${tag.id}/1`)
    const { body } = await call('PUT', `/tags/v1/${tag.id}/2`, { value: 'still gone' })
    expect(body).toMatchObject({ deactivated: true, version: 3, value: 'still gone' })
  })
})
