import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { realisticPayers, somePayer } from '../../../../test/support/payer-names.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'
import { importPayers } from '../../../payers/directory.ts'
import { openDatabase } from '../../../platform/database/database-pool.ts'

/** The clearinghouse of each organization, by its id. */
const clearinghouses = new Map<string, string>()
const service = testService(() => ({
  clearinghouses: {
    ...singleConnection(connection('real')),
    standard: async (organizationId) => connection(clearinghouses.get(organizationId) ?? 'real'),
  },
}))
const search = endpoints.find(({ operation }) => operation === 'eligibilityChecks.payerSearch')!
const payers = realisticPayers()
let caller: Caller

beforeAll(async () => {
  await importPayers(service.database, payers)
  caller = await service.newCaller()
})

function connection(name: string) {
  return {
    name,
    clearinghouse: { name, checkEligibility: () => Promise.reject(new Error('not asked')) },
    retryForMs: 0,
  }
}

async function find(query: Record<string, string>, by = caller) {
  const reply = await by.call('GET', `/eligibility-checks/v1/payer/search?${new URLSearchParams(query)}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(search, reply)
  return reply.body
}

const namesOf = ({ items }: { items: { payer: { display_name: string } }[] }) =>
  items.map(({ payer }) => payer.display_name)

describe('GET /eligibility-checks/v1/payer/search', () => {
  it('finds the payer despite a typing mistake, with the fields of the interface', async () => {
    const { items, total } = await find({ query: 'atena' })
    const aetna = payers.find(({ display_name }) => display_name === 'Aetna')
    expect(items[0]).toEqual({ score: expect.any(Number), payer: aetna })
    expect(total).toBeGreaterThanOrEqual(items.length)
  })

  it('returns ten at a time by default, and never more than a thousand', async () => {
    expect((await find({})).items).toHaveLength(10)
    expect((await find({ page_size: '25' })).items).toHaveLength(25)
    const all = await find({ page_size: '100000' })
    expect([all.items.length, all.next_page_token]).toEqual([payers.length, undefined])
    const none = await find({ page_size: '0' })
    expect([none.items, none.total, none.next_page_token]).toEqual([[], payers.length, undefined])
  })

  it.each<Record<string, string>>([{}, { query: 'blue cros' }])(
    'is walked forward and back without a gap, %j',
    async (query) => {
      const whole = await find({ ...query, page_size: '1000' })
      const forward: unknown[] = []
      let page = await find({ ...query, page_size: '20' })
      expect(page.prev_page_token).toBeUndefined()
      for (;;) {
        forward.push(...page.items)
        expect([page.total, page.stats]).toEqual([whole.total, whole.stats])
        if (!page.next_page_token) break
        page = await find({ ...query, page_size: '20', page_token: page.next_page_token })
      }
      expect(forward).toEqual(whole.items)
      const backward: unknown[] = [...page.items]
      while (page.prev_page_token) {
        page = await find({ ...query, page_size: '20', page_token: page.prev_page_token })
        backward.unshift(...page.items)
      }
      expect(backward).toEqual(whole.items)
    },
  )

  it('counts in stats how many of all payers found support each transaction', async () => {
    const { stats, total } = await find({ query: 'medicaid' })
    const { items } = await find({ query: 'medicaid', page_size: '1000' })
    const enrolled = items.filter(
      ({ payer }: { payer: { transaction_support: Record<string, string> } }) =>
        payer.transaction_support.eligibilityCheck === 'ENROLLMENT_REQUIRED',
    ).length
    expect(enrolled).toBeGreaterThan(0)
    expect(stats).toEqual({
      total,
      transactionSupport: {
        eligibilityCheck: { supported: total - enrolled, notSupported: 0, enrollmentRequired: enrolled },
      },
    })
  })

  it('finds nothing for nonsense', async () => {
    expect(await find({ query: 'qwzx vbnmk' })).toEqual({
      items: [],
      stats: { total: 0, transactionSupport: {} },
      total: 0,
    })
  })

  it('accepts a page token for its own query and organization only', async () => {
    const { next_page_token } = await find({ query: 'blue' })
    const refuse = async (by: Caller, query: Record<string, string>) =>
      expectEnvelope(await by.call('GET', `/eligibility-checks/v1/payer/search?${new URLSearchParams(query)}`), 400)
    await refuse(caller, { query: 'green', page_token: next_page_token })
    await refuse(caller, { page_token: next_page_token })
    await refuse(caller, { query: 'blue', page_token: `${next_page_token}x` })
    await refuse(await service.newCaller(), { query: 'blue', page_token: next_page_token })
  })

  it.each(['-1', '1.5', 'ten'])('with the page size %s is 400', async (page_size) => {
    const reply = await caller.call('GET', `/eligibility-checks/v1/payer/search?page_size=${page_size}`)
    expectEnvelope(reply, 400)
  })

  it('immediately reflects imports, changes and removals by another process', async () => {
    const elsewhere = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
    try {
      const harbor = somePayer(9001, { display_name: 'Lighthouse Mutual' })
      expect(namesOf(await find({ query: 'lighthouse' }))).toEqual([])
      await importPayers(elsewhere.systemDatabase, [harbor])
      expect(namesOf(await find({ query: 'lighthuose' }))).toEqual(['Lighthouse Mutual'])
      await importPayers(elsewhere.systemDatabase, [{ ...harbor, display_name: 'Beacon Mutual' }])
      expect(namesOf(await find({ query: 'lighthouse' }))).toEqual([])
      await importPayers(elsewhere.systemDatabase, payers, { replace: true })
      expect(namesOf(await find({ query: 'beacon mutual' }))).not.toContain('Beacon Mutual')
    } finally {
      await elsewhere.close()
    }
  })

  it('keeps the position in the list when payers are added between two pages', async () => {
    const first = await find({ query: 'delta dental', page_size: '5' })
    const rest = await find({ query: 'delta dental', page_size: '1000', page_token: first.next_page_token })
    await importPayers(service.database, [somePayer(9002, { display_name: 'Delta Dental of Aaland' })])
    const later = await find({ query: 'delta dental', page_size: '1000', page_token: first.next_page_token })
    expect(namesOf(later).filter((name) => name !== 'Delta Dental of Aaland')).toEqual(namesOf(rest))
    await importPayers(service.database, payers, { replace: true })
  })
})

describe('the payers of the sandbox', () => {
  it('are in the directory only when the sandbox is the clearinghouse', async () => {
    const inSandbox = await service.newCaller()
    clearinghouses.set(inSandbox.organizationId, 'sandbox')
    const { items } = await find({ query: 'SBTEST' }, inSandbox)
    expect(items).toMatchObject([
      {
        payer: {
          stedi_id: expect.stringMatching(/^[A-Z]{5}$/),
          display_name: 'SANDBOX FAULTS',
          primary_payer_id: 'SBTEST',
          transaction_support: { eligibilityCheck: 'SUPPORTED' },
        },
      },
    ])
    expect((await find({ query: 'SBTEST' })).items).toEqual([])
    expect((await find({ query: 'sandbox faults' })).items).toEqual([])
  })

  it('are replaced by a payer of the table with the same id', async () => {
    const inSandbox = await service.newCaller()
    clearinghouses.set(inSandbox.organizationId, 'sandbox')
    await importPayers(service.database, [
      somePayer(9003, { display_name: 'Aetna of Harbor', primary_payer_id: '60054' }),
    ])
    const { items } = await find({ query: '60054' }, inSandbox)
    expect(
      items.filter(({ payer }: { payer: { primary_payer_id: string } }) => payer.primary_payer_id === '60054'),
    ).toHaveLength(1)
    expect(items[0].payer.display_name).toBe('Aetna of Harbor')
  })
})
