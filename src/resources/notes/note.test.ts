import { describe, expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'

const service = testService()

describe('POST /notes/v1', () => {
  it('returns 200 with the stored note at version 1', async () => {
    const { call, organizationId } = await service.newCaller()
    const { status, body } = await call('POST', '/notes/v1', { value: 'Call back', author_name: null, color: 'red' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: organizationId,
      deactivated: false,
      version: 1,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_at: body.updated_at,
      updating_user_id: expect.any(String),
      value: 'Call back',
      type: 'GENERAL',
    })
  })
})

describe('PUT /notes/v1/:id/:version', () => {
  it('takes the version that the caller read, and refuses the next one with 409', async () => {
    const { call } = await service.newCaller()
    const { body: note } = await call('POST', '/notes/v1', { value: 'first' })
    const early = await call('PUT', `/notes/v1/${note.id}/2`, { value: 'second' })
    expect(early.status).toBe(409)
    expect(early.body).toEqual({
      errorName: 'VersionConflictError',
      content: { message: expect.any(String), latest_version: 1 },
    })
    const { status, body } = await call('PUT', `/notes/v1/${note.id}/1`, { value: 'second', type: 'ELIGIBILITY' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: note.id,
      version: 2,
      value: 'second',
      type: 'ELIGIBILITY',
      created_at: note.created_at,
    })
  })
})

describe('DELETE /notes/v1/:id/:version', () => {
  it('returns 200 without a body, and GET still returns the note', async () => {
    const { call } = await service.newCaller()
    const { body: note } = await call('POST', '/notes/v1', { value: 'gone' })
    const { status, text, headers } = await call('DELETE', `/notes/v1/${note.id}/1`)
    expect([status, text, headers['content-length']]).toEqual([200, '', '0'])
    const { body } = await call('GET', `/notes/v1/${note.id}`)
    expect(body).toMatchObject({ deactivated: true, version: 2, value: 'gone' })
  })
})
