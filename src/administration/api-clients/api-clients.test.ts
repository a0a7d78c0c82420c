// API clients as an administrator manages them over HTTP.
import { describe, expect, it } from 'vitest'
import { type Caller, testService } from '../../../test/support/service.ts'
import { readTrail } from '../../platform/audit/read-trail.ts'
import { verifyCredentials } from '../../platform/auth/clients.ts'

const service = testService()
const PATH = '/anteroom/v1/api-clients'

const create = (caller: Caller, scopes: string[], name = 'Front desk robot') =>
  caller.call('POST', PATH, { name, scopes })
const canSignIn = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
  (await verifyCredentials(service.database, client_id, client_secret)) !== undefined

describe('an administrator', () => {
  it('creates a client whose secret is shown once and works', async () => {
    const caller = await service.newCaller()
    const made = await create(caller, ['patients:read', 'patients:read'])
    expect(made.status, made.text).toBe(200)
    expect(await canSignIn(made.body)).toBe(true)
    const listed = await caller.call('GET', PATH)
    expect(listed.text).not.toContain(made.body.client_secret)
    expect(listed.body.at(-1)).toEqual({
      client_id: made.body.client_id,
      name: 'Front desk robot',
      scopes: ['patients:read'],
      revoked: false,
      created_at: expect.any(String),
    })
  })

  it('shows a client with all permissions as one with the scope all', async () => {
    const caller = await service.newCaller()
    const made = await create(caller, ['all'])
    expect(made.status, made.text).toBe(200)
    const { body } = await caller.call('GET', PATH)
    expect(body.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([['all'], ['all']])
  })

  it('lists the existing scopes, and which of them the caller may grant', async () => {
    const owner = await service.newCaller()
    const limited = await service.newCaller({ beside: owner, scopes: ['admin', '*:read'] })
    const { body } = await limited.call('GET', `${PATH}/scopes`)
    const grantable = Object.fromEntries(
      body.map(({ scope, grantable }: { scope: string; grantable: boolean }) => [scope, grantable]),
    )
    expect(grantable).toMatchObject({
      all: false,
      admin: true,
      '*:read': true,
      '*:write': false,
      'patients:read': true,
      'patients:write': false,
    })
  })

  it.each([[['patients:fly']], [['all', 'admin']], [[]], [['constructor']]])('cannot give %j', async (scopes) => {
    const caller = await service.newCaller()
    const reply = await create(caller, scopes)
    expect(reply.status, reply.text).toBe(400)
    expect(reply.body.content.message).toContain('scopes')
  })

  it('changes scopes, also for tokens already issued', async () => {
    const owner = await service.newCaller()
    const other = await service.newCaller({ beside: owner, scopes: ['patients:read'] })
    const path = `${PATH}/${other.credentials.client_id}`
    const changed = await owner.call('PUT', path, { scopes: ['tags:read'] })
    expect(changed.body).toMatchObject({ scopes: ['tags:read'], revoked: false })
    expect((await other.call('GET', '/tags/v1')).status).toBe(200)
  })

  it('rotates a secret, and both work for a day', async () => {
    const caller = await service.newCaller()
    const made = (await create(caller, ['admin'])).body
    const rotated = await caller.call('POST', `${PATH}/${made.client_id}/rotate-secret`)
    expect(rotated.status, rotated.text).toBe(200)
    expect(rotated.body.client_secret).not.toBe(made.client_secret)
    expect(await canSignIn(made)).toBe(true)
    expect(await canSignIn(rotated.body)).toBe(true)
    // Whoever lost the answer sees that a second rotation would end the secret in use.
    const inList = async () =>
      (await caller.call('GET', PATH)).body.find((each: { client_id: string }) => each.client_id === made.client_id)
    expect(Date.parse((await inList()).previous_secret_expires_at)).toBeGreaterThan(Date.now())
    await service.database.rows(
      `update client set previous_secret_expires_at = now() - interval '1 second' where id = $1`,
      [made.client_id],
    )
    expect(await inList()).not.toHaveProperty('previous_secret_expires_at')
  })

  it('revokes a client permanently', async () => {
    const caller = await service.newCaller()
    const made = (await create(caller, ['admin'])).body
    const revoked = await caller.call('POST', `${PATH}/${made.client_id}/revoke`)
    expect(revoked.body).toMatchObject({ revoked: true })
    expect(await canSignIn(made)).toBe(false)
    expect((await caller.call('POST', `${PATH}/${made.client_id}/rotate-secret`)).status).toBe(400)
  })

  it('finds each of these in the audit trail, with the client as its record', async () => {
    const caller = await service.newCaller()
    const { client_id } = (await create(caller, ['admin'])).body
    await caller.call('PUT', `${PATH}/${client_id}`, { scopes: ['tags:read'] })
    await caller.call('POST', `${PATH}/${client_id}/rotate-secret`)
    await caller.call('POST', `${PATH}/${client_id}/revoke`)
    await service.deps.audit.flush(caller.organizationId)
    const events = await readTrail(service.database, caller.organizationId, { limit: 10 })
    const ofClients = events.filter(({ record_type }) => record_type === 'client')
    expect(ofClients.map(({ operation }) => operation).reverse()).toEqual([
      'apiClients.create',
      'apiClients.update',
      'apiClients.rotateSecret',
      'apiClients.revoke',
    ])
    expect(JSON.stringify(ofClients)).toContain(client_id)
  })
})

describe('a caller cannot grant or obtain scopes beyond its own', () => {
  const attempts: [string, (limited: Caller, owner: Caller) => Promise<{ status: number }>][] = [
    ['create a client with all permissions', (limited) => create(limited, ['all'])],
    ['create a client that writes', (limited) => create(limited, ['admin', 'patients:write'])],
    ['create a client with a wildcard for later releases', (limited) => create(limited, ['*:write'])],
    [
      'widen their own scopes',
      (limited) => limited.call('PUT', `${PATH}/${limited.credentials.client_id}`, { scopes: ['all'] }),
    ],
    [
      'take the secret of a client that may do more',
      (limited, owner) => limited.call('POST', `${PATH}/${owner.credentials.client_id}/rotate-secret`),
    ],
  ]
  it.each(attempts)('refuses to %s', async (_what, attempt) => {
    const owner = await service.newCaller()
    const limited = await service.newCaller({ beside: owner, scopes: ['admin', 'patients:read'] })
    const stored = () => service.database.rows('select id, scopes, secret_hash from client order by id')
    const before = await stored()
    expect((await attempt(limited, owner)).status).toBe(403)
    expect(await stored()).toEqual(before)
  })

  it('refuses a client without the scope admin', async () => {
    const owner = await service.newCaller()
    const reader = await service.newCaller({ beside: owner, scopes: ['*:read', '*:write'] })
    expect((await reader.call('GET', PATH)).status).toBe(403)
  })
})

describe("another organization's client does not exist", () => {
  it.each(['PUT', 'rotate-secret', 'revoke'])('for %s', async (way) => {
    const [mine, theirs] = [await service.newCaller(), await service.newCaller()]
    const path = `${PATH}/${theirs.credentials.client_id}`
    const reply =
      way === 'PUT' ? await mine.call('PUT', path, { scopes: ['admin'] }) : await mine.call('POST', `${path}/${way}`)
    expect(reply.status).toBe(404)
    expect(await canSignIn(theirs.credentials)).toBe(true)
    expect((await mine.call('GET', PATH)).body).toHaveLength(1)
  })
})
