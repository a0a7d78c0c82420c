import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'

const service = testService()
const PATH = '/anteroom/v1/verification-rules'
const rules = {
  enabled: true,
  days_ahead: 5,
  npi: '1999999984',
  visit_services: { Tests: ['5'] },
  auto_update_benefits: true,
}

it('replaces all settings of verification: a setting that is left out is unset', async () => {
  const caller = await service.newCaller()
  const reply = await caller.call('PUT', PATH, rules)
  expect(reply.body, reply.text).toEqual(rules)
  expect((await caller.call('GET', PATH)).body).toEqual(rules)
  const { npi: _, ...withoutNpi } = rules
  expect((await caller.call('PUT', PATH, { ...withoutNpi, visit_services: {} })).body).toEqual({
    ...withoutNpi,
    visit_services: {},
  })
})

it.each([
  [{ npi: '1999999983' }, 'npi'],
  [{ days_ahead: 31 }, 'days_ahead'],
  [{ visit_services: { Tests: ['ZZ'] } }, 'visit_services'],
  [{ visit_services: { Tests: [] } }, 'visit_services'],
])('refuses %j and names the field', async (change, field) => {
  const caller = await service.newCaller()
  const reply = await caller.call('PUT', PATH, { ...rules, ...change })
  expect(reply.status).toBe(400)
  expect(reply.body.content.message).toContain(field)
})

it("changes neither another organization's rules nor the operator's settings", async () => {
  const [mine, theirs] = [await service.newCaller(), await service.newCaller()]
  const before = (await theirs.call('GET', PATH)).body
  await mine.call('PUT', PATH, { ...rules, name: 'Another', allowed_origins: ['https://attacker.invalid'] })
  expect((await theirs.call('GET', PATH)).body).toEqual(before)
  const row = await service.database.row('select allowed_origins from organization where id = $1', [
    mine.organizationId,
  ])
  expect(row).toEqual(['[]'])
})

it("the application's database role may change no other column of an organization", async () => {
  const caller = await service.newCaller()
  const values = [caller.organizationId]
  await expect(
    service.deps.database.rows(`update organization set allowed_origins = '["*"]' where id = $1`, values),
  ).rejects.toThrow('permission denied')
  await expect(service.deps.database.rows('delete from client where organization_id = $1', values)).rejects.toThrow(
    'permission denied',
  )
})
