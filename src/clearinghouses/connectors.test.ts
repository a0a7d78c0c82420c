import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { createVault } from '../platform/crypto/encryption.ts'
import type { Connection } from './clearinghouses.ts'
import { findSettingsFaults } from './connector-kinds.ts'
import {
  createConnector,
  listConnectors,
  listRoutes,
  removeConnector,
  removeRoute,
  setRoute,
  showConnector,
  updateConnector,
} from './connector-store.ts'
import { openClearinghouses } from './registry.ts'

const service = testService()
const standard: Connection = {
  name: 'main',
  clearinghouse: { name: 'main', checkEligibility: async () => ({ rawResponse: '' }) },
  retryForMs: 0,
}
/** The connection with each organization's share of the concurrency limit. */
const theStandard = { name: 'main', retryForMs: 0, clearinghouse: { name: 'main' } }
const core = { url: 'https://core.example/rt', senderId: 'HARBOR', receiverId: 'PARTNER', password: 'p-s3cret' }
const availity = { clientId: 'id', clientSecret: 's3cret' }

async function open() {
  const { organizationId } = await service.newCaller()
  const { database, vault } = service.deps
  let now = 0
  const clearinghouses = openClearinghouses({ database, vault, clock: () => now }, standard, 20)
  const create = (name: string, kind = 'core', settings: unknown = core) =>
    createConnector({ database, vault }, { organizationId, name, kind, settings })
  const route = (connector: string, payerId?: string, connectorPayerId?: string) =>
    setRoute({ database, vault }, { organizationId, connector, payerId, connectorPayerId })
  const pass = (ms: number) => {
    now += ms
  }
  return { organizationId, deps: { database, vault }, clearinghouses, create, route, pass }
}

describe('the connector for an inquiry', () => {
  test('is that of the settings for an organization without its own', async () => {
    const { clearinghouses, organizationId } = await open()
    expect(await clearinghouses.forPayer(organizationId, '60054')).toMatchObject(theStandard)
    expect(await clearinghouses.standard(organizationId)).toMatchObject(theStandard)
    expect(await clearinghouses.named(organizationId, 'main')).toMatchObject(theStandard)
    expect(await clearinghouses.named(organizationId, 'other')).toBeUndefined()
  })

  test("is that of the payer's route, else the organization's default", async () => {
    const { clearinghouses, organizationId, create, route } = await open()
    await create('direct')
    await create('portal', 'availity', availity)
    await route('direct', '60054')
    await route('portal')
    const nameFor = async (payerId: string) => (await clearinghouses.forPayer(organizationId, payerId)).name
    expect([await nameFor('60054'), await nameFor('87726')]).toEqual(['direct', 'portal'])
    expect((await clearinghouses.standard(organizationId)).name).toBe('portal')
    expect((await clearinghouses.named(organizationId, 'direct'))?.clearinghouse.name).toBe('direct')
  })

  test('is never another organization’s, even under the same name', async () => {
    const [owner, stranger] = [await open(), await open()]
    await owner.create('direct')
    await owner.route('direct')
    await stranger.create('direct', 'availity', availity)
    const { database, vault } = service.deps
    const shared = openClearinghouses({ database, vault }, standard, 20)
    const [owned, strange] = [
      await shared.named(owner.organizationId, 'direct'),
      await shared.named(stranger.organizationId, 'direct'),
    ]
    expect(owned).not.toBe(strange)
    expect([owned?.clearinghouse.fetchCoverage, strange?.clearinghouse.fetchCoverage]).toEqual([
      undefined,
      expect.any(Function),
    ])
    expect(await shared.standard(stranger.organizationId)).toMatchObject(theStandard)
    expect(await shared.standard(randomUUID())).toMatchObject(theStandard)
  })

  test('sends the payer id that its clearinghouse uses', async () => {
    const { clearinghouses, organizationId, create, route } = await open()
    await create('direct', 'core', { ...core, url: 'http://127.0.0.1:9/core' })
    await route('direct', '60054', 'AET01')
    const { clearinghouse } = await clearinghouses.forPayer(organizationId, '60054')
    const inquiry = {
      reference: 'R',
      traceNumber: 'T',
      payer: { id: '60054' },
      provider: { npi: '1999999984' },
      subscriber: { memberId: 'M' },
      dateOfService: '2026-01-31',
      serviceTypeCodes: ['30'],
    }
    const failure = clearinghouse.checkEligibility(inquiry, { controlNumber: 1, at: new Date() })
    await expect(failure).rejects.toMatchObject({ rawInquiry: expect.stringContaining('*PI*AET01~') })
  })
})

describe('a change by another process', () => {
  test('takes effect within ten seconds, without a database query until then', async () => {
    const { clearinghouses, organizationId, create, route, pass } = await open()
    expect(await clearinghouses.forPayer(organizationId, '60054')).toMatchObject(theStandard)
    await create('direct')
    await route('direct', '60054')
    expect(await clearinghouses.forPayer(organizationId, '60054')).toMatchObject(theStandard)
    pass(9_999)
    expect((await clearinghouses.forPayer(organizationId, '60054')).name).toBe('direct')
  })

  test('without new settings keeps the connector, its concurrency limit and its connections; new settings create a new one', async () => {
    const { clearinghouses, organizationId, create, deps, pass } = await open()
    await create('direct')
    const first = await clearinghouses.named(organizationId, 'direct')
    pass(60_000)
    expect(await clearinghouses.named(organizationId, 'direct')).toBe(first)
    await updateConnector(deps, { organizationId, name: 'direct' }, { ...core, usage: 'T' })
    pass(60_000)
    expect(await clearinghouses.named(organizationId, 'direct')).not.toBe(first)
  })

  test('of the encryption key fails every check of the connector with an error that names the remedy', async () => {
    const { organizationId, create } = await open()
    await create('direct')
    const vault = createVault(randomBytes(32))
    const opened = openClearinghouses({ database: service.deps.database, vault }, standard, 20)
    const connection = await opened.named(organizationId, 'direct')
    await expect(connection?.clearinghouse.checkEligibility({} as never, {} as never)).rejects.toMatchObject({
      code: 'NotConfigured',
      retryable: false,
      message: expect.stringContaining('store them again'),
    })
  })

  test('while the database is unavailable fails the current call and is not cached', async () => {
    let isAway = true
    const database = {
      rowByKey: async () => {
        if (isAway) throw new Error('away')
        return undefined
      },
    }
    const opened = openClearinghouses({ database, vault: service.deps.vault }, standard, 20)
    await expect(opened.standard('o')).rejects.toThrow('away')
    isAway = false
    expect(await opened.standard('o')).toMatchObject(theStandard)
  })
})

describe('a stored connector', () => {
  test('stores no secret in plain text, and shows none', async () => {
    const { organizationId, create, deps } = await open()
    await create('direct')
    const [settings] = (await deps.database.row('select settings from connector where organization_id = $1', [
      organizationId,
    ])) as [string]
    expect(settings).toMatch(/^encrypted:/)
    const shown = await showConnector(deps, { organizationId, name: 'direct' })
    expect(shown).toMatchObject({ name: 'direct', kind: 'core', settings: { url: core.url, password: '(set)' } })
    expect(JSON.stringify(shown)).not.toContain('s3cret')
  })

  test('is listed by name, with the default marked', async () => {
    const { organizationId, create, route, deps } = await open()
    await create('portal', 'availity', availity)
    await create('direct')
    await route('portal')
    await route('direct', '60054', 'AET01')
    const shown = (await listConnectors(deps, organizationId)).map(({ name, is_default }) => [name, is_default])
    expect(shown).toEqual([
      ['direct', false],
      ['portal', true],
    ])
    expect(await listRoutes(deps, organizationId)).toEqual([
      { payer_id: 'default', connector: 'portal', connector_payer_id: null },
      { payer_id: '60054', connector: 'direct', connector_payer_id: 'AET01' },
    ])
  })

  test('is removed when no route uses it any more', async () => {
    const { organizationId, create, route, deps } = await open()
    await create('direct')
    await route('direct', '60054')
    const key = { organizationId, name: 'direct' }
    await expect(removeConnector(deps, key)).rejects.toThrow('routes use direct (60054)')
    await removeRoute(deps, organizationId, '60054')
    await removeConnector(deps, key)
    await expect(removeConnector(deps, key)).rejects.toThrow('there is no connector direct')
    await expect(removeRoute(deps, organizationId)).rejects.toThrow('there is no default route')
  })

  test.each([
    ['direct', 'carrier-pigeon', {}, /core, stedi, availity/],
    ['Direct', 'core', core, /lowercase letters/],
    ['availity', 'availity', availity, /choose another one/],
    ['existing-checks', 'core', core, /choose another one/],
    ['portal', 'stedi', { apiKey: 'key with blanks' }, /apiKey/],
  ])('is rejected as %s of kind %s', async (name, kind, settings, message) => {
    const { create } = await open()
    await expect(create(name, kind, settings)).rejects.toThrow(message)
  })

  test('is not replaced by creating it again, and a route requires its connector', async () => {
    const { create, route } = await open()
    await create('direct')
    await expect(create('direct')).rejects.toThrow('in use by another connector')
    await expect(route('other', '60054')).rejects.toThrow('there is no connector other')
  })
})

describe('invalid settings', () => {
  test.each([
    ['core', {}, ['url is required', 'senderId is required', 'receiverId is required']],
    [
      'core',
      { ...core, url: 'https://me:s3cret@x/', form: 's3cret', s3cret: 1, interchange: { senderQualifier: 's3cret' } },
      [
        's3cret is not a setting of core',
        expect.stringMatching(/^url /),
        'form must be one of soap12, soap11, mime',
        expect.stringMatching(/^interchange\.senderQualifier /),
      ],
    ],
    ['core', { ...core, interchange: { senderId: 'O`HARE' } }, [expect.stringMatching(/^interchange\.senderId /)]],
    ['core', { ...core, interchange: { receiverId: ' X' } }, [expect.stringMatching(/^interchange\.receiverId /)]],
    ['core', { ...core, interchange: { applicationSender: '  ' } }, [expect.stringMatching(/^interchange\.appl/)]],
    [
      'core',
      { ...core, senderId: 'HARBOR:1' },
      [expect.stringMatching(/^senderId .* interchange\.senderId must be set/)],
    ],
    ['core', { ...core, payerIds: { 60054: 'A*1' } }, [expect.stringMatching(/^payerIds\.60054 /)]],
    ['stedi', { apiKey: 5 }, ['apiKey must be string']],
    ['availity', { clientId: 'x' }, ['clientSecret is required']],
    ['availity', 'nothing', ['the settings must be object']],
  ] as const)('of kind %s are named all at once, without their values: %j', (kind, settings, faults) => {
    expect(findSettingsFaults(kind, settings).toSorted()).toEqual(expect.arrayContaining(faults.map((fault) => fault)))
    expect(findSettingsFaults(kind, settings)).toHaveLength(faults.length)
  })
})
