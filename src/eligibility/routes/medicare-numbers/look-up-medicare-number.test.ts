import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'
import { openClearinghouses } from '../../../clearinghouses/registry.ts'
import { createStandardConnection } from '../../../main/standard-connection.ts'
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts'

const path = '/anteroom/v1/medicare-numbers/look-up'
const provider = { npi: '1999999984', organization_name: 'Clinic' }
const harold = { first_name: 'Harold', last_name: 'Whitfield', date_of_birth: '1944-02-29', ssn: '900-44-0229' }
const SPELLED = ['900440229', '900-44-0229']

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())
const service = testService((deps) => ({
  clearinghouses: openClearinghouses(deps, createStandardConnection(deps.config, sandbox.url), 20),
}))

describe('POST /anteroom/v1/medicare-numbers/look-up', () => {
  it('finds the number, for use as the member id of a coverage, and stores nothing', async () => {
    const caller = await service.newCaller()
    const { status, body, text } = await caller.call('POST', path, { provider, person: harold })
    expect([status, body]).toEqual([200, { member_id: '1EG4TE5MK72', payer_id: 'CMS', eligibility_status: 'ACTIVE' }])
    for (const number of SPELLED) expect(text).not.toContain(number)
    const rows = await service.database.rows('select 1 from eligibility_check where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toEqual([])
  })

  it.each([
    ['another social security number', { ssn: '900440228' }],
    ['another birth date', { date_of_birth: '1944-02-28' }],
    ['another first name', { first_name: 'Harriet' }],
  ])('reports that no one is found by %s', async (_, other) => {
    const { status, body } = await (await service.newCaller()).call('POST', path, {
      provider,
      person: { ...harold, ...other },
    })
    expect([status, body.member_id]).toEqual([200, undefined])
    expect(body.errors).toMatchObject([{ code: '75', 'code?': '75' }])
  })

  it.each([
    ['no birth date', { date_of_birth: '1944-02-30' }, 'person.date_of_birth'],
    ['a number of another length', { ssn: '0229' }, 'person.ssn'],
  ])('rejects %s, naming the field and no value', async (_, other, field) => {
    const { status, text } = await (await service.newCaller()).call('POST', path, {
      provider,
      person: { ...harold, ...other },
    })
    expect(status).toBe(400)
    expect(text).toContain(field)
    for (const value of Object.values(other)) expect(text).not.toContain(value)
  })

  it('requires the permission to write eligibility checks', async () => {
    const caller = await service.newCaller({ scopes: ['patients:read'] })
    expect((await caller.call('POST', path, { provider, person: harold })).status).toBe(403)
  })
})

describe('a connector that does not offer it', () => {
  const none = testService(() => ({
    clearinghouses: singleConnection({
      name: 'none',
      clearinghouse: { name: 'none', checkEligibility: () => Promise.reject(new Error('not asked')) },
      retryForMs: 0,
    }),
  }))
  it('returns an error that states it', async () => {
    const { status, body } = await (await none.newCaller()).call('POST', path, { provider, person: harold })
    expect([status, body.errors]).toMatchObject([200, [{ code: 'NOT_OFFERED' }]])
  })
})
