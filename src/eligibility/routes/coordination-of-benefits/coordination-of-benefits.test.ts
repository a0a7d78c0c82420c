import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { coordinationBody } from '../../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { type Clearinghouse, ClearinghouseError, type CobInquiry } from '../../../clearinghouses/clearinghouse.ts'
import { createCoreClearinghouse } from '../../../clearinghouses/core/core-clearinghouse.ts'
import { createStediClearinghouse } from '../../../clearinghouses/stedi/stedi-clearinghouse.ts'
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts'
import { stediUrlOf } from '../../../tools/sandbox/stedi/stedi-path.ts'

const NOW = new Date('2026-03-10T12:00:00.000Z')
let sandbox: Sandbox
/** The connector of the payer, and the organization's default. */
let ofPayer: Clearinghouse
let standard: Clearinghouse
const asked: CobInquiry[] = []

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: () => NOW })
})
afterAll(() => sandbox.close())

const connection = (clearinghouse: Clearinghouse) => ({ name: 'one', clearinghouse, retryForMs: 0 })
const service = testService(() => ({
  now: () => NOW,
  clearinghouses: {
    forPayer: async () => connection(ofPayer),
    standard: async () => connection(standard),
    named: async () => undefined,
  },
}))
const declared = endpoints.find(({ operation }) => operation === 'eligibilityChecks.coordinationOfBenefits')!

const core = () =>
  createCoreClearinghouse({ url: sandbox.url, senderId: 'ANTEROOM', receiverId: 'SANDBOX', timeoutMs: 30_000 })
const registry = (answer: object): Clearinghouse => ({
  name: 'registry',
  checkEligibility: () => Promise.reject(new Error('a registry is not asked for a check')),
  async coordinateBenefits(inquiry) {
    asked.push(inquiry)
    if (answer instanceof Error) throw answer
    return { ...answer }
  },
})
beforeEach(() => {
  asked.length = 0
  ofPayer = registry({})
  standard = core()
})

async function coordinate(caller: Caller, overrides: Record<string, unknown> = {}) {
  const reply = await caller.call(
    'POST',
    '/eligibility-checks/v1/coordination-of-benefits',
    coordinationBody(overrides),
  )
  if (reply.status === 200) expectDeclaredAnswer(declared, reply)
  return reply
}

const subscriber = (more: object = {}) => ({ ...coordinationBody().subscriber, ...more })
const about = (first_name: string, last_name: string, date_of_birth: string, member_id: string) => ({
  trading_partner_service_id: 'BCEXM',
  subscriber: { first_name, last_name, date_of_birth, member_id },
})
const grace = about('Grace', 'Sullivan', '1972-04-23', 'XEB204518833')

describe('POST /eligibility-checks/v1/coordination-of-benefits', () => {
  it("returns the registry's answer under the interface's names, with unchanged benefits", async () => {
    const benefitsInformation = [{ code: 'R', benefitsDateInformation: { coordinationOfBenefits: '2024-07-01' } }]
    ofPayer = registry({
      provider: { npi: '1999999984', providerName: 'Hale', providerFirstName: 'Nora' },
      subscriber: { memberId: 'W1', firstName: 'ANA', dateOfBirth: '1984-02-29', address: { address1: '1 MAIN ST.' } },
      dependent: { firstName: 'LEO', relationToSubscriber: 'Child', relationToSubscriberCode: '19' },
      payer: { name: 'NORTHWIND', payerIdentification: '60054' },
      planDateInformation: { planBegin: '2024-01-01', planEnd: '2026-12-31' },
      benefitsInformation,
      coordinationOfBenefits: {
        classification: 'CobInstanceExistsPrimacyDetermined',
        instanceExists: true,
        primacyDetermined: true,
        coverageOverlap: true,
        benefitOverlap: true,
      },
      errors: [],
      meta: { traceId: 'x' },
    })
    const { body } = await coordinate(await service.newCaller())
    expect(body).toEqual({
      provider: { npi: '1999999984', provider_name: 'Hale', provider_first_name: 'Nora' },
      subscriber: {
        member_id: 'W1',
        first_name: 'ANA',
        date_of_birth: '1984-02-29',
        address: { address_1: '1 MAIN ST.' },
      },
      dependent: { first_name: 'LEO', relation_to_subscriber: 'Child', relation_to_subscriber_code: '19' },
      payer: { name: 'NORTHWIND', payer_identification: '60054' },
      plan_date_information: { plan_begin: '2024-01-01', plan_end: '2026-12-31' },
      benefits_information: benefitsInformation,
      coordination_of_benefits: {
        classification: 'CobInstanceExistsPrimacyDetermined',
        instance_exists: true,
        primacy_determined: true,
        coverage_overlap: true,
        benefit_overlap: true,
      },
    })
  })

  it('uses today in the calendar of the organization by default', async () => {
    const kiritimati = await service.newCaller({ timeZone: 'Pacific/Kiritimati' })
    await coordinate(kiritimati, { subscriber: subscriber({ member_id: undefined, ssn: '900-12-3456' }) })
    await coordinate(kiritimati, {
      encounter: { beginning_date_of_service: '2024-03-11', end_date_of_service: '2026-03-11' },
    })
    expect(asked).toMatchObject([
      { subscriber: { ssn: '900123456' }, encounter: { dateOfService: '2026-03-11' } },
      { encounter: { beginningDateOfService: '2024-03-11', endDateOfService: '2026-03-11' } },
    ])
  })

  it('reports a member who is not in the registry as AAA 75 at the subscriber', async () => {
    const error = { field: 'AAA', code: '75', description: 'Subscriber/Insured Not Found' }
    ofPayer = registry({ subscriber: { firstName: 'ANA', aaaErrors: [error] } })
    const { status, body } = await coordinate(await service.newCaller())
    expect(status).toBe(200)
    expect(body.subscriber.aaa_errors).toMatchObject([{ 'code?': '75', code: '75' }])
    expect(body.errors).toEqual(body.subscriber.aaa_errors)
    expect(body).not.toHaveProperty('coordination_of_benefits')
  })

  it("takes the registry's own list of errors, which has those of all levels, instead of collecting them", async () => {
    const errors = [{ code: '42', description: 'Unable to Respond at Current Time' }]
    ofPayer = registry({ errors, subscriber: { firstName: 'ANA', aaaErrors: [{ code: '75' }] } })
    const { body } = await coordinate(await service.newCaller())
    expect(body.errors).toMatchObject(errors)
    expect(body.errors).toHaveLength(1)
    expect(body.subscriber.aaa_errors).toMatchObject([{ code: '75' }])
  })

  it('is a 200 with the reason in errors when the registry fails', async () => {
    ofPayer = registry(new ClearinghouseError('it is down', { code: 'HTTP 503', retryable: true }))
    const { status, body } = await coordinate(await service.newCaller())
    expect([status, body]).toEqual([
      200,
      { errors: [{ 'code?': 'HTTP 503', code: 'HTTP 503', 'description?': 'it is down', description: 'it is down' }] },
    ])
  })

  it("uses the registry of the organization's default when the payer's connector has none", async () => {
    ofPayer = core()
    standard = registry({ payer: { name: 'KNOWN THERE' } })
    expect((await coordinate(await service.newCaller())).body).toEqual({ payer: { name: 'KNOWN THERE' } })
  })

  it.each([
    [
      'neither member id nor SSN',
      { subscriber: subscriber({ member_id: '' }) },
      'subscriber.member_id or subscriber.ssn',
    ],
    ['an SSN of four digits', { subscriber: subscriber({ ssn: '9001' }) }, 'subscriber.ssn must be nine digits'],
    ['a date without hyphens', { subscriber: subscriber({ date_of_birth: '19840229' }) }, 'YYYY-MM-DD'],
    ['no birth date', { subscriber: subscriber({ date_of_birth: undefined }) }, 'subscriber.date_of_birth is required'],
    ['no encounter', { encounter: undefined }, 'encounter is required'],
    ['a provider without a name', { provider: { npi: '1234567893' } }, 'provider.organization_name'],
    ['half the name of a provider', { provider: { npi: '1234567893', last_name: 'Hale' } }, 'provider.first_name'],
    ['a day in the future', { encounter: { date_of_service: '2026-03-11' } }, 'must not be in the future'],
    ['a day of three years ago', { encounter: { date_of_service: '2024-03-09' } }, 'within the past 2 years'],
    ['an end without a beginning', { encounter: { end_date_of_service: '2026-03-01' } }, 'given together'],
    [
      'an end before its beginning',
      { encounter: { beginning_date_of_service: '2026-03-02', end_date_of_service: '2026-03-01' } },
      'must not be before',
    ],
    ['a dependent without birth date', { dependent: { first_name: 'Leo', last_name: 'R' } }, 'dependent.date_of_birth'],
  ])('returns 400 for %s, naming the field', async (_, overrides, words) => {
    const reply = await coordinate(await service.newCaller(), overrides)
    expectEnvelope(reply, 400)
    expect(reply.text).toContain(words)
    expect(asked).toEqual([])
  })
})

/** Source: x12-271.md 10, last sentence. */
describe('without a registry the payer itself is checked', () => {
  const flags = (exists: boolean, determined: boolean) => ({
    instance_exists: exists,
    primacy_determined: determined,
    coverage_overlap: exists,
    benefit_overlap: exists,
  })
  const fischer = about('Noah', 'Fischer', '2010-03-03', 'XEB204518834')
  const kowalski = about('Hannah', 'Kowalski', '1985-01-31', 'XEB204518837')

  it.each([
    ['names a primary payer', grace, 'CobInstanceExistsPrimacyDetermined', flags(true, true)],
    ['names another payer', fischer, 'CobInstanceExistsPrimacyUndetermined', flags(true, false)],
    ['names none', kowalski, 'MemberFoundNoCob', flags(false, false)],
  ])('over CORE and over Stedi, and its answer decides: it %s', async (_, inquiry, classification, flags) => {
    const caller = await service.newCaller()
    const { coordinateBenefits: _none, ...stedi } = createStediClearinghouse({
      url: stediUrlOf(sandbox.url),
      apiKey: 'any',
    })
    for (const clearinghouse of [core(), stedi]) {
      ofPayer = clearinghouse
      standard = clearinghouse
      const { body } = await coordinate(caller, inquiry)
      expect(body).toMatchObject({
        payer: { name: 'BLUE CROSS OF EXAMPLE' },
        subscriber: { member_id: inquiry.subscriber.member_id, date_of_birth: inquiry.subscriber.date_of_birth },
        plan_date_information: { plan_begin: '2015-01-01' },
        coordination_of_benefits: { classification, ...flags },
      })
      expect(body).not.toHaveProperty('errors')
      const codes = body.benefits_information.map(({ code }: { code: string }) => code)
      expect([...new Set(codes)].sort()).toEqual(flags.instance_exists ? ['1', 'R'] : ['1'])
    }
  })

  it.each([
    ['does not know the patient', { ...kowalski, subscriber: { ...kowalski.subscriber, first_name: 'Anna' } }, '75'],
    ['is not known', { ...kowalski, trading_partner_service_id: 'NOBODY' }, '79'],
  ])('and errors state why its answer is not conclusive: it %s', async (_, inquiry, code) => {
    ofPayer = core()
    const { status, body } = await coordinate(await service.newCaller(), inquiry)
    expect(status).toBe(200)
    expect(body.errors).toMatchObject([{ 'code?': code, code }])
    expect(body).not.toHaveProperty('coordination_of_benefits')
  })

  it('stores no check that was not requested', async () => {
    ofPayer = core()
    const caller = await service.newCaller()
    await coordinate(caller, grace)
    expect((await caller.call('GET', '/eligibility-checks/v1/get-multi')).body).toEqual({ items: [], total: 0 })
  })
})
