import { beforeEach, describe, expect, it } from 'vitest'
import { discoveryBody } from '../../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'
import { type Clearinghouse, ClearinghouseError, type DiscoveryInquiry } from '../../../clearinghouses/clearinghouse.ts'

let search: Clearinghouse['discoverInsurance']
let asked: DiscoveryInquiry[] = []
const clearinghouse: Clearinghouse = {
  name: 'registry',
  checkEligibility: () => Promise.reject(new Error('not called')),
  get discoverInsurance() {
    return search
  },
}
const service = testService(() => ({
  clearinghouses: singleConnection({ name: 'registry', clearinghouse, retryForMs: 0 }),
}))
const declared = endpoints.find(({ operation }) => operation === 'eligibilityChecks.insuranceDiscovery')!

function answerWith(answer: object) {
  search = async (inquiry) => {
    asked.push(inquiry)
    if (answer instanceof Error) throw answer
    return { ...answer }
  }
}
beforeEach(() => {
  asked = []
  answerWith({ status: 'COMPLETE', items: [], coveragesFound: 0 })
})

async function discover(caller: Caller, overrides: Record<string, unknown> = {}) {
  const reply = await caller.call('POST', '/eligibility-checks/v1/insurance-discovery', discoveryBody(overrides))
  if (reply.status === 200) expectDeclaredAnswer(declared, reply)
  return reply
}

const subscriber = (more: object) => ({ first_name: 'Ana', last_name: 'Rivera', ...more })

describe('POST /eligibility-checks/v1/insurance-discovery', () => {
  it('passes on the coverages found unchanged', async () => {
    const items = [
      { payer: { name: 'NORTHWIND' }, benefitsInformation: [{ code: '1' }], confidence: { level: 'HIGH' } },
    ]
    answerWith({ discoveryId: 'd-1', status: 'COMPLETE', coveragesFound: 1, items, errors: [], meta: {} })
    const { body } = await discover(await service.newCaller())
    expect(body).toEqual({ discovery_id: 'd-1', status: 'COMPLETE', coverages_found: 1, items })
  })

  it('sends all known values, under the names of the clearinghouse', async () => {
    const address = { address_1: '4 Quay St', city: 'Portland', state: 'ME', postal_code: '04101-1234' }
    const known = { date_of_birth: '19840229', ssn: '900-12-3456', gender: 'F', middle_name: '', address }
    await discover(await service.newCaller(), {
      subscriber: subscriber(known),
      dependent: { first_name: 'Leo', last_name: 'Rivera', ssn: '1234' },
      encounter: { beginning_date_of_service: '20260301', end_date_of_service: '20260302' },
    })
    expect(asked).toEqual([
      {
        provider: { npi: '1234567893' },
        subscriber: {
          firstName: 'Ana',
          lastName: 'Rivera',
          dateOfBirth: '19840229',
          ssn: '900123456',
          gender: 'F',
          address: { address1: '4 Quay St', city: 'Portland', state: 'ME', postalCode: '041011234' },
        },
        dependent: { firstName: 'Leo', lastName: 'Rivera', ssn: '1234' },
        encounter: { beginningDateOfService: '20260301', endDateOfService: '20260302' },
      },
    ])
  })

  it('sends names in plain letters, cut to the length that the clearinghouse accepts', async () => {
    const names = { first_name: ' José ', last_name: 'Wołodyjowska-Grabowiecka-Nowak', middle_name: 'Ünal' }
    await discover(await service.newCaller(), { subscriber: names, dependent: { first_name: 'Анна', last_name: 'Ж' } })
    expect(asked).toMatchObject([
      {
        subscriber: { firstName: 'Jose', lastName: 'Wolodyjowska-Grabowiecka-', middleName: 'Unal' },
        dependent: { firstName: 'Anna', lastName: expect.stringMatching(/^[A-Za-z]+$/) },
      },
    ])
  })

  it.each([
    [' Bartholomew Christophera Bo', 'Bartholomew Christophera'],
    ['  ', undefined],
  ])('sends the middle name %j without surrounding blanks, even when it was cut', async (middle_name, middleName) => {
    await discover(await service.newCaller(), { subscriber: subscriber({ middle_name }) })
    expect(asked.map((inquiry) => inquiry.subscriber.middleName)).toEqual([middleName])
  })

  it('returns errors besides the coverages found, under both spellings of their keys', async () => {
    const errors = [{ code: '42', description: 'Unable to Respond', followupAction: 'Resubmission Allowed', count: 3 }]
    answerWith({ status: 'COMPLETE', errors })
    const { body } = await discover(await service.newCaller())
    expect(body).toEqual({
      status: 'COMPLETE',
      items: [],
      coverages_found: 0,
      errors: [
        {
          'code?': '42',
          code: '42',
          'description?': 'Unable to Respond',
          description: 'Unable to Respond',
          'followupAction?': 'Resubmission Allowed',
          followupAction: 'Resubmission Allowed',
        },
      ],
    })
  })

  it('is COMPLETE with an error, and still a 200, when the search does not end', async () => {
    const failure = { code: 'Pending', retryable: true, detail: 'ask again' }
    answerWith(new ClearinghouseError('The search was still running after 55 s', failure))
    const { status, body } = await discover(await service.newCaller())
    expect([status, body.status, body.items, body.coverages_found]).toEqual([200, 'COMPLETE', [], 0])
    expect(body.errors).toMatchObject([
      {
        'code?': 'Pending',
        'description?': 'The search was still running after 55 s',
        possibleResolutions: 'ask again',
      },
    ])
  })

  it('reports a clearinghouse without insurance discovery', async () => {
    search = undefined
    const { status, body } = await discover(await service.newCaller())
    expect([status, body.status, body.coverages_found]).toEqual([200, 'COMPLETE', 0])
    expect(body.errors).toMatchObject([{ 'code?': 'NOT_OFFERED', code: 'NOT_OFFERED' }])
  })

  it.each([
    ['a provider without NPI', { provider: {} }, 'provider.npi'],
    ['a subscriber without last name', { subscriber: { first_name: 'Ana' } }, 'subscriber.last_name'],
    ['a date with hyphens', { subscriber: subscriber({ date_of_birth: '1984-02-29' }) }, 'YYYYMMDD'],
    [
      'a date that does not exist',
      { subscriber: subscriber({ date_of_birth: '19830229' }) },
      'subscriber.date_of_birth',
    ],
    ['an SSN of six digits', { subscriber: subscriber({ ssn: '900123' }) }, 'subscriber.ssn must be nine digits'],
    ['another gender', { subscriber: subscriber({ gender: 'X' }) }, 'subscriber.gender must be one of M, F'],
    ['a beginning without an end', { encounter: { beginning_date_of_service: '20260301' } }, 'given together'],
    [
      'one day and a range',
      {
        encounter: {
          date_of_service: '20260301',
          beginning_date_of_service: '20260301',
          end_date_of_service: '20260301',
        },
      },
      'not both',
    ],
    [
      'an end before its beginning',
      { encounter: { beginning_date_of_service: '20260302', end_date_of_service: '20260301' } },
      'must not be before',
    ],
  ])('returns 400 for %s, naming the field', async (_, overrides, words) => {
    const reply = await discover(await service.newCaller(), overrides)
    expectEnvelope(reply, 400)
    expect(reply.text).toContain(words)
    expect(reply.text).not.toMatch(/900123|1984|1983/)
    expect(asked).toEqual([])
  })

  it('stores neither the search nor its result', async () => {
    const caller = await service.newCaller()
    await discover(caller, { subscriber: subscriber({ ssn: '900123456' }) })
    const checks = await caller.call('GET', '/eligibility-checks/v1/get-multi')
    expect(checks.body).toEqual({ items: [], total: 0 })
  })
})
