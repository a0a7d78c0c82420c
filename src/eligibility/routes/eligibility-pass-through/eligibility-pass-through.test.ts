import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, send, testService } from '../../../../test/support/service.ts'
import { badAuthorizations } from '../../../../test/support/tokens.ts'
import { createConnector, setRoute } from '../../../clearinghouses/connector-store.ts'
import { openClearinghouses } from '../../../clearinghouses/registry.ts'
import { createStandardConnection } from '../../../main/standard-connection.ts'
import { availityPath } from '../../../tools/sandbox/availity/availity-endpoints.ts'
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

const service = testService((deps) => ({
  clearinghouses: openClearinghouses(deps, createStandardConnection(deps.config, sandbox.url), 20),
}))

const jane = {
  payerId: '60054',
  providerNpi: '1999999984',
  memberId: 'AETNA12345',
  patientFirstName: 'Jane',
  patientLastName: 'Doe',
  patientBirthDate: '2004-04-04',
}
const path = '/api/eligibility/v2'
/** As the published client of Ruby writes the keys of a body. */
const inSnakeCase = (parameters: object) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
const queryOf = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

async function withAvaility(caller: Caller, name: string, settings: object = {}): Promise<void> {
  const { organizationId } = caller
  const given = {
    url: new URL(availityPath, sandbox.url).href,
    clientId: 'id',
    clientSecret: 's',
    pollMs: 100,
    ...settings,
  }
  await createConnector(service.deps, { organizationId, name, kind: 'availity', settings: given })
}

const storedOf = async ({ organizationId }: Caller) =>
  (await service.database.rows(
    'select status, request::text from eligibility_check where organization_id = $1 order by initiated_at',
    [organizationId],
  )) as [string, string][]

function expectDeprecated(headers: Record<string, unknown>): void {
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.link).toBe('</eligibility-checks/v1>; rel="successor-version"')
}

describe('GET and POST /api/eligibility/v2/{partner} through a connector other than Availity', () => {
  test.each([
    ['GET', 'availity'],
    ['GET', 'partner'],
    ['POST', 'availity'],
    ['POST in snake case', 'availity'],
  ] as const)('%s %s answers the coverage in Availity’s form and stores the check', async (method, partner) => {
    const caller = await service.newCaller()
    const sent = { ...jane, serviceType: ['30', '98'], ignored: true }
    const reply =
      method === 'GET'
        ? await caller.call('GET', `${path}/${partner}?${queryOf(jane)}&serviceType=30&serviceType=98`)
        : await caller.call('POST', `${path}/${partner}`, method === 'POST' ? sent : inSnakeCase(sent))
    expect(reply.status, reply.text).toBe(200)
    expectDeprecated(reply.headers)
    const { body } = reply
    expect(body).toMatchObject({ status: 'Complete', statusCode: '4', payer: { payerId: '60054' } })
    expect(body.patient).toMatchObject({ firstName: 'JANE', lastName: 'DOE', memberId: 'AETNA12345' })
    const [plan] = body.plans
    expect(plan).toMatchObject({ status: 'Active Coverage', statusCode: '1', planName: 'CHOICE PLUS PPO' })
    const visit = plan.benefits.find(({ type }: { type: string }) => type === '98')
    expect(visit.amounts.coPayment.inNetwork[0]).toMatchObject({ amount: '25', units: 'Dollars' })
    const all = plan.benefits.find(({ type }: { type: string }) => type === '30')
    expect(all.amounts.deductibles.inNetwork[0]).toMatchObject({ total: '1500', remaining: '900', levelCode: 'IND' })
    const [[status, request] = []] = await storedOf(caller)
    expect([status, JSON.parse(request ?? '{}')]).toEqual([
      'COMPLETED',
      {
        payer_id: '60054',
        provider: { npi: '1999999984' },
        subscriber: { member_id: 'AETNA12345', first_name: 'Jane', last_name: 'Doe', date_of_birth: '2004-04-04' },
        encounter: { service_type_codes: ['30', '98'] },
      },
    ])
  })

  test('inquires about a dependent under the subscriber’s member id', async () => {
    const { call } = await service.newCaller()
    const jordan = {
      ...jane,
      memberId: 'AETNA9wcSu',
      patientFirstName: 'Jordan',
      patientBirthDate: '2001-07-14T00:00:00.000Z',
      subscriberRelationship: '19',
    }
    const { body } = await call('POST', `${path}/availity`, jordan)
    expect(body).toMatchObject({ statusCode: '4', patient: { firstName: 'JORDAN' }, subscriber: { firstName: 'JOHN' } })
  })

  test('returns a rejection of the payer as validation messages', async () => {
    const { call } = await service.newCaller()
    const { status, body } = await call('GET', `${path}/availity?${queryOf({ ...jane, memberId: 'NOBODY' })}`)
    expect([status, body.statusCode, body.plans]).toEqual([200, '19', undefined])
    expect(body.validationMessages).toEqual([
      { field: 'memberId', code: '75', errorMessage: 'Subscriber/Insured Not Found' },
    ])
  })

  test('returns a clearinghouse failure as a communication error, and stores the check', async () => {
    const caller = await service.newCaller()
    const down = { url: 'http://127.0.0.1:9/core', senderId: 'A', receiverId: 'B' }
    const { organizationId } = caller
    await createConnector(service.deps, { organizationId, name: 'down', kind: 'core', settings: down })
    const { status, body } = await caller.call('POST', `${path}/down`, jane)
    expect([status, body.status]).toEqual([200, 'Communication Error'])
    expect(body.validationMessages[0].errorMessage).toMatch(/cannot be reached/)
    expect((await storedOf(caller)).map(([stored]) => stored)).toEqual(['FAILED'])
  })

  test.each([
    ['payerId', { payerId: undefined }],
    ['providerNpi', { providerNpi: null }],
    ['patientLastName', { patientLastName: '' }],
    ['patientFirstName', { patientFirstName: { deep: 'canary' } }],
    ['patientBirthDate', { patientBirthDate: '2004-02-30' }],
    ['asOfDate', { asOfDate: 'canary' }],
    ['memberId', { memberId: 'canary'.repeat(20) }],
    ['memberId', { memberId: ['canary', 'canary'] }],
    ['memberId', { memberId: undefined, patientBirthDate: undefined }],
    ['serviceType', { serviceType: ['canary'] }],
    ['patientLastName', { patientLastName: 'canary\u0000' }],
  ])('rejects %s that is missing or invalid, naming only the field: %j', async (fieldName, wrong) => {
    const caller = await service.newCaller()
    const reply = await caller.call('POST', `${path}/availity`, { ...jane, ...wrong })
    expect([reply.status, reply.body.errorName, reply.body.content.fieldName]).toEqual([
      422,
      'HttpRequestValidationError',
      fieldName,
    ])
    expect(Object.keys(reply.body.content).sort()).toEqual(['fieldName', 'humanReadableMessage'])
    expect(reply.text).not.toContain('canary')
    expectDeprecated(reply.headers)
    expect(await storedOf(caller)).toEqual([])
  })

  test.each([[undefined], ['[]'], ['null'], ['"text"'], ['5']])(
    'refuses %s as a body by what it lacks',
    async (body) => {
      const { call } = await service.newCaller()
      const reply = await call('POST', `${path}/availity`, body)
      expect([reply.status, reply.body.content]).toEqual([
        422,
        { fieldName: 'payerId', humanReadableMessage: 'payerId is required' },
      ])
    },
  )
})

describe('the partner', () => {
  test('is 404 without a connector of that name, even if another organization has one', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    await withAvaility(owner, 'portal')
    for (const name of ['portal', 'nobody', 'existing-checks']) {
      const reply = await stranger.call('GET', `${path}/${name}?${queryOf(jane)}`)
      expect([reply.status, reply.body.errorName]).toEqual([404, 'NotFoundError'])
      expectDeprecated(reply.headers)
    }
  })

  test('Availity receives unchanged parameters, and its coverage is returned unchanged', async () => {
    const caller = await service.newCaller()
    await withAvaility(caller, 'portal')
    const { status, body } = await caller.call('POST', `${path}/portal`, { ...jane, 'serviceType[]': ['30'] })
    expect([status, body.statusCode]).toEqual([200, '4'])
    expect(body.plans[0]).toMatchObject({ statusCode: '1', planName: 'CHOICE PLUS PPO' })
    expect(await storedOf(caller)).toEqual([])
  })

  test('availity is the default connector of any kind', async () => {
    const caller = await service.newCaller()
    await withAvaility(caller, 'portal')
    await setRoute(service.deps, { organizationId: caller.organizationId, connector: 'portal' })
    const { body } = await caller.call('GET', `${path}/availity?${queryOf({ ...jane, anything: 'else' })}`)
    expect(body.statusCode).toBe('4')
    expect(await storedOf(caller)).toEqual([])
  })

  test("a default connector that does not know this form leaves the choice to the organization's routes", async () => {
    const caller = await service.newCaller()
    const { organizationId } = caller
    const down = { url: 'http://127.0.0.1:9/core', senderId: 'A', receiverId: 'B' }
    await createConnector(service.deps, { organizationId, name: 'down', kind: 'core', settings: down })
    await setRoute(service.deps, { organizationId, payerId: jane.payerId, connector: 'down' })
    expect((await caller.call('POST', `${path}/availity`, jane)).body.status).toBe('Communication Error')
  })

  test('that rejects a field causes a 422 that names it', async () => {
    const caller = await service.newCaller()
    await withAvaility(caller, 'portal')
    const reply = await caller.call('POST', `${path}/portal`, { payerId: '60054' })
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        errorName: 'HttpRequestValidationError',
        content: { fieldName: 'providerNpi', humanReadableMessage: 'providerNpi is required' },
      },
    ])
  })

  test('that cannot be reached is reported as a communication error', async () => {
    const caller = await service.newCaller()
    await withAvaility(caller, 'portal', { url: 'http://127.0.0.1:9/v1' })
    const { status, body } = await caller.call('POST', `${path}/portal`, jane)
    expect([status, body.statusCode]).toEqual([200, '7'])
  })

  test('Availity answers the eligibility checks of its payers, decoded like those of other connectors', async () => {
    const caller = await service.newCaller()
    await withAvaility(caller, 'portal')
    await setRoute(service.deps, { organizationId: caller.organizationId, payerId: '60054', connector: 'portal' })
    const { body } = await caller.call('POST', '/eligibility-checks/v1', {
      payer_id: '60054',
      provider: { npi: '1999999984' },
      subscriber: { member_id: 'AETNA12345', first_name: 'Jane', last_name: 'Doe', date_of_birth: '2004-04-04' },
    })
    expect([body.errors, body.parsed_response.eligibility_status]).toEqual([undefined, 'ACTIVE'])
    expect(body.parsed_response.plan_metadata).toMatchObject({ plan_name: 'CHOICE PLUS PPO', payer_name: 'AETNA' })
    expect(body.response.benefitsInformation.length).toBeGreaterThan(10)
    expect(body.response.x12).toBeUndefined()
  })
})

test('every error marks the operation as deprecated, including that of an invalid token', async () => {
  for (const authorization of Object.values(await badAuthorizations(service))) {
    const headers = { ...(authorization !== undefined && { authorization }) }
    const reply = await send(service.app, { method: 'GET', url: `${path}/availity`, headers })
    expect(reply.status).toBe(401)
    expectDeprecated(reply.headers)
  }
})

describe('POST /api/eligibility/v2/existing-checks', () => {
  const wanted = {
    member_id: 'AETNA12345',
    payer_id: '60054',
    date_of_service: '2026-03-10T00:00:00.000Z',
    provider_npi: '1999999984',
  }
  const asOf = (asOfDate: string) => ({ ...jane, asOfDate })

  test('finds the successful checks of that member, payer, provider and day, the latest first', async () => {
    const caller = await service.newCaller()
    for (const day of ['2026-03-10', '2026-03-11', '2026-03-10'])
      await caller.call('POST', `${path}/availity`, asOf(day))
    await caller.call('POST', `${path}/availity`, { ...asOf('2026-03-10'), patientFirstName: 'Janet' })
    const { status, body, headers } = await caller.call('POST', `${path}/existing-checks`, wanted)
    expect([status, body.results.length, headers.deprecation]).toEqual([200, 2, undefined])
    expect(body.results[0]).toEqual({
      id: expect.any(String),
      dateOfService: '2026-03-10T00:00:00.000Z',
      payerId: '60054',
      providerNPI: '1999999984',
      status: 'ACTIVE',
    })
    expect(body.results[0].id > body.results[1].id).toBe(true)
  })

  test('names the dependent of a check', async () => {
    const { call } = await service.newCaller()
    const jordan = { memberId: 'AETNA9wcSu', patientFirstName: 'Jordan', patientBirthDate: '2001-07-14' }
    await call('POST', `${path}/availity`, { ...asOf('2026-03-10'), ...jordan, subscriberRelationship: '19' })
    const { body } = await call('POST', `${path}/existing-checks`, { ...wanted, member_id: 'AETNA9wcSu' })
    expect(body.results).toMatchObject([{ dependent: 'Jordan Doe', status: 'ACTIVE' }])
  })

  test('finds nothing of another organization, nor when one of the four differs', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    await owner.call('POST', `${path}/availity`, asOf('2026-03-10'))
    const others = [
      { member_id: 'X' },
      { payer_id: 'X' },
      { provider_npi: 'X' },
      { date_of_service: '2026-03-09T00:00:00Z' },
    ]
    const replies = [
      await stranger.call('POST', `${path}/existing-checks`, wanted),
      ...(await Promise.all(
        others.map((other) => owner.call('POST', `${path}/existing-checks`, { ...wanted, ...other })),
      )),
    ]
    for (const { body } of replies) expect(body).toEqual({ results: [] })
  })

  test.each(Object.keys(wanted))('requires %s', async (name) => {
    const { call } = await service.newCaller()
    const reply = await call('POST', `${path}/existing-checks`, { ...wanted, [name]: undefined })
    expect([reply.status, reply.body.errorName, reply.body.content[0].fieldName]).toEqual([
      422,
      'HttpRequestValidationsError',
      name,
    ])
  })
})
