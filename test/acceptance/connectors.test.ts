// An organization's own connectors: configured and tested on the command line, then used through the published client.
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, outputOf, runHere } from '../support/finished-command.ts'
import { publishedClient } from '../support/published-client.ts'
import {
  type Credentials,
  newClonePlace,
  packageRoot,
  runCommand,
  type StartedProgram,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/started-server.ts'

import { activeCheck, bodyOf, errorOf } from './requests.ts'

let place: Awaited<ReturnType<typeof newClonePlace>>
let server: StartedServer
let other: StartedProgram
let otherUrl: string
let credentials: Credentials
let client: CandidApiClient

beforeAll(async () => {
  place = await newClonePlace()
  ;[server, other] = await Promise.all([
    startServer(place.settings),
    startProgram(['sandbox', '--port', '0'], {}, /^Sandbox clearinghouse on (.+)\n/m),
  ])
  otherUrl = new URL(other.address).origin
  credentials = await server.newCredentials()
  client = publishedClient(server, credentials)
  await create('partner-core', 'core', { url: `${otherUrl}/core`, senderId: 'HARBOR', receiverId: 'PARTNER' })
  await create('portal', 'availity', {
    url: `${otherUrl}/availity/v1`,
    clientId: 'id',
    clientSecret: 's3cret-portal',
    pollMs: 100,
  })
})
afterAll(async () => {
  await Promise.all([server?.stop(), other?.stop()])
  await place?.remove()
})

const anteroom = (args: string[], input = '') =>
  input === '' ? runHere(args, place.settings) : runCommand(args, place.settings, input)

const succeed = (args: string[], input = '') => outputOf(anteroom(args, input))

/** Passes the settings on standard input, as a secret store does. */
async function create(name: string, kind: string, settings: object): Promise<string> {
  const args = ['connector', 'create', credentials.organization_id, name, '--kind', kind, '--settings', '-']
  return succeed(args, JSON.stringify(settings))
}

const jane = {
  payerId: '60054',
  providerNpi: '1999999984',
  memberId: 'AETNA12345',
  patientFirstName: 'Jane',
  patientLastName: 'Doe',
  patientBirthDate: '2004-04-04',
  asOfDate: '2026-03-10',
}

describe('on the command line', () => {
  test('connectors are listed and shown without their secrets', async () => {
    const list = JSON.parse(await succeed(['connector', 'list', credentials.organization_id, '--json']))
    expect(list).toContainEqual(expect.objectContaining({ name: 'partner-core', kind: 'core' }))
    expect(list).toContainEqual(expect.objectContaining({ name: 'portal', kind: 'availity' }))
    expect(JSON.stringify(list)).not.toContain('s3cret')
    const shown = await succeed(['connector', 'show', credentials.organization_id, 'portal'])
    expect(shown).toMatch(/^settings\.clientSecret: \(set\)$/m)
    expect(shown).not.toContain('s3cret')
  })

  test('settings can come from a file, with certificates in separate files', async () => {
    const path = join(place.settings.DATA_DIR ?? '', 'partner.json')
    const pem = (name: string) => join(packageRoot, 'test', 'support', 'tls', name)
    const tls = { caFile: pem('authority.pem'), certFile: pem('client.pem'), keyFile: pem('client-key.pem') }
    await writeFile(path, JSON.stringify({ url: 'https://core.example/rt', senderId: 'A', receiverId: 'B', tls }))
    await chmod(path, 0o600)
    const { organization_id } = await server.newCredentials()
    await succeed(['connector', 'create', organization_id, 'tls', '--kind', 'core', '--settings', path, '--default'])
    const { settings, is_default } = JSON.parse(await succeed(['connector', 'show', organization_id, 'tls', '--json']))
    const cert = await readFile(pem('client.pem'), 'utf8')
    expect([is_default, settings.tls]).toEqual([true, { ca: expect.any(String), cert, key: '(set)' }])
  })

  test('connector test sends one harmless inquiry and explains the answer', async () => {
    const organization = credentials.organization_id
    for (const name of ['partner-core', 'portal']) {
      const said = await succeed(['connector', 'test', organization, name, '--payer', '60054'])
      expect(said).toMatch(/^works: true$/m)
      expect(said).toMatch(/AAA 75 Subscriber\/Insured Not Found\): the connection works/)
    }
  })

  test('connector test reports an unreachable address', async () => {
    const organization = credentials.organization_id
    const wrong = { url: 'http://127.0.0.1:9/core', senderId: 'A', receiverId: 'B' }
    await create('nobody', 'core', wrong)
    expectRefusal(
      await anteroom(['connector', 'test', organization, 'nobody', '--payer', '60054']),
      1,
      /cannot be reached/,
    )
    expectRefusal(await anteroom(['connector', 'test', organization, 'nobody']), 2, /--payer is required/)
    await succeed(['connector', 'remove', organization, 'nobody'])
  })

  test('connector test without an organization tests the connector of the settings, before there is a database', async () => {
    const elsewhere = (settings: Record<string, string>, ...args: string[]) =>
      runHere(['connector', 'test', ...args], { DATA_DIR: '/nowhere', CLEARINGHOUSE_NAME: 'of-settings', ...settings })
    const said = await outputOf(elsewhere({ CLEARINGHOUSE_URL: `${otherUrl}/core` }, '--payer', '60054'))
    expect(said).toMatch(/^name: of-settings\nworks: true\n.*the connection works/)
    const down = await elsewhere({ CLEARINGHOUSE_URL: 'http://127.0.0.1:9/core' }, '--payer', '60054')
    expectRefusal(down, 1, /of-settings: .* cannot be reached/)
    expectRefusal(await elsewhere({}), 1, /set CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND/)
    expectRefusal(await elsewhere({ NODE_ENV: 'production' }), 1, /set CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND/)
    expectRefusal(await elsewhere({ CLEARINGHOUSE_API_KEY: 's3cret' }), 1, /CLEARINGHOUSE_API_KEY has no effect/)
    expectRefusal(await elsewhere({}, credentials.organization_id), 2, /the name of a connector is required/)
  })

  test('connector test asks Stedi for its payers', async () => {
    const url = `${otherUrl}/2024-04-01`
    await create('stedi', 'stedi', { apiKey: 'key', url, managerUrl: url, payersUrl: url })
    const said = await succeed(['connector', 'test', credentials.organization_id, 'stedi'])
    expect(said).toMatch(/lists its payers.*the connection works/)
  })

  test('invalid settings are all reported at once, without their values', async () => {
    const args = ['connector', 'create', credentials.organization_id, 'wrong', '--kind', 'core', '--settings', '-']
    const refused = await anteroom(args, JSON.stringify({ url: 's3cret', pasword: 's3cret' }))
    expectRefusal(refused, 1, /url .*; |pasword is not a setting of core|senderId is required/)
    for (const name of ['url', 'pasword', 'senderId', 'receiverId']) expect(refused.stderr).toContain(name)
    expect(refused.stderr).not.toContain('s3cret')
    expectRefusal(await anteroom(args, '{"password": s3cret}'), 1, /not JSON$/m)
  })

  test.each([
    [['connector'], 2, /create, update, list, show, remove or test/],
    [['connector', 'create', 'x', 'y', '--kind', 'core'], 2, /--settings is required/],
    [['connector', 'list', 'nobody-has-this-name'], 1, /no organization/],
    [['route', 'set', 'x'], 2, /payer id/],
    [['route'], 2, /set, list or remove/],
  ] as const)('%j is refused with a line that says what is missing', async (args, code, line) => {
    expectRefusal(await anteroom([...args]), code, line)
  })
})

describe('the deprecated operations', () => {
  test('use the default connector and answer in Availity’s form, for a query and for a body', async () => {
    const byQuery = await client.eligibility.v2.submitEligibilityCheckAvaility({ queryParams: jane }).withRawResponse()
    const byBody = await client.eligibility.v2.submitEligibilityCheckAvailityPost(jane)
    for (const answer of [byQuery.data, byBody]) {
      expect(bodyOf(answer)).toMatchObject({ statusCode: '4', plans: [{ status: 'Active Coverage' }] })
    }
    expect(byQuery.rawResponse.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(byQuery.rawResponse.headers.get('link')).toContain('rel="successor-version"')
  })

  test('name the first missing field', async () => {
    const { payerId: _payerId, ...rest } = jane
    const refusals = [
      errorOf(await client.eligibility.v2.submitEligibilityCheckAvaility({ queryParams: rest })),
      errorOf(await client.eligibility.v2.submitEligibilityCheckAvailityPost(rest)),
    ]
    for (const { errorName, content } of refusals) {
      expect([errorName, content]).toEqual([
        'HttpRequestValidationError',
        { fieldName: 'payerId', humanReadableMessage: 'payerId is required' },
      ])
    }
  })

  test('find the checks that they created', async () => {
    await client.eligibility.v2.submitEligibilityCheckAvailityPost({ ...jane, asOfDate: '2026-04-20' })
    const wanted = {
      memberId: jane.memberId,
      payerId: jane.payerId,
      dateOfService: new Date('2026-04-20'),
      providerNpi: jane.providerNpi,
    }
    const { results } = bodyOf(await client.eligibility.v2.findAvailityEligibilityResults(wanted))
    expect(results).toMatchObject([{ dateOfService: new Date('2026-04-20'), payerId: '60054', status: 'ACTIVE' }])
  })
})

test("an inquiry is sent through the connector of the payer's route, with the payer id of that connector", async () => {
  const own = await server.newCredentials()
  const organization = own.organization_id
  const settings = { url: `${otherUrl}/availity/v1`, clientId: 'id', clientSecret: 's', pollMs: 100 }
  const args = ['connector', 'create', organization, 'portal', '--kind', 'availity', '--settings', '-']
  await succeed(args, JSON.stringify(settings))
  await succeed(['route', 'set', organization, 'OURS', 'portal', '--as', '60054'])
  const routes = JSON.parse(await succeed(['route', 'list', organization, '--json']))
  expect(routes).toEqual([{ payer_id: 'OURS', connector: 'portal', connector_payer_id: '60054' }])
  const checks = publishedClient(server, own).preEncounter.eligibilityChecks.v1
  const routed = bodyOf(await checks.post(activeCheck({ payerId: 'OURS' })))
  expect([routed.errors, routed.parsedResponse?.eligibilityStatus]).toEqual([undefined, 'ACTIVE'])
  // The sandbox of the settings does not know that id.
  const stranger = publishedClient(server, await server.newCredentials()).preEncounter.eligibilityChecks.v1
  expect(bodyOf(await stranger.post(activeCheck({ payerId: 'OURS' }))).errors).toBeDefined()
  await succeed(['route', 'remove', organization, 'OURS'])
})
