import { describe, expect, it } from 'vitest'
import { type Caller, send, testService } from '../../../test/support/service.ts'
import { updateOrganization } from '../auth/clients.ts'

const service = testService()
const PAGE = 'https://desk.example.com'
/** As the published client sends them. */
const HEADERS = 'authorization,content-type,x-fern-language,x-fern-sdk-version'

async function allowing(origins: string[]): Promise<Caller> {
  const caller = await service.newCaller()
  await updateOrganization(service.database, caller.organizationId, { allowed_origins: origins })
  return caller
}

const preflight = (origin: string) =>
  send(service.app, {
    method: 'OPTIONS',
    url: '/notes/v1/x/1',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': HEADERS },
  })

it('no page of another origin may call the service unless an organization allows it', async () => {
  const caller = await service.newCaller()
  const reply = await caller.call('GET', '/notes/v1/x', undefined, { origin: 'https://evil.example.com' })
  expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  const asked = await preflight('https://evil.example.com')
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([405, undefined])
})

describe('an origin that an organization allows', () => {
  it('passes the preflight, and may read only the answers of that organization, including refusals', async () => {
    const origin = `https://${crypto.randomUUID()}.example.com`
    const [caller, other] = [await allowing([PAGE, origin]), await service.newCaller()]
    // A new origin takes effect within seconds.
    await expect.poll(async () => (await preflight(origin)).status).toBe(204)
    const asked = await preflight(origin)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': HEADERS,
    })
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
    const made = await caller.call('POST', '/notes/v1', { value: 'x' }, { origin })
    expect([made.status, made.headers['access-control-allow-origin'], made.headers.vary]).toEqual([
      200,
      origin,
      'Origin',
    ])
    const missing = await caller.call('GET', '/notes/v1/x', undefined, { origin })
    expect([missing.status, missing.headers['access-control-allow-origin']]).toEqual([404, origin])
    const foreign = await other.call('POST', '/notes/v1', { value: 'x' }, { origin })
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
    const nobody = await send(service.app, { method: 'GET', url: '/notes/v1/x', headers: { origin } })
    expect([nobody.status, nobody.headers['access-control-allow-origin']]).toEqual([401, origin])
  })
})
