// Connectors and payer routes as an administrator manages them over HTTP.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectorBody } from '../../../test/support/bodies.ts'
import { somePayer } from '../../../test/support/payer-names.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { createConnector, readConnection, settingsPlace } from '../../clearinghouses/connector-store.ts'
import { openClearinghouses } from '../../clearinghouses/registry.ts'
import { importPayers } from '../../payers/directory.ts'
import { readTrail } from '../../platform/audit/read-trail.ts'
import { readNetworks } from '../../platform/outbound/public-address.ts'

const service = testService()
const PATH = '/anteroom/v1/connectors'
const ROUTES = '/anteroom/v1/payer-routes'

let partner: Server
let address: string
let asked = 0
let answer: () => { status: number; body: string } = () => ({ status: 401, body: '' })
beforeAll(async () => {
  partner = createServer((request, response) => {
    asked += 1
    request.resume()
    const { status, body } = answer()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => partner.once('listening', resolve))
  address = `http://127.0.0.1:${(partner.address() as AddressInfo).port}/core`
})
afterAll(() => {
  partner.closeAllConnections()
  partner.close()
})

const secretive = { username: 'clinic', password: 'a password of the partner' }

async function newConnector(caller: Caller, settings = {}): Promise<string> {
  const reply = await caller.call('POST', PATH, connectorBody({ ...secretive, ...settings }))
  expect(reply.status, reply.text).toBe(200)
  return reply.body.name
}

/** Creates a connector as an operator does on the command line. */
async function newOperatorConnector(caller: Caller, settings = {}): Promise<string> {
  const { name, kind, settings: core } = connectorBody({ ...secretive, url: address, ...settings })
  await createConnector(service.deps, { organizationId: caller.organizationId, name, kind, settings: core })
  return name
}

describe('an administrator', () => {
  it('creates, lists and reads connectors, and never sees a secret', async () => {
    const caller = await service.newCaller()
    const name = await newConnector(caller)
    const [list, one] = [await caller.call('GET', PATH), await caller.call('GET', `${PATH}/${name}`)]
    expect(list.body).toMatchObject([{ name, kind: 'core', is_default: false, public_only: true }])
    expect(one.body.settings).toMatchObject({ senderId: 'CLINIC', username: 'clinic', password: '(set)' })
    expect(list.text + one.text).not.toContain(secretive.password)
  })

  it('names the field of every invalid setting', async () => {
    const caller = await service.newCaller()
    const { body } = await caller.call('POST', PATH, {
      name: 'direct',
      kind: 'core',
      settings: { url: 'https://partner.invalid', apiKey: 'of another kind' },
    })
    expect(body.content.message).toMatch(
      /senderId is required.*receiverId is required.*apiKey is not a setting of core/,
    )
  })

  it.each([
    [{ usge: 'T' }, 'settings has the unknown key "usge"'],
    [{ tls: { caFile: '/etc/ca.pem' } }, 'settings.tls has the unknown key "caFile"'],
    [{ interchange: { senderID: 'X' } }, 'settings.interchange has the unknown key "senderID"'],
  ])('is told of a setting that does not exist, %j, and nothing is stored', async (more, message) => {
    const caller = await service.newCaller()
    const made = await caller.call('POST', PATH, connectorBody(more))
    expect([made.status, made.body.content.message]).toEqual([400, message])
    expect((await caller.call('GET', PATH)).body).toEqual([])
    const name = await newConnector(caller)
    const before = await storedSettings(caller, name)
    const { settings } = connectorBody(more)
    const changed = await caller.call('PUT', `${PATH}/${name}`, { settings })
    expect([changed.status, changed.body.content.message]).toEqual([400, message])
    expect(await storedSettings(caller, name)).toEqual(before)
  })

  it('reads a connector whose stored settings have a key that no longer exists', async () => {
    const caller = await service.newCaller()
    const name = await newConnector(caller)
    const { vault, database } = service.deps
    const { organizationId } = caller
    const stored = await storedSettings(caller, name)
    await database.rows('update connector set settings = $3 where organization_id = $1 and name = $2', [
      organizationId,
      name,
      vault.encrypt(JSON.stringify({ ...(stored as object), formerly: 1 }), settingsPlace({ organizationId, name })),
    ])
    expect((await caller.call('GET', PATH)).body).toMatchObject([{ name }])
    const read = await caller.call('GET', `${PATH}/${name}`)
    expect([read.status, read.body.settings]).toEqual([200, expect.objectContaining({ senderId: 'CLINIC' })])
  })

  it('keeps a stored secret that is given as (set)', async () => {
    const caller = await service.newCaller()
    const name = await newConnector(caller)
    const { settings } = (await caller.call('GET', `${PATH}/${name}`)).body
    const reply = await caller.call('PUT', `${PATH}/${name}`, { settings: { ...settings, usage: 'T' } })
    expect(reply.status, reply.text).toBe(200)
    expect(await storedSettings(caller, name)).toMatchObject({ usage: 'T', password: secretive.password })
  })

  it('sets, lists with the name of each payer that is known, and removes payer routes, the default among them', async () => {
    const caller = await service.newCaller()
    await importPayers(service.database, [somePayer(1, { display_name: 'Aetna', primary_payer_id: '60054' })])
    const name = await newConnector(caller)
    await caller.call('PUT', `${ROUTES}/default`, { connector: name })
    await caller.call('PUT', `${ROUTES}/60054`, { connector: name, connector_payer_id: 'AETNA' })
    await caller.call('PUT', `${ROUTES}/LOCAL77`, { connector: name })
    expect((await caller.call('GET', ROUTES)).body).toEqual([
      { payer_id: 'default', connector: name },
      { payer_id: '60054', payer_name: 'Aetna', connector: name, connector_payer_id: 'AETNA' },
      { payer_id: 'LOCAL77', connector: name },
    ])
    expect((await caller.call('DELETE', `${PATH}/${name}`)).status).toBe(400)
    for (const payer of ['default', '60054', 'LOCAL77'])
      expect((await caller.call('DELETE', `${ROUTES}/${payer}`)).status).toBe(200)
    expect((await caller.call('DELETE', `${ROUTES}/60054`)).status).toBe(404)
    expect((await caller.call('DELETE', `${PATH}/${name}`)).status).toBe(200)
    expect((await caller.call('GET', PATH)).body).toEqual([])
  })

  it('can change a payer route when the maximum number is reached', async () => {
    const caller = await service.newCaller()
    const connector = await newConnector(caller)
    await service.database.rows(
      `insert into payer_route (organization_id, payer_id, connector) select $1, 'P' || number, $2 from generate_series(1, 5000) number`,
      [caller.organizationId, connector],
    )
    const set = (payer: string) => caller.call('PUT', `${ROUTES}/${payer}`, { connector, connector_payer_id: '77' })
    expect((await set('P17')).body).toEqual({ payer_id: 'P17', connector, connector_payer_id: '77' })
    expect((await set('P5001')).body.content.message).toBe('an organization has at most 5000 payer routes')
  })

  it('finds each change in the audit trail, without settings', async () => {
    const caller = await service.newCaller()
    const name = await newConnector(caller)
    await caller.call('PUT', `${ROUTES}/60054`, { connector: name })
    await caller.call('DELETE', `${ROUTES}/60054`)
    await caller.call('DELETE', `${PATH}/${name}`)
    await service.deps.audit.flush(caller.organizationId)
    const events = await readTrail(service.database, caller.organizationId, { limit: 20 })
    expect(events.map(({ operation }) => operation).reverse()).toEqual([
      'connectors.create',
      'payerRoutes.set',
      'payerRoutes.remove',
      'connectors.remove',
    ])
    expect(JSON.stringify(events)).not.toMatch(/partner\.invalid|password/)
  })
})

describe('the test of a connector', () => {
  it('explains what the clearinghouse refused', async () => {
    const caller = await service.newCaller()
    const name = await newOperatorConnector(caller)
    answer = () => ({ status: 401, body: JSON.stringify({ message: 'no such account' }) })
    const reply = await caller.call('POST', `${PATH}/${name}/test`, { payer_id: '60054' })
    expect(reply.body).toEqual({ works: false, explanation: expect.stringContaining('credentials') })
  })

  it('requires a payer id when the clearinghouse cannot list its payers', async () => {
    const caller = await service.newCaller()
    const name = await newOperatorConnector(caller)
    const reply = await caller.call('POST', `${PATH}/${name}/test`, {})
    expect(reply.status).toBe(400)
    expect(reply.body.content.message).toContain('payer_id')
  })

  it("has its own time limit, regardless of the connector's settings", async () => {
    const caller = await service.newCaller()
    const name = await newOperatorConnector(caller, { timeoutMs: 600_000 })
    const slow = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => slow.once('listening', resolve))
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/core`
    const settings = { ...(await storedSettings(caller, name)), url }
    await createConnector(service.deps, { organizationId: caller.organizationId, name: 'slow', kind: 'core', settings })
    const { clearinghouse } = await readConnection(
      service.deps,
      { organizationId: caller.organizationId, name: 'slow' },
      { timeoutMs: 200 },
    )
    const asking = clearinghouse.checkEligibility(inquiry, { controlNumber: 1, at: new Date() })
    await expect(asking).rejects.toThrow('did not answer within 0.2 s')
    slow.closeAllConnections()
    slow.close()
  })
})

const inquiry = {
  reference: 'TEST',
  traceNumber: 'TEST',
  payer: { id: '60054' },
  provider: { npi: '1999999984', organizationName: 'CLINIC' },
  subscriber: { memberId: 'T1', firstName: 'A', lastName: 'B', dateOfBirth: '1980-01-01' },
  dateOfService: '2026-03-01',
  serviceTypeCodes: ['30'],
}

describe("an address that an organization chose cannot reach the service's own network", () => {
  it.each([
    'http://partner.invalid/core',
    'https://127.0.0.1/core',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.5:5432/',
    'https://[::1]/core',
    'https://[::ffff:127.0.0.1]/core',
    'https://2130706433/core',
    'https://0x7f.1/core',
  ])('%s is refused when it is stored', async (url) => {
    const caller = await service.newCaller()
    const reply = await caller.call('POST', PATH, connectorBody({ url }))
    expect(reply.status, reply.text).toBe(400)
    expect(reply.body.content.message).toContain('url must')
  })

  it.each(['url', 'eligibilityUrl', 'payersUrl', 'managerUrl'])(
    'every address of each kind is checked: %s',
    async (field) => {
      const caller = await service.newCaller()
      const settings = { apiKey: 'key', [field]: 'https://192.168.0.1/x' }
      const reply = await caller.call('POST', PATH, { name: 'stedi', kind: 'stedi', settings })
      expect(reply.status).toBe(400)
      expect(reply.body.content.message).toContain(`${field} must not lead to a private address`)
    },
  )

  it('a host name that resolves to a private address is refused when the connection is made', async () => {
    const caller = await service.newCaller()
    const url = `https://localhost:${new URL(address).port}/core`
    const name = await newConnector(caller, { url })
    const before = asked
    const reply = await caller.call('POST', `${PATH}/${name}/test`, { payer_id: '60054' })
    expect(reply.body).toEqual({ works: false, explanation: expect.stringContaining('[AddressRefused]') })
    await caller.call('PUT', `${ROUTES}/default`, { connector: name })
    const { deps } = service
    const common = {
      name: 'none',
      clearinghouse: { name: 'none', checkEligibility: async () => Promise.reject() },
      retryForMs: 0,
    }
    const { clearinghouse } = await openClearinghouses(deps, common, 1).forPayer(caller.organizationId, '60054')
    const asking = clearinghouse.checkEligibility(inquiry, { controlNumber: 1, at: new Date() })
    await expect(asking).rejects.toThrow('is not public')
    expect(asked).toBe(before)
  })

  it('a network that the operator allows can be reached, also over plain HTTP', async () => {
    const caller = await service.newCaller()
    service.deps.connectorNetworks = readNetworks('CONNECTOR_PRIVATE_NETWORKS', '127.0.0.0/8')
    const name = await newConnector(caller, { url: address })
    const before = asked
    await caller.call('POST', `${PATH}/${name}/test`, { payer_id: '60054' })
    service.deps.connectorNetworks = []
    expect(asked).toBe(before + 1)
  })

  it("an operator's connector to a private address can be changed, but not moved to another address", async () => {
    const caller = await service.newCaller()
    const name = await newOperatorConnector(caller)
    const { settings } = (await caller.call('GET', `${PATH}/${name}`)).body
    const changed = await caller.call('PUT', `${PATH}/${name}`, { settings: { ...settings, password: 'another one' } })
    expect(changed.body).toMatchObject({ public_only: false })
    const elsewhere = { ...settings, password: 'known', url: 'http://127.0.0.1:9/core' }
    expect((await caller.call('PUT', `${PATH}/${name}`, { settings: elsewhere })).status).toBe(400)
    const moved = { ...settings, password: 'known', url: 'https://partner.invalid/core' }
    expect((await caller.call('PUT', `${PATH}/${name}`, { settings: moved })).body).toMatchObject({ public_only: true })
  })
})

it.each([{ url: 'https://attacker.invalid/core' }, { tls: { ca: 'an authority that vouches for another' } }])(
  'a stored secret cannot be redirected to another address by a caller who may not read it: %j',
  async (change) => {
    const caller = await service.newCaller()
    const name = await newConnector(caller)
    const { settings } = (await caller.call('GET', `${PATH}/${name}`)).body
    const reply = await caller.call('PUT', `${PATH}/${name}`, { settings: { ...settings, ...change } })
    expect(reply.status, reply.text).toBe(400)
    expect(await storedSettings(caller, name)).not.toMatchObject(change)
  },
)

it.each([
  ['GET', '', undefined],
  ['PUT', '', { settings: {} }],
  ['POST', '/test', {}],
  ['DELETE', '', undefined],
] as const)("another organization's connector does not exist for %s%s", async (method, rest, body) => {
  const [mine, theirs] = [await service.newCaller(), await service.newCaller()]
  const name = await newConnector(theirs)
  expect((await mine.call(method, `${PATH}/${name}${rest}`, body)).status).toBe(404)
  expect((await mine.call('PUT', `${ROUTES}/60054`, { connector: name })).status).toBe(400)
})

async function storedSettings({ organizationId }: Caller, name: string): Promise<object> {
  const row = await service.database.row('select settings from connector where organization_id = $1 and name = $2', [
    organizationId,
    name,
  ])
  return JSON.parse(service.deps.vault.decrypt(row?.[0] ?? '', settingsPlace({ organizationId, name })))
}
