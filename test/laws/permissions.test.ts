// A client can do exactly what its scopes permit, for every operation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopesOf } from '../../src/platform/auth/roles.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { describeScopes, scopeOf } from '../../src/platform/http/scopes.ts'
import { eligibilityRequestBody } from '../support/bodies.ts'
import { endpoints, expectEnvelope, kindOf, pathVersion, urlOf, validBody } from '../support/operations.ts'
import { type Caller, deadClearinghouses, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))
const scopes = Object.keys(describeScopes(endpoints))

let owner: Caller
const clients = new Map<string, Caller>()
beforeAll(async () => {
  owner = await service.newCaller()
  for (const scope of scopes) {
    clients.set(`only ${scope}`, await service.newCaller({ beside: owner, scopes: [scope] }))
    clients.set(
      `but ${scope}`,
      await service.newCaller({ beside: owner, scopes: scopes.filter((each) => each !== scope) }),
    )
  }
})
afterAll(() => clients.clear())

it('every operation requires a scope, each resource has at most two, and the list is known', () => {
  expect(endpoints.filter(({ access }) => access === 'public')).toEqual([])
  expect(scopes).toEqual([...new Set(scopes)])
  expect(new Set(endpoints.map(scopeOf))).toEqual(new Set(scopes))
  expect(scopes.filter((scope) => !/^([a-z-]+:(read|write)|admin)$/.test(scope))).toEqual([])
})

it('the front desk or billing may write every kind of record except custom fields', () => {
  const granted = new Set([...scopesOf('front_desk'), ...scopesOf('billing')])
  const others = scopes.filter((scope) => scope.endsWith(':write') && !granted.has(scope))
  expect(others, 'grant it in src/platform/auth/roles.ts, or leave it to administrators').toEqual([
    'metadata-schemas:write',
  ])
})

it('the resources say in words what each of their scopes permits', () => {
  const said = endpoints.flatMap((endpoint) =>
    Object.keys(endpoint.permits ?? {}).map((accessType) => scopeOf({ ...endpoint, accessType: accessType as 'read' })),
  )
  expect(new Set([...said, 'admin'])).toEqual(new Set(scopes))
})

it('operations that only read require a read scope, and those that write or ask a payer do not', () => {
  const scopesBy = (take: (endpoint: Endpoint) => boolean) =>
    endpoints
      .filter((endpoint) => take(endpoint) !== scopeOf(endpoint).endsWith(':read'))
      .map(({ operation }) => operation)
  expect(scopesBy(({ method }) => method === 'GET').sort()).toEqual([
    'apiClients.getMulti',
    'apiClients.getScopes',
    'audit.getMulti',
    'connectors.get',
    'connectors.getMulti',
    'eligibility.findAvailityEligibilityResults',
    'eligibility.submitEligibilityCheckAvaility',
    'patientMerges.search',
    'payerRoutes.getMulti',
    'storedChecks.explainMessages',
    'storedChecks.getMessages',
    'systemHealth.get',
    'users.getMulti',
    'verificationRules.get',
  ])
})

/** A caller cannot create a user with more scopes than its own (src/resources/users/user.test.ts). */
const needsMore = new Set(['users.create'])

describe('a client that has all scopes but one', () => {
  const requests = new Map<Endpoint, Awaited<ReturnType<typeof goodRequest>>>()
  let before: string[][]
  beforeAll(async () => {
    for (const endpoint of endpoints) requests.set(endpoint, await goodRequest(endpoint))
    before = await everything()
  })
  // Once for all operations, because it reads all data. Which of them changed it is found by running one at a time (`-t`).
  afterAll(async () => {
    expect(await everything(), 'a refused request has changed something').toEqual(before)
  })

  it.each(endpoints)('$operation returns 403 naming that scope, and changes nothing', async (endpoint) => {
    const scope = scopeOf(endpoint)
    const request = requests.get(endpoint)!
    const reply = await clients.get(`but ${scope}`)!.call(endpoint.method, request.url, request.body)
    expectEnvelope(reply, 403)
    expect(reply.body.errorName).toBe('UnauthorizedError')
    expect(reply.body.content.message).toContain(scope)
    expect(reply.headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
  })
})

describe('a client that has only one scope', () => {
  it.each(endpoints)('$operation answers it like one with all scopes', async (endpoint) => {
    const limited = needsMore.has(endpoint.operation) ? owner : clients.get(`only ${scopeOf(endpoint)}`)!
    const request = await goodRequest(endpoint)
    const reply = await limited.call(endpoint.method, request.url, request.body)
    const another = await service.newCaller()
    const other = await goodRequest(endpoint, another)
    const wanted = await another.call(endpoint.method, other.url, other.body)
    expect([401, 403]).not.toContain(wanted.status)
    expect(reply.status, reply.text).toBe(wanted.status)
  })
})

it('a client that only reads reads everything and writes nothing', async () => {
  const reader = await service.newCaller({ beside: owner, scopes: ['*:read'] })
  for (const endpoint of endpoints) {
    const { status } = await reader.call(endpoint.method, urlOf(endpoint), endpoint.body && {})
    expect(status === 403, endpoint.operation).toBe(!scopeOf(endpoint).endsWith(':read'))
  }
})

it('a client without scopes can do nothing', async () => {
  const nobody = await service.newCaller({ beside: owner, scopes: [] })
  for (const endpoint of endpoints)
    expect((await nobody.call(endpoint.method, urlOf(endpoint), endpoint.body && {})).status).toBe(403)
})

it('403 is returned before anything else in a request is checked, and reveals nothing about records', async () => {
  const limited = clients.get('only tags:read')!
  const note = await owner.call('POST', '/notes/v1', { value: 'x' })
  const replies = [
    await limited.call('PUT', '/notes/v1/no-uuid/abc', 'not json'),
    await limited.call('PUT', `/notes/v1/${note.body.id}/1`, { value: 'y' }),
  ]
  expect(replies.map(({ status, text }) => [status, text])).toEqual([
    [403, replies[0]?.text],
    [403, replies[0]?.text],
  ])
})

/** A request that succeeds, where the operation has a record and a body. */
async function goodRequest(endpoint: Endpoint, caller = owner): Promise<{ url: string; body: unknown }> {
  const kind = kindOf(endpoint)
  // A list of requests, which no record's body is.
  const isBatch = endpoint.operation === 'eligibilityChecks.batch'
  const body = isBatch ? [eligibilityRequestBody()] : await validBody(endpoint, caller)
  if (!kind || !endpoint.path.includes(':')) return { url: urlOf(endpoint), body }
  const create = kind.endpoint('create')!
  const { body: record } = await caller.call('POST', urlOf(create), await kind.make(caller))
  const write = endpoint.operation.split('.')[1] as 'update' | 'deactivate' | 'reactivate'
  return { url: urlOf(endpoint, { ...record, version: pathVersion(kind, write, 1) }), body }
}

/** A digest of every row of the database, except call counts and the trail, which a refusal changes. */
async function everything(): Promise<string[][]> {
  const tables = await service.database.rows(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> 'call_window' and relname !~ '^audit_' order by 1`,
  )
  const digests = tables.map(
    ([table]) => `select '${table}', md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${table} t`,
  )
  return service.database.rows(`${digests.join(' union all ')} order by 1`)
}
