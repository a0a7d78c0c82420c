import { expect, it } from 'vitest'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { HealthFinding } from './system-health.schema.ts'

const service = testService()
const PATH = '/anteroom/v1/system-health'

async function finding(caller: Caller, what: HealthFinding['what']): Promise<HealthFinding | undefined> {
  const { body } = await caller.call('GET', PATH)
  return body.findings.find((each: HealthFinding) => each.what === what)
}

it('describes the state of each part in words, and the versions', async () => {
  const caller = await service.newCaller()
  const { body } = await caller.call('GET', PATH)
  expect(body.versions).toEqual({
    anteroom: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    postgresql: expect.stringMatching(/^\d+/),
  })
  expect(await finding(caller, 'database')).toMatchObject({ state: 'ok' })
  expect(await finding(caller, 'checks')).toMatchObject({ state: 'ok' })
  expect(await finding(caller, 'storage')).toMatchObject({ state: 'ok' })
})

it('reports waiting checks, of this organization only', async () => {
  const [mine, theirs] = [await service.newCaller(), await service.newCaller()]
  const id = await theirs.newCheckId()
  await service.database.rows(
    `update eligibility_check set status = 'PENDING', due_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
  expect(await finding(theirs, 'checks')).toEqual({
    what: 'checks',
    state: 'fault',
    says: '1 check is waiting, the oldest for 2 hours: is a worker running?',
  })
  expect(await finding(mine, 'checks')).toMatchObject({ state: 'ok' })
})

it('reports suspended payers to the organization that uses them', async () => {
  const [mine, theirs] = [await service.newCaller(), await service.newCaller()]
  const key = { organizationId: theirs.organizationId, connection: 'none', payerId: '60054' }
  for (let outage = 0; outage < 5; outage++) service.deps.breaker.record(key, 'outage', 5)
  expect(await finding(theirs, 'payers')).toMatchObject({ state: 'warning', says: expect.stringContaining('60054') })
  expect(await finding(mine, 'payers')).toMatchObject({ state: 'ok' })
})

it('names five suspended payers, and counts the others', async () => {
  const caller = await service.newCaller()
  const suspend = (payerId: string) => {
    const key = { organizationId: caller.organizationId, connection: 'none', payerId }
    for (let outage = 0; outage < 5; outage++) service.deps.breaker.record(key, 'outage', 5)
  }
  for (const payerId of ['P1', 'P2', 'P3', 'P4', 'P5']) suspend(payerId)
  expect((await finding(caller, 'payers'))?.says).not.toContain('more')
  suspend('P6')
  expect((await finding(caller, 'payers'))?.says).toMatch(/ and 1 more\.$/)
})

it('reports storage that does not answer', async () => {
  const caller = await service.newCaller()
  const { open } = service.deps.storage
  service.deps.storage.open = async () => Promise.reject(new Error('gone'))
  expect(await finding(caller, 'storage')).toMatchObject({ state: 'fault' })
  service.deps.storage.open = open
})

it('says of a webhook that fails that it does, and reports it after an hour or once it was disabled', async () => {
  const caller = await service.newCaller()
  expect(await finding(caller, 'webhooks')).toMatchObject({ state: 'ok', says: 'None is failing.' })
  await caller.call('POST', '/anteroom/v1/webhooks', { url: 'https://hooks.example.com/x', event_types: ['*'] })
  await caller.call('POST', '/anteroom/v1/webhooks', { url: 'https://hooks.example.com/y', event_types: ['*'] })
  const set = (changed: string, path: string) =>
    service.database.rows(`update webhook set ${changed} where organization_id = $1 and url like $2`, [
      caller.organizationId,
      `%/${path}`,
    ])
  await set("failing_since = now() - interval '20 minutes'", 'x')
  expect(await finding(caller, 'webhooks')).toMatchObject({ state: 'ok', says: '1 failing for 20 minutes: retried.' })
  await set("failing_since = now() - interval '2 hours'", 'y')
  expect(await finding(caller, 'webhooks')).toMatchObject({
    state: 'warning',
    says: '2 failing, the first for 2 hours; the list of webhooks says why.',
  })
  await set("enabled = false, disabled_at = now(), disabled_reason = 'gone'", 'y')
  expect(await finding(caller, 'webhooks')).toMatchObject({
    state: 'warning',
    says: '1 disabled by the service, 1 failing for 20 minutes; the list of webhooks says why.',
  })
})
