// Eligibility checks through the published client: its own mock cases, the sandbox, and checks that are answered from earlier ones.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { packageRoot, type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { activeCheck, bodyOf, type EligibilityRequest, type EligibilityResponse, errorOf } from './requests.ts'

/** The sandbox's invented members as data. The purpose of each determines the expected result. */
interface Roster {
  plans: Record<string, { benefits: string[] }>
  members: Member[]
}

interface Person {
  firstName: string
  lastName: string
  birthDate: string
}

interface Member extends Person {
  about: string
  payer: string
  memberId: string
  plan: string
  from: string
  to?: string
  dependents?: Person[]
  corrections?: Record<string, string>
  answer?: { reject?: string; instead?: string; afterMs?: number }
}

const rosterPath = join(packageRoot, 'src', 'tools', 'sandbox', 'roster.json')
const roster = JSON.parse(readFileSync(rosterPath, 'utf8')) as Roster

// Longer than the answer for the slow member, shorter than the one for the member without an answer.
const TIMEOUT_MS = 3000

let server: StartedServer
let client: CandidApiClient
let post: (request: EligibilityRequest) => Promise<EligibilityResponse>

beforeAll(async () => {
  server = await startServerOnClone({ CLEARINGHOUSE_TIMEOUT_MS: String(TIMEOUT_MS) })
  client = publishedClient(server, await server.newCredentials())
  post = async (request) => bodyOf(await client.preEncounter.eligibilityChecks.v1.post(request))
})
afterAll(() => server?.stop())

const codesOf = (check: EligibilityResponse) => (check.errors ?? []).map(({ errorDetails }) => errorDetails.code)
const statusOf = (check: EligibilityResponse) => check.parsedResponse?.eligibilityStatus

/** Source: rules.md 13.4. */
describe('a published mock case', () => {
  const subscriber = (memberId: string, firstName: string, dateOfBirth: string) => ({
    memberId,
    firstName,
    lastName: 'Doe',
    dateOfBirth,
  })
  const provider = { npi: '1999999984' }
  const encounter = { serviceTypeCodes: ['30'] as never }

  test.each([
    ['Aetna subscriber only', { payerId: '60054', subscriber: subscriber('AETNA12345', 'Jane', '2004-04-04') }],
    [
      'Aetna with dependent',
      {
        payerId: '60054',
        subscriber: subscriber('AETNA9wcSu', 'John', '2000-01-01'),
        dependent: { firstName: 'Jordan', lastName: 'Doe', dateOfBirth: '2001-07-14' },
      },
    ],
  ])('%s is active', async (_, request) => {
    const check = await post({ ...request, provider, encounter })
    expect([statusOf(check), check.errors]).toEqual(['ACTIVE', undefined])
    expect(check.parsedResponse?.planMetadata?.payerName).toBe('AETNA')
    expect(check.response).toMatchObject({ benefitsInformation: expect.any(Array), x12: expect.any(String) })
  })

  test.each([
    ['42', subscriber('UHCAAA42', 'Jane', '2001-01-01')],
    ['42', subscriber('UHCAAA42', 'Jane', '1970-01-01')],
    ['43', subscriber('UHCAAA43', 'Jane', '1970-01-01')],
    ['72', subscriber('UHCAAA72', 'John', '1990-01-01')],
    ['73', subscriber('UHCAAA73', 'John', '1990-01-01')],
    ['75', subscriber('UHCAAA75', 'Jane', '1990-01-01')],
    ['79', subscriber('UHCAAA79', 'John', '1970-01-01')],
  ])('AAA %s is an error with its explanation', async (code, asked) => {
    const check = await post({ payerId: '87726', provider, encounter, subscriber: asked })
    expect(codesOf(check)).toEqual([code])
    expect(check.errors?.[0]).toMatchObject({
      source: 'STEDI',
      errorDetails: {
        description: expect.any(String),
        followupAction: expect.any(String),
        location: expect.any(String),
      },
    })
    expect(statusOf(check)).not.toBe('ACTIVE')
  })

  test('with a payer unknown to the clearinghouse is an error in a 200, with the payer’s body', async () => {
    const check = await post({
      payerId: 'BAD_PAYER_ID',
      provider,
      encounter,
      subscriber: subscriber('AETNA12345', 'Jane', '20040404'),
    })
    expect([codesOf(check), statusOf(check)]).toEqual([['79'], undefined])
    expect(check.response).toMatchObject({ errors: [{ code: '79' }] })
    expect(check.errors?.[0]?.errorDetails).toMatchObject({
      description: expect.stringContaining('check it against the payer list'),
      followupAction: expect.any(String),
      location: 'Loop 2100A',
    })
  })
})

/** Every member and every dependent. */
const people = roster.members.flatMap((member) => [
  { title: `${member.memberId}: ${member.about}`, member, dependent: undefined },
  ...(member.dependents ?? []).map((dependent) => ({
    title: `${member.memberId}: dependent ${dependent.firstName}`,
    member,
    dependent,
  })),
])

/** Service and status of the first line of a plan: `30 active`, `35 active`, or in X12 `EB*1**30*MA`. */
function headlineOf(member: Member): { service: string; status: 'ACTIVE' | 'INACTIVE' } {
  const [line = ''] = roster.plans[member.plan]?.benefits ?? []
  const [, inX12, withInterfaceErrors, word] = /^(?:EB\*1\*\*(\w+)|(\w+) (active|inactive)$)/.exec(line) ?? []
  const service = inX12 ?? withInterfaceErrors
  if (!service) throw new Error(`the plan of ${member.memberId} does not begin with its status`)
  return { service, status: word === 'inactive' ? 'INACTIVE' : 'ACTIVE' }
}

function isCoveredOn(member: Member, day: string): boolean {
  return member.from <= day && (member.to === undefined || day <= member.to)
}

describe('a check on the sandbox', () => {
  const today = new Date().toISOString().slice(0, 10)

  test.concurrent.each(people)('answers for $title', async ({ member, dependent }) => {
    const { service, status } = headlineOf(member)
    const check = await post({
      payerId: member.payer,
      provider: { organizationName: 'Harbor Clinic', npi: '1999999984' },
      subscriber: { ...personOf(member), memberId: member.memberId },
      ...(dependent && { dependent: personOf(dependent) }),
      encounter: { dateOfService: today, serviceTypeCodes: [service] as never },
    })
    const { reject, instead } = member.answer ?? {}
    if (reject || instead) {
      expect(check.errors?.length).toBeGreaterThan(0)
      expect(statusOf(check) ?? 'UNKNOWN').toBe('UNKNOWN')
      if (reject) expect(codesOf(check)).toContain(reject)
      return
    }
    expect([statusOf(check), check.errors]).toEqual([isCoveredOn(member, today) ? status : 'INACTIVE', undefined])
    const corrected = (check.requestCorrections ?? []).map(({ correctedValue }) => correctedValue.toUpperCase())
    expect(corrected).toEqual(Object.values(member.corrections ?? {}).map((value) => value.toUpperCase()))
  })

  test('never shows an answer about another patient', async () => {
    const check = await post({
      payerId: 'SBTEST',
      provider: { npi: '1999999984' },
      subscriber: { memberId: 'OTHER', firstName: 'Test', lastName: 'OTHER', dateOfBirth: '1980-01-01' },
    })
    expect(check.response ?? null).toBeNull()
    expect(check.parsedResponse).toBeUndefined()
  })

  const personOf = ({ firstName, lastName, birthDate }: Person) => ({ firstName, lastName, dateOfBirth: birthDate })
})

/** Source: rules.md 13.5. The payer's own trace (TRN*1) differs between two answers, so equal traces show a reused answer. */
describe('get_existing_check_initiated_after', () => {
  const request = activeCheck({ encounter: { dateOfService: '2026-01-15' } })
  const instantBefore = (at: number) => new Date(at - 1000)

  test('returns the earlier check of the same inquiry, and a new one for another', async () => {
    const since = instantBefore(Date.now())
    const first = await post(request)
    const again = await post({ ...request, getExistingCheckInitiatedAfter: since })
    const other = await post({
      ...request,
      encounter: { dateOfService: '2026-01-16' },
      getExistingCheckInitiatedAfter: since,
    })
    expect(again.response).toEqual(first.response)
    expect(other.response).not.toEqual(first.response)
  })

  test('returns a new check when the earlier one is too old', async () => {
    const first = await post(request)
    const fresh = await post({ ...request, getExistingCheckInitiatedAfter: new Date(Date.now() + 60_000) })
    expect(fresh.response).not.toEqual(first.response)
  })

  test('never returns an earlier check that failed', async () => {
    const since = instantBefore(Date.now())
    const failing = activeCheck({
      payerId: '87726',
      subscriber: { memberId: 'UHCAAA42', firstName: 'Jane', lastName: 'Doe' },
    })
    const first = await post(failing)
    const again = await post({ ...failing, getExistingCheckInitiatedAfter: since })
    expect(codesOf(again)).toEqual(['42'])
    expect(again.response).not.toEqual(first.response)
  })
})

test('a request with an invalid date is a 400 in the envelope, not a failed check', async () => {
  const error = errorOf(
    await client.preEncounter.eligibilityChecks.v1.post(activeCheck({ encounter: { dateOfService: 'soon' } })),
  )
  expect(error.content).toMatchObject({ statusCode: 400, body: { errorName: 'BadRequestError' } })
})
