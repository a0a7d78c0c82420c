// `POST /2026-06-01/eligibility-check`: the request, the meaning of its answers, and its failures.
import { describe, expect, test } from 'vitest'
import { answerText } from '../../../test/support/answers.ts'
import { clearinghouseServers } from '../../../test/support/clearinghouse-servers.ts'
import type { CheckRequest } from '../../eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../eligibility/inquiries/run-check.ts'
import type { Inquiry } from '../../x12/model.ts'
import { ClearinghouseError } from '../clearinghouse.ts'
import type { JsonObject } from '../json-values.ts'
import { createStediClearinghouse } from './stedi-clearinghouse.ts'
import type { StediSettings } from './stedi-settings.ts'

const { serveAlways, serveInTurn } = clearinghouseServers()
const at = new Date('2026-03-02T12:00:00.000Z')
const CHECK_ID = '0199a3c1-0000-7000-8000-000000000001'
const request: CheckRequest = {
  payerId: '61101',
  provider: { npi: '1999999984', organizationName: 'Clinic' },
  subscriber: { memberId: 'HUMANA123', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '1975-05-05' },
  dateOfService: '2026-03-02',
  serviceTypeCodes: ['30'],
}
const inquiry: Inquiry = {
  reference: 'REF1',
  traceNumber: 'TRACE1',
  payer: { id: '61101', name: 'Humana' },
  provider: request.provider,
  subscriber: request.subscriber,
  dateOfService: '2026-03-01',
  serviceTypeCodes: ['30', '98'],
}

const stc = (value: string, definition?: string) => ({ value, system: 'STC', ...(definition && { definition }) })
const active = (more: JsonObject = {}) => ({
  status: 'ACTIVE_COVERAGE',
  coverageLevel: 'INDIVIDUAL',
  service: stc('30', 'Health Benefit Plan Coverage'),
  ...more,
})
const subscriber = {
  memberId: 'HUMANA123',
  name: { person: { firstName: 'JANE', lastName: 'DOE' } },
  dateOfBirth: '1975-05-05',
  gender: 'FEMALE',
}
const payer = { type: 'PAYER', name: { organization: 'HUMANA' }, identification: '61101' }
const withStatuses = (...statuses: unknown[]) => answerOf({ plans: [{ benefits: { statuses } }] })
const answerOf = (more: JsonObject): JsonObject => ({ id: 'ec_1', payerId: '61101', payer, subscriber, ...more })

const connect = (url: string, settings: Partial<StediSettings> = {}) =>
  createStediClearinghouse({ url, apiKey: 'key-1', timeoutMs: 30_000, ...settings })

async function check(answer: JsonObject, asked: Partial<CheckRequest> = {}) {
  const url = await serveAlways(200, answer)
  return runCheck(
    connect(url),
    { ...request, ...asked },
    { organizationId: 'ORGANIZATION', checkId: CHECK_ID, controlNumber: 7, at },
  )
}
const statusOf = async (answer: JsonObject, asked: Partial<CheckRequest> = {}) =>
  (await check(answer, asked)).parsedResponse?.eligibility_status ?? 'UNKNOWN'

describe('the request', () => {
  test('contains the inquiry in the terms of the operation', async () => {
    const { url, asked } = await serveInTurn(withStatuses(active()))
    const { rawInquiry } = await connect(`${url}/2024-04-01`).checkEligibility(inquiry, { controlNumber: 7, at })
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/2026-06-01/eligibility-check' })
    expect(asked[0]?.json).toEqual({
      payerId: '61101',
      payerName: 'Humana',
      provider: { name: { organization: 'Clinic' }, npi: '1999999984' },
      subscriber: {
        name: { person: { firstName: 'Jane', lastName: 'Doe' } },
        dateOfBirth: '1975-05-05',
        memberId: 'HUMANA123',
      },
      encounter: {
        services: [stc('30'), stc('98')],
        dates: { service: { start: '2026-03-01' } },
      },
    })
    expect(JSON.parse(rawInquiry ?? '')).toEqual(asked[0]?.json)
  })

  test('names an individual provider, and a dependent with the relationship to the subscriber', async () => {
    const { url, asked } = await serveInTurn(withStatuses(active()))
    const provider = { npi: '1999999984', firstName: 'Ann', lastName: 'Doc' }
    const dependent = { firstName: 'Leo', lastName: 'Doe', gender: 'M', relationshipCode: '19' } as const
    await connect(url).checkEligibility({ ...inquiry, provider, dependent }, { controlNumber: 7, at })
    expect(asked[0]?.json).toMatchObject({
      provider: { name: { person: { firstName: 'Ann', lastName: 'Doc' } } },
      dependent: {
        name: { person: { firstName: 'Leo', lastName: 'Doe' } },
        gender: 'MALE',
        relationToSubscriber: 'CHILD',
      },
    })
  })

  test.each(['2024-04-01', '2026-06-01'] as const)(
    'of %s sends a dependent with the subscriber’s member id as a dependent, one with an own id as the subscriber',
    async (eligibilityVersion) => {
      const { url, asked } = await serveInTurn(withStatuses(active()))
      const ask = (memberId: string) => {
        const dependent = { firstName: 'Leo', lastName: 'Doe', memberId }
        const stedi = connect(url, { eligibilityVersion })
        return stedi.checkEligibility({ ...inquiry, dependent }, { controlNumber: 7, at })
      }
      await ask('HUMANA123')
      await ask('OWN1')
      const [same, own] = asked.map(({ json }) => json)
      expect([same.subscriber.memberId, same.dependents?.length ?? 1]).toEqual(['HUMANA123', 1])
      expect(same.dependent ?? same.dependents).toBeDefined()
      expect([own.subscriber.memberId, own.dependent, own.dependents]).toEqual(['OWN1', undefined, undefined])
    },
  )

  test('with an account at a payer’s portal goes to the older operation, which has a field for it', async () => {
    const { url, asked } = await serveInTurn({ x12: answerText('EB*1**30~') })
    const portal = { username: 'me', password: 'secret-word' }
    const { rawInquiry } = await connect(`${url}/2024-04-01`).checkEligibility(inquiry, {
      controlNumber: 7,
      at,
      portal,
    })
    expect(asked[0]).toMatchObject({ url: '/2024-04-01/change/medicalnetwork/eligibility/v3' })
    expect(asked[0]?.json).toMatchObject({ portalUsername: 'me', portalPassword: 'secret-word' })
    expect(rawInquiry).not.toContain('secret-word')
  })

  test('goes to the older operation or to another address according to the settings', async () => {
    const { url, asked } = await serveInTurn({ x12: answerText('EB*1**30~') })
    await connect(url, { eligibilityVersion: '2024-04-01' }).checkEligibility(inquiry, { controlNumber: 7, at })
    await connect(url, { eligibilityUrl: `${url}/elsewhere` }).checkEligibility(inquiry, { controlNumber: 7, at })
    expect(asked.map((each) => each.url)).toEqual(['/change/medicalnetwork/eligibility/v3', '/elsewhere'])
  })
})

describe('an answer', () => {
  test('is read in full: plan, dates, figures, notes, entities, and is shown as benefits', async () => {
    const { parsedResponse, response, rawResponse, answerForm } = await check(
      answerOf({
        subscriber: {
          ...subscriber,
          dates: { plan: { start: '2026-01-01' } },
          additionalInformation: { group: { number: '11223344', name: 'HARBOR' }, mbi: '1A22BB3CC44' },
        },
        plans: [
          {
            name: 'Humana Gold Plan',
            benefits: {
              statuses: [active({ insuranceType: 'PREFERRED_PROVIDER_ORGANIZATION_PPO', messages: ['Medicare PPO'] })],
              deductible: [
                {
                  amount: '250',
                  coverageLevel: 'INDIVIDUAL',
                  network: { indicator: 'IN_NETWORK' },
                  service: stc('30'),
                  timePeriod: 'CALENDAR_YEAR',
                },
              ],
              coPayment: [
                { amount: '35', coverageLevel: 'INDIVIDUAL', network: { indicator: 'IN_NETWORK' }, service: stc('98') },
              ],
              coInsurance: [
                {
                  percent: '0.2',
                  coverageLevel: 'INDIVIDUAL',
                  network: { indicator: 'OUT_OF_NETWORK' },
                  service: stc('98'),
                },
              ],
              limitations: [{ coverageLevel: 'INDIVIDUAL', service: stc('98'), serviceLimits: [{ ageMaximum: 26 }] }],
            },
          },
        ],
      }),
    )
    expect(parsedResponse).toMatchObject({
      eligibility_status: 'ACTIVE',
      plan_metadata: {
        payer_name: 'HUMANA',
        plan_name: 'Humana Gold Plan',
        insurance_type_code: 'PR',
        member_id: 'HUMANA123',
        group_number: '11223344',
        start_date: '2026-01-01',
        trading_partner: '61101',
      },
    })
    const benefits = JSON.stringify(parsedResponse?.benefits)
    expect(parsedResponse?.benefits?.plan_coverage?.in_network?.deductible).toEqual({ individual: 250 })
    for (const text of ['"copay":{"individual":35}', '"coinsurance":{"individual":20}', 'Medicare PPO', '26'])
      expect(benefits).toContain(text)
    expect(response).toMatchObject({
      benefitsInformation: expect.arrayContaining([expect.objectContaining({ code: '1' })]),
    })
    expect([answerForm, JSON.parse(rawResponse ?? '').id]).toEqual(['plans', 'ec_1'])
  })

  test('of several plans keeps the figures of each plan separate', async () => {
    const figure = (amount: string) => [
      { amount, coverageLevel: 'INDIVIDUAL', service: stc('30'), timePeriod: 'CALENDAR_YEAR' },
    ]
    const plan = (name: string, amount: string) => ({
      name,
      benefits: { statuses: [active()], deductible: figure(amount) },
    })
    const { parsedResponse } = await check(answerOf({ plans: [plan('GOLD', '500'), plan('DENTAL', '50')] }))
    expect(parsedResponse?.plan_metadata?.plan_name).toBe('GOLD')
    expect(parsedResponse?.benefits?.plan_coverage?.in_network?.deductible).toEqual({ individual: 500 })
  })

  test.each([
    ['an unknown status', withStatuses(active({ status: 'ACTIVE_MAYBE' }))],
    ['a status in X12’s own code', withStatuses(active({ status: '1' }))],
    ['no status', withStatuses(active({ status: null }))],
    ['a refusal of the subscriber beside it', { ...withStatuses(active()), errors: [aaa('75', 'SUBSCRIBER')] }],
    ['a refusal of the payer beside it', { ...withStatuses(active()), errors: [aaa('42', 'PAYER')] }],
    ['a rejection at an unknown location', { ...withStatuses(active()), errors: [aaa('75', 'ELSEWHERE')] }],
    ['a refusal without a place or code', { ...withStatuses(active()), errors: [{ description: 'no' }] }],
    ['a refusal in words alone', { ...withStatuses(active()), errors: [{ message: 'no' }] }],
    ['no plans at all', answerOf({ plans: [] })],
    ['plans that are none', answerOf({ plans: [null, 'x', { benefits: null }, { benefits: { statuses: 'ACTIVE' } }] })],
    [
      'X12 that says active, while the JSON refuses',
      { x12: answerText('EB*1**30~'), payer, errors: [aaa('75', 'SUBSCRIBER')] },
    ],
    [
      'another person’s birth date',
      { ...withStatuses(active()), subscriber: { ...subscriber, dateOfBirth: '1999-09-09' } },
    ],
    [
      'another person’s name',
      {
        ...withStatuses(active()),
        subscriber: { ...subscriber, name: { person: { firstName: 'PAUL', lastName: 'ROE' } } },
      },
    ],
  ])('with %s is never ACTIVE', async (_, answer) => {
    expect(await statusOf(answer as JsonObject)).toBe('UNKNOWN')
  })

  test.each([
    ['ended', { plan: { start: '2020-01-01', end: '2025-12-31' } }],
    ['ended, with a beginning that cannot be read', { plan: { start: 'n/a - x', end: '2025-12-31' } }],
    ['ended, in a person’s spelling', { plan: { start: '2020-1-1', end: '12/31/2025' } }],
    ['ended, the end alone', { eligibility: { end: '2025-12-31' } }],
    ['begins later', { policy: { start: '2027-01-01' } }],
    ['ended with death', { dateOfDeath: { end: '2025-12-31' } }],
    ['ended, as a text', { dateOfDeath: '2025-12-31' }],
  ])('about a coverage that %s is INACTIVE', async (_, dates) => {
    expect(await statusOf({ ...withStatuses(active()), subscriber: { ...subscriber, dates } })).toBe('INACTIVE')
    if (!('dateOfDeath' in dates) && !('policy' in dates))
      expect(await statusOf(withStatuses(active({ dates })))).toBe('INACTIVE')
  })

  test.each([
    ['a service by its code', stc('88')],
    ['a service by its name', { definition: 'Pharmacy' }],
    ['a service without code and name', { system: 'STC' }],
    ['a procedure', { system: 'CDT', value: 'D0120' }],
    ['a range of procedures', { system: 'CPT', range: { start: { value: '99201' }, end: { value: '99215' } } }],
    ['a procedure of an unknown code system', { system: 'LOINC', value: '30' }],
  ])('that is active only for %s reports that, and makes no visit READY', async (_, service) => {
    const { parsedResponse, readinessIssues } = await check(withStatuses(active({ service })))
    expect(parsedResponse?.eligibility_status).toBe('ACTIVE')
    expect(readinessIssues?.map(({ kind }) => kind)).toEqual(['NO_COVER_FOR_SERVICE'])
  })

  test('is inactive when all its plans are, and active when one is', async () => {
    const inactive = active({ status: 'INACTIVE' })
    expect(await statusOf(withStatuses(inactive))).toBe('INACTIVE')
    expect(await statusOf(withStatuses(inactive, active()))).toBe('ACTIVE')
  })

  test('that rejects the dependent gives the dependent no benefit of the subscriber', async () => {
    const dependent = { name: { person: { firstName: 'LEO', lastName: 'DOE' } }, dateOfBirth: '2010-01-01' }
    const answer = { ...withStatuses(active()), dependent, errors: [aaa('67', 'DEPENDENT')] }
    const asked = { dependent: { firstName: 'Leo', lastName: 'Doe', dateOfBirth: '2010-01-01' } }
    expect(await check(answer, asked)).toMatchObject({
      status: 'FAILED',
      errors: [{ errorDetails: { code: '67', location: 'Loop 2100D' } }],
    })
    expect(await statusOf({ ...answer, errors: [] }, asked)).toBe('ACTIVE')
  })

  test('that rejects one benefit keeps the others', async () => {
    expect(await statusOf({ ...withStatuses(active()), errors: [aaa('33', 'SUBSCRIBER_BENEFITS')] })).toBe('ACTIVE')
  })

  test('that returns another member id and marks it as changed is a correction', async () => {
    const maintenance = { indicator: 'PAYER_INDICATED' }
    const returned = { ...subscriber, memberId: 'HUMANA999', maintenance }
    const { requestCorrections } = await check({ ...withStatuses(active()), subscriber: returned })
    expect(requestCorrections).toEqual([
      { property: 'subscriber.member_id', request_value: 'HUMANA123', corrected_value: 'HUMANA999' },
    ])
  })

  test('that contains X12 is read from it, unless the X12 is truncated', async () => {
    const member = 'HL*3*2*22*0~NM1*IL*1*DOE*JANE****MI*HUMANA123~DMG*D8*19750505*F~'
    const x12 = answerText('EB*6**30~', member)
    expect(await statusOf({ ...withStatuses(active()), x12 })).toBe('INACTIVE')
    const cut = await check({ ...withStatuses(active()), x12: x12.slice(0, x12.indexOf('EB*')) })
    expect([cut.status, cut.outage]).toEqual(['FAILED', { isAnswered: false }])
  })

  test('that the payer could not provide now is retried', async () => {
    const { status, outage, errors } = await check(answerOf({ errors: [aaa('42', 'PAYER')] }))
    expect([status, outage, errors[0]?.errorDetails]).toMatchObject(['FAILED', { isAnswered: true }, { code: '42' }])
  })
})

function aaa(code: string, location: string) {
  return { code, description: 'Why', followupAction: 'Please Correct and Resubmit', location }
}

describe('a failed answer', () => {
  const failureOf = async (status: number, body: object | string, headers: Record<string, string> = {}) => {
    const url = await serveAlways(status, body, headers)
    const error = await connect(url)
      .checkEligibility(inquiry, { controlNumber: 7, at })
      .catch((caught: unknown) => caught)
    if (!(error instanceof ClearinghouseError)) throw new Error('expected a ClearinghouseError', { cause: error })
    return error
  }

  test('names the rejected fields, and no value', async () => {
    const errors = [
      { path: '/subscriber/memberId', message: "Value 'HUMANA123' is not valid" },
      { path: '/provider/npi', message: 'Must have ten digits' },
    ]
    const error = await failureOf(400, { message: 'The request is not valid.', errors })
    expect(error).toMatchObject({ code: 'HTTP 400', retryable: false, detail: expect.stringContaining('ten digits') })
    expect(error.message).toContain('subscriber.memberId, provider.npi')
    expect(error.message).not.toContain('HUMANA123')
  })

  test('reports that the payer is unknown', async () => {
    const errors = [{ path: '/payerId', message: 'Payer NOTAPAYER is not configured' }]
    const error = await failureOf(400, { message: 'The request is not valid.', errors })
    expect(error).toMatchObject({ code: '79', retryable: false, message: expect.stringContaining('payer id') })
  })

  test.each([
    [400, { message: 'The request body could not be parsed.' }, false],
    [401, { message: 'The request credentials are missing or not valid.' }, false],
    [403, { message: 'Forbidden' }, false],
    [404, { message: 'Not found' }, false],
    [413, { message: 'Too large' }, false],
    [429, { message: 'Slow down' }, true],
    [500, { message: 'Failed unexpectedly' }, true],
    [503, 'Service Unavailable', true],
    [504, { message: 'Gateway timeout' }, true],
    [200, '<html></html>', true],
    [200, '', true],
    [200, '{"plans": [', true],
    [200, { hello: 'world' }, false],
    [200, { x12: '', plans: [] }, false],
  ])('HTTP %s %j is a failure, retryable: %s', async (status, body, retryable) => {
    expect((await failureOf(status, body)).retryable).toBe(retryable)
  })

  test('keeps the time to wait', async () => {
    expect(await failureOf(429, { message: 'Slow down' }, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7000 })
  })
})

/** Every field of the published description, each with a distinct text or a value of its enumeration. */
describe('an answer of very many benefits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ service: stc(`s${index}`) }))
  const errorsOf = async (benefits: JsonObject) => {
    const { errors, parsedResponse } = await check(answerOf({ plans: [{ benefits }] }))
    return [errors.map(({ errorDetails }) => errorDetails.code), parsedResponse?.eligibility_status]
  }

  test('is read within the bounds of an answer to one inquiry', async () => {
    expect(await errorsOf({ statuses: [active()], nonCovered: many(2_000) })).toEqual([[], 'ACTIVE'])
  })

  test.each<[string, JsonObject]>([
    ['in its lists', { statuses: [active()], limitations: many(3_000), nonCovered: many(3_000) }],
    ['in entries that are found contradictory', { statuses: [active()], invalidEntries: { nonCovered: many(6_000) } }],
    ['in the limits of one entry', { statuses: [active({ serviceLimits: Array(6_000).fill({ ageMaximum: '19' }) })] }],
    [
      'in notes that each of its limits repeats',
      {
        statuses: [active()],
        nonCovered: [
          { service: stc('98'), messages: Array(20_000).fill('A'), serviceLimits: Array(300).fill({ ageMaximum: 1 }) },
        ],
      },
    ],
  ])('beyond those bounds is rejected before it is parsed: %s', async (_, benefits) => {
    expect(await errorsOf(benefits)).toEqual([['AnswerTooLarge'], undefined])
  })

  test('beyond those bounds in the name of the plan, which each benefit repeats, is rejected before it is parsed', async () => {
    const plan = (name: string) => ({ name, benefits: { statuses: [active()], nonCovered: many(1_000) } })
    const { errors } = await check(answerOf({ plans: [plan('GOLD'.repeat(2_000)), plan('SILVER')] }))
    expect(errors.map(({ errorDetails }) => errorDetails.code)).toEqual(['AnswerTooLarge'])
  })

  test('is rejected in the earlier form, too', async () => {
    const benefitsInformation = Array(6_000).fill({ code: '1', serviceTypeCodes: ['30'] })
    const { errors } = await check({ subscriber: { memberId: 'HUMANA123' }, benefitsInformation })
    expect(errors.map(({ errorDetails }) => errorDetails.code)).toEqual(['AnswerTooLarge'])
  })
})
