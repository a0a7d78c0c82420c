// The payer directory of a front desk: the sandbox's payers from the start, then a list from the command line.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, outputOf, runHere } from '../support/finished-command.ts'
import { publishedClient } from '../support/published-client.ts'
import { newClonePlace, runCommand, type StartedServer, startProgram, startServer } from '../support/started-server.ts'

import { bodyOf } from './requests.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
let server: StartedServer
let checks: CandidApiClient['preEncounter']['eligibilityChecks']['v1']

beforeAll(async () => {
  place = await newClonePlace()
  server = await startServer(place.settings)
  checks = publishedClient(server, await server.newCredentials()).preEncounter.eligibilityChecks.v1
})
afterAll(async () => {
  await server?.stop()
  await place?.remove()
})

const anteroom = (...args: string[]) => runHere(['payers', ...args], place.settings)

const succeed = (...args: string[]) => outputOf(anteroom(...args))

async function newList(text: string): Promise<string> {
  const path = join(place.settings.DATA_DIR ?? '', `list-${crypto.randomUUID()}.csv`)
  await writeFile(path, text)
  return path
}

const list = `"StediId","PrimaryPayerId","DisplayName","Names","Aliases","EligibilityInquiry","EligibilityInquiryEnrollmentRequired"
"QQQQA","91001","Lighthouse Mutual","Lighthouse|Beacon and Pier","LHM01|00911","true","false"
"QQQQB","91002","Lighthouse Mutual of Maine","","","true","true"
"QQQQC","91003","Quay, Harbor & Pier","","","false","false"
`

async function find(query?: string) {
  return bodyOf(await checks.payerSearch({ query }))
}

describe('the directory', () => {
  test('contains the payers of the sandbox without any command, and a check with a payer found in it succeeds', async () => {
    const { items, total } = await find('untied helthcare')
    expect(items[0]?.payer).toMatchObject({ primaryPayerId: '87726', stediId: expect.stringMatching(/^[A-Z]{5}$/) })
    expect(items[0]?.score).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(items.length)
    const payerId = (await find('atena')).items[0]?.payer.primaryPayerId ?? ''
    const subscriber = { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' }
    const check = bodyOf(await checks.post({ payerId, provider: { npi: '1999999984' }, subscriber }))
    expect(check.parsedResponse?.eligibilityStatus).toBe('ACTIVE')
  })

  test('is listed by name, page by page, forward and back', async () => {
    const first = bodyOf(await checks.payerSearch({ pageSize: 4 }))
    const second = bodyOf(await checks.payerSearch({ pageSize: 4, pageToken: first.nextPageToken }))
    const back = bodyOf(await checks.payerSearch({ pageSize: 4, pageToken: second.prevPageToken }))
    const names = [...first.items, ...second.items].map(({ payer }) => payer.displayName)
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)))
    expect([back.items, back.prevPageToken]).toEqual([first.items, undefined])
    expect([...first.items, ...second.items].map(({ score }) => score)).toEqual(Array(8).fill(0))
  })

  test('imports a list on the command line, which the running server uses at once', async () => {
    expect((await find('lighthouse')).items).toEqual([])
    const path = await newList(list)
    expect(await succeed('import', path)).toBe('added: 3\nchanged: 0\nunchanged: 0\nremoved: 0\n')
    expect(await succeed('import', path)).toBe('added: 0\nchanged: 0\nunchanged: 3\nremoved: 0\n')
    const { items, stats, total } = await find('ligthhouse mutal')
    expect(items.map(({ payer }) => payer.primaryPayerId)).toEqual(['91001', '91002'])
    expect(items[0]?.payer).toMatchObject({
      stediId: 'QQQQA',
      displayName: 'Lighthouse Mutual',
      aliases: ['LHM01', '00911'],
      names: ['Lighthouse', 'Beacon and Pier'],
      transactionSupport: { eligibilityCheck: 'SUPPORTED' },
    })
    expect([total, stats]).toEqual([
      2,
      { total: 2, transactionSupport: { eligibilityCheck: { supported: 1, notSupported: 0, enrollmentRequired: 1 } } },
    ])
    for (const id of ['91003', 'qqqqc'])
      expect((await find(id)).items[0]?.payer.displayName).toBe('Quay, Harbor & Pier')
    expect((await find('00911')).items[0]?.payer.stediId).toBe('QQQQA')
  })

  test('is searched and listed on the command line, as text and as JSON', async () => {
    await succeed('import', await newList('payer_id,name\n92001,Pharos Health\n'))
    expect(await succeed('search', 'phraos', 'helth')).toMatch(
      /^score +stedi_id +payer_id +eligibility +name\n\d+ +[A-Z]{5} +92001 +not known +Pharos Health\n/,
    )
    const found = JSON.parse(await succeed('search', 'pharos', '--json'))
    expect(found[0]).toMatchObject({ score: expect.any(Number), payer: { primary_payer_id: '92001', aliases: [] } })
    expect(await succeed('list')).toMatch(
      /^stedi_id +payer_id +eligibility +name\n(.*\n)*\S+ +92001 +not known +Pharos Health\n/,
    )
    const listed = JSON.parse(await succeed('list', '--json')) as { display_name: string }[]
    expect(listed.map(({ display_name }) => display_name)).toContain('AETNA')
  })

  test('imports the list of a connector, and with --replace keeps no other payer', async () => {
    const sandbox = await startProgram(['sandbox', '--port', '0'], {}, /^Sandbox clearinghouse on (\S+)\n/m)
    try {
      const { organization_id } = await server.newCredentials()
      const stedi = {
        CLEARINGHOUSE_KIND: 'stedi',
        CLEARINGHOUSE_URL: new URL('/2024-04-01', sandbox.address).href,
        CLEARINGHOUSE_API_KEY: 'test-key',
      }
      const sync = ['payers', 'sync', '--organization', organization_id, '--replace', '--json']
      const { code, stdout, stderr } = await runHere(sync, { ...place.settings, ...stedi })
      expect([code, stderr]).toEqual([0, ''])
      const { added, unchanged, unusable } = JSON.parse(stdout)
      expect([unchanged, unusable]).toEqual([0, 0])
      expect(added).toBeGreaterThanOrEqual(9)
      const all = bodyOf(await checks.payerSearch({ pageSize: 1000 }))
      expect(all.total).toBe(added)
      expect(all.items.map(({ payer }) => payer.displayName)).not.toContain('Lighthouse Mutual')
    } finally {
      await sandbox.stop()
    }
  })

  test('imports nothing from a list with an error, and reports its line', async () => {
    const path = await newList('payer_id,name\n93001,Cove Health\n,Bay Health\n')
    expectRefusal(await anteroom('import', path), 1, /^anteroom: line 3, column payer_id: it is empty\n$/)
    expect((await find('cove health')).items.map(({ payer }) => payer.displayName)).not.toContain('Cove Health')
  })
})

describe('a command that fails', () => {
  test.each([
    [[], 2, /import, list, search or sync/],
    [['import'], 2, /a CSV file or - is required/],
    [['import', '/nowhere/list.csv'], 1, /there is no file/],
    [['sync', '--organization', 'nobody'], 1, /no organization nobody/],
  ] as const)('%j ends with one line that says why', async (args, code, line) => {
    expectRefusal(await anteroom(...args), code, line)
  })

  test('sync reports that the connector has no list of payers', async () => {
    const { organization_id } = await server.newCredentials()
    expectRefusal(await anteroom('sync', '--organization', organization_id), 1, /does not list its payers/)
  })
})

test('the directory has no payers of the sandbox with a real clearinghouse', async () => {
  const own = await newClonePlace()
  const settings = { ...own.settings, CLEARINGHOUSE_URL: 'http://127.0.0.1:9/core' }
  try {
    const real = await startServer(settings)
    try {
      const client = publishedClient(real, await real.newCredentials())
      const { items, total } = bodyOf(await client.preEncounter.eligibilityChecks.v1.payerSearch())
      expect([items, total]).toEqual([[], 0])
      expect((await runCommand(['payers', 'list'], settings)).stdout).toBe('none\n')
    } finally {
      await real.stop()
    }
  } finally {
    await own.remove()
  }
})
