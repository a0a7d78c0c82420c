// Insurance discovery and coordination of benefits through the published client, on the built-in sandbox.
import type { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, errorOf } from './requests.ts'

// Bounds a search that never ends.
const TIMEOUT_MS = 3000

let server: StartedServer
let checks: CandidApiClient['preEncounter']['eligibilityChecks']['v1']

beforeAll(async () => {
  server = await startServerOnClone({ CLEARINGHOUSE_TIMEOUT_MS: String(TIMEOUT_MS) })
  checks = publishedClient(server, await server.newCredentials()).preEncounter.eligibilityChecks.v1
})
afterAll(() => server?.stop())

describe('insurance discovery', () => {
  type Request = Parameters<typeof checks.insuranceDiscovery>[0]
  const discover = (subscriber: Request['subscriber'], more: Partial<Request> = {}) =>
    checks.insuranceDiscovery({ provider: { npi: '1999999984' }, subscriber, ...more })
  const grace = { firstName: 'Grace', lastName: 'Sullivan', dateOfBirth: '19720423' }

  test('finds both coverages of a person, raw and with a confidence', async () => {
    const found = bodyOf(await discover({ ...grace, ssn: '900-45-1833', gender: 'F' }))
    expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 2, discoveryId: expect.any(String) })
    expect(found.errors).toBeUndefined()
    expect(found.items).toMatchObject([
      {
        payer: { name: 'BLUE CROSS OF EXAMPLE' },
        confidence: { level: 'HIGH' },
        benefitsInformation: expect.any(Array),
      },
      { payer: { name: 'CIGNA' }, dependent: { firstName: 'GRACE' } },
    ])
  })

  test('that finds nothing is complete and not an error', async () => {
    const found = bodyOf(await discover({ firstName: 'No', lastName: 'Body', dateOfBirth: '19900101' }))
    expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 0, items: [] })
    expect(found.errors).toBeUndefined()
  })

  test('waits for a slow search', async () => {
    const found = bodyOf(await discover({ firstName: 'Test', lastName: 'SLOW', dateOfBirth: '19800101' }))
    expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 1 })
  })

  test.each(['NEVER', 'HTML', 'HTTP', 'FAULT'])(
    'that fails (%s) returns the reason within the timeout of a client',
    async (lastName) => {
      const found = bodyOf(await discover({ firstName: 'Test', lastName, dateOfBirth: '19800101' }))
      expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 0, items: [] })
      expect(found.errors).toMatchObject([{ code: expect.any(String), description: expect.any(String) }])
    },
  )

  test('with an invalid date is a 400 in the envelope that does not repeat it', async () => {
    const error = errorOf(await discover({ ...grace, dateOfBirth: '1972-04-23' }))
    expect(error.content).toMatchObject({ statusCode: 400, body: { errorName: 'BadRequestError' } })
    expect(JSON.stringify(error.content)).not.toContain('1972')
  })
})

describe('coordination of benefits', () => {
  type Request = Parameters<typeof checks.coordinationOfBenefits>[0]
  const coordinate = (payerId: string, subscriber: Request['subscriber'], more: Partial<Request> = {}) =>
    checks.coordinationOfBenefits({
      tradingPartnerServiceId: payerId,
      provider: { organizationName: 'Harbor Clinic', npi: '1999999984' },
      subscriber,
      encounter: {},
      ...more,
    })
  const member = (firstName: string, lastName: string, dateOfBirth: string, memberId: string) => ({
    firstName,
    lastName,
    dateOfBirth,
    memberId,
  })
  const hannah = member('Hannah', 'Kowalski', '1985-01-31', 'XEB204518837')

  /** Source: rules.md 13.11. */
  test.each([
    ['BCEXM', hannah, 'MemberFoundNoCob', 'ffff'],
    ['62308', member('Elena', 'Petrova', '1991-05-17', 'U7712345601'), 'CoverageOverlapNoBenefitOverlap', 'fftf'],
    ['87726', member('Priya', 'Raman', '1984-03-09', 'UHC900100200'), 'CoverageOverlapExistsNotSubjectToCob', 'fftt'],
    ['BCEXM', member('Noah', 'Fischer', '2010-03-03', 'XEB204518834'), 'CobInstanceExistsPrimacyUndetermined', 'tftt'],
    ['BCEXM', member('Grace', 'Sullivan', '1972-04-23', 'XEB204518833'), 'CobInstanceExistsPrimacyDetermined', 'tttt'],
  ])('at %s of %j is %s', async (payerId, subscriber, classification, flags) => {
    const found = bodyOf(await coordinate(payerId, subscriber))
    const [instanceExists, primacyDetermined, coverageOverlap, benefitOverlap] = [...flags].map((flag) => flag === 't')
    expect(found.coordinationOfBenefits).toEqual({
      classification,
      instanceExists,
      primacyDetermined,
      coverageOverlap,
      benefitOverlap,
    })
    expect(found.errors).toBeUndefined()
    expect(found).toMatchObject({
      provider: { npi: '1999999984', providerOrgName: 'Harbor Clinic' },
      subscriber: { memberId: subscriber.memberId, dateOfBirth: subscriber.dateOfBirth },
      payer: { payerIdentification: payerId },
      planDateInformation: { planBegin: '2015-01-01' },
      benefitsInformation: expect.arrayContaining([expect.objectContaining({ code: '1' })]),
    })
  })

  test('finds a dependent, and a subscriber by SSN', async () => {
    const dependent = { firstName: 'Leo', lastName: 'Kowalski', dateOfBirth: '2014-06-01' }
    const child = bodyOf(await coordinate('BCEXM', hannah, { dependent }))
    expect(child.dependent).toMatchObject({ firstName: 'LEO', relationToSubscriberCode: '19' })
    const { memberId: _id, ...grace } = member('Grace', 'Sullivan', '1972-04-23', '')
    const bySsn = bodyOf(await coordinate('BCEXM', { ...grace, ssn: '900451833' }))
    expect(bySsn.subscriber?.memberId).toBe('XEB204518833')
  })

  test.each([
    ['Medicare', 'CMS', member('Harold', 'Whitfield', '1944-02-29', '1EG4TE5MK72')],
    ['an unknown member', 'BCEXM', { ...hannah, memberId: 'NOBODY' }],
  ])('of %s is AAA 75 at the subscriber', async (_, payerId, subscriber) => {
    const found = bodyOf(await coordinate(payerId, subscriber))
    expect(found.subscriber?.aaaErrors).toMatchObject([{ code: '75', field: 'AAA' }])
    expect(found.errors).toMatchObject([{ code: '75' }])
    expect(found.coordinationOfBenefits).toBeUndefined()
  })

  test('that fails has the reason in errors', async () => {
    const found = bodyOf(await coordinate('SBTEST', member('Test', 'HTTP', '1980-01-01', 'HTTP503')))
    expect(found.errors).toMatchObject([{ code: 'HTTP 503', description: expect.any(String) }])
  })

  test('for a future day is a 400 in the envelope', async () => {
    const error = errorOf(await coordinate('BCEXM', hannah, { encounter: { dateOfService: '2999-01-01' } }))
    expect(error.content).toMatchObject({ statusCode: 400, body: { errorName: 'BadRequestError' } })
  })

  test('with neither member id nor SSN is a 400 in the envelope', async () => {
    const { memberId: _id, ...anonymous } = hannah
    expect(errorOf(await coordinate('BCEXM', anonymous)).content).toMatchObject({ statusCode: 400 })
  })
})

test('the log contains no SSN and no name of a patient', () => {
  expect(server.output()).not.toMatch(/900-?45-?1833|Sullivan|Kowalski/i)
})
