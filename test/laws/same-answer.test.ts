// A payer's answer has the same meaning in every form: X12 through CORE, Stedi's JSON of both versions with and without
// the X12 in it, and Availity's coverage if its form can express the answer. Inquiries are sent for every person in the sandbox's roster.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAvailityClearinghouse } from '../../src/clearinghouses/availity/availity-clearinghouse.ts'
import type { Clearinghouse } from '../../src/clearinghouses/clearinghouse.ts'
import type { ConnectorKindName } from '../../src/clearinghouses/connector-kind-names.ts'
import { createCoreClearinghouse } from '../../src/clearinghouses/core/core-clearinghouse.ts'
import { createStediClearinghouse } from '../../src/clearinghouses/stedi/stedi-clearinghouse.ts'
import type { EligibilityVersion } from '../../src/clearinghouses/stedi/stedi-settings.ts'
import type { CheckOutcome } from '../../src/eligibility/answers/outcome.ts'
import { renderResponse } from '../../src/eligibility/answers/render-response.ts'
import type { CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { availityPath } from '../../src/tools/sandbox/availity/availity-endpoints.ts'
import { type Roster, type RosterMember, readRoster } from '../../src/tools/sandbox/roster.ts'
import { type Sandbox, startSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { stediUrlOf } from '../../src/tools/sandbox/stedi/stedi-path.ts'

const AT = new Date('2026-03-02T12:00:00Z')
const DAY = '2026-03-02'
const CHECK_ID = '0199a3c1-0000-7000-8000-000000000001'
const roster: Roster = await readRoster()

let sandbox: Sandbox
let withoutX12: Server
/** Long enough for a busy machine; payers that misbehave are not waited for. */
let doors: Record<string, Clearinghouse> = {}
let impatient: Record<string, Clearinghouse> = {}

type Door = Exclude<ConnectorKindName, 'stedi'> | 'benefits' | 'plans' | 'benefitsAlone' | 'plansAlone'

function openDoors(bare: string, timeoutMs: number): Record<Door, Clearinghouse> {
  const stedi = (url: string, eligibilityVersion: EligibilityVersion) =>
    createStediClearinghouse({ url, apiKey: 'any', timeoutMs, maxConcurrency: 20, eligibilityVersion })
  return {
    core: createCoreClearinghouse({
      url: sandbox.url,
      form: 'soap12',
      senderId: 'A',
      receiverId: 'B',
      usage: 'T',
      timeoutMs,
    } as Parameters<typeof createCoreClearinghouse>[0]),
    benefits: stedi(stediUrlOf(sandbox.url), '2024-04-01'),
    plans: stedi(stediUrlOf(sandbox.url), '2026-06-01'),
    benefitsAlone: stedi(bare, '2024-04-01'),
    plansAlone: stedi(bare, '2026-06-01'),
    availity: createAvailityClearinghouse({
      url: new URL(availityPath, sandbox.url).href,
      clientId: 'id',
      clientSecret: 'secret',
      pollMs: 100,
      timeoutMs,
    } as Parameters<typeof createAvailityClearinghouse>[0]),
  }
}

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: () => AT, pause: async () => {} })
  // Forwards every call to the sandbox and removes the X12 from the answer.
  withoutX12 = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const url = new URL(request.url ?? '/', sandbox.url)
    const body = JSON.stringify(await readJson(request))
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const text = await answer.text()
    const isWhole = answer.headers.get('content-type') === 'application/json' && /\}$/.test(text)
    const { x12: _, ...rest } = isWhole ? (JSON.parse(text) as Record<string, unknown>) : {}
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(isWhole ? JSON.stringify(rest) : text)
  })
  await new Promise<void>((resolve) => withoutX12.listen(0, '127.0.0.1', resolve))
  const bare = `http://127.0.0.1:${(withoutX12.address() as AddressInfo).port}/2024-04-01`
  doors = openDoors(bare, 30_000)
  impatient = openDoors(bare, 1_000)
})
afterAll(async () => {
  withoutX12.closeAllConnections()
  await new Promise((resolve) => withoutX12.close(resolve))
  await sandbox.close()
})

const personOf = ({ firstName, lastName, birthDate }: { firstName: string; lastName: string; birthDate: string }) => ({
  firstName,
  lastName,
  dateOfBirth: birthDate,
})

interface Case {
  name: string
  member: RosterMember
  request: CheckRequest
}

/** Every member, each of their dependents, and requests with a wrong or unknown payer, name or date. */
const cases: Case[] = roster.members.flatMap((member) => {
  const request: CheckRequest = {
    payerId: member.payer,
    provider: { npi: '1999999984', organizationName: 'Clinic' },
    subscriber: { memberId: member.memberId, ...personOf(member) },
    dateOfService: DAY,
    serviceTypeCodes: ['30'],
  }
  const named = (what: string, more: Partial<CheckRequest> = {}) => ({
    name: `${member.payer} ${member.memberId} ${what}`,
    member,
    request: { ...request, ...more },
  })
  return [
    named('the subscriber'),
    named('the subscriber, single services', { serviceTypeCodes: ['98', '88', '35'] }),
    named('the subscriber, before the coverage', { dateOfService: '1999-01-01' }),
    named('another birth date', { subscriber: { ...request.subscriber, dateOfBirth: '1901-01-01' } }),
    ...(member.dependents ?? []).map((dependent) =>
      named(`dependent ${dependent.firstName}`, { dependent: personOf(dependent) }),
    ),
  ]
})

const answered = cases.filter(({ member }) => member.answer?.instead === undefined)
const misbehaving = cases.filter(({ member }) => member.answer?.instead !== undefined)

const ask = (door: string, request: CheckRequest, through = doors) =>
  runCheck(through[door]!, request, { organizationId: 'ORGANIZATION', checkId: CHECK_ID, controlNumber: 7, at: AT })

const outcomes = new Map<string, Promise<CheckOutcome>>()

/** The outcome of a case, asked once in each form, because several tests compare it. */
function answerOf(door: string, { name, request }: Case): Promise<CheckOutcome> {
  const key = `${door} ${name}`
  const outcome = outcomes.get(key) ?? ask(door, request)
  outcomes.set(key, outcome)
  return outcome
}

/** The meaning of a check: its outcome without ids and without the raw message. */
function meaningOf(outcome: CheckOutcome) {
  const { status, parsedResponse, requestCorrections, errors, readinessIssues, outage, subscriber, recommendations } =
    outcome
  const codes = errors.map(({ errorDetails }) => errorDetails)
  return {
    status,
    parsedResponse,
    requestCorrections,
    errors: codes,
    readinessIssues,
    outage,
    isFound: subscriber !== undefined,
    recommendations: recommendations?.map(({ type }) => type),
  }
}

test('the roster has answers of every kind', () => {
  expect(roster.payers.filter(({ id }) => !cases.some(({ member }) => member.payer === id))).toEqual([])
  expect(answered.length).toBeGreaterThan(60)
})

describe.each(['benefits', 'plans'])('through Stedi’s JSON of %s with the X12 in it', (door) => {
  test.each(answered)('$name means what X12 through CORE means', async (each) => {
    const [core, stedi] = await Promise.all([answerOf('core', each), answerOf(door, each)])
    expect(meaningOf(stedi)).toEqual(meaningOf(core))
  })
})

describe('answers grouped by plan', () => {
  test.each(answered)('of $name are shown in the form that callers read, now and again later', async (each) => {
    const [core, plans] = await Promise.all([answerOf('core', each), answerOf('plans', each)])
    const shownBenefits = (response: unknown) =>
      (response as { benefitsInformation?: unknown } | undefined)?.benefitsInformation
    expect(shownBenefits(plans.response)).toEqual(shownBenefits(core.response))
    const { rawResponse = '', answerForm } = plans
    expect(answerForm).toBe(plans.response === undefined ? undefined : 'plans')
    if (answerForm)
      expect(
        await renderResponse({ text: rawResponse, form: answerForm }, each.request, {
          organizationId: 'ORGANIZATION',
          id: CHECK_ID,
        }),
      ).toEqual(plans.response)
  })
})

describe('through the JSON of version 3, without the X12', () => {
  test.each(answered)('$name means what X12 through CORE means', async (each) => {
    const [core, stedi] = await Promise.all([answerOf('core', each), answerOf('benefitsAlone', each)])
    expect(meaningOf(stedi)).toEqual(meaningOf(core))
  })
})

/**
 * What the published form of 2026-06-01 keeps: it has no order of rows of different kinds, one service an entry, a level in every entry,
 * and neither period nor quantity beside a statement that is no figure.
 */
function keptByPlans(outcome: CheckOutcome) {
  const { parsedResponse, readinessIssues = [], ...rest } = meaningOf(outcome)
  const { benefits = {}, ...parsed } = parsedResponse ?? {}
  const { notes = '', non_covered_details = [], benefits_related_entities = [], ...figures } = benefits
  const services = non_covered_details.flatMap(({ service_type_codes = [] }) => service_type_codes)
  return {
    ...rest,
    parsed,
    figures: sorted(figures),
    nonCovered: [...new Set(services)].sort(),
    entities: sorted(benefits_related_entities),
    readinessIssues: [...new Set(readinessIssues.map(({ kind }) => kind))].sort(),
    // The words of the notes, but for those that only tell a level, a period or a quantity.
    notes: [...new Set(String(sorted(notes)).split(/[\s;,:]+/))].filter((word) => !NOT_KEPT.test(word)).sort(),
  }
}

const NOT_KEPT = /^(?:Individual|Lifetime|Remaining|Life-time|Reserve|Actual|-|\d{1,3})$/

/** With lists sorted by their text. */
function sorted(value: unknown): unknown {
  // A procedure beside a service type has no place: an entry speaks of one of the two.
  if (typeof value === 'string') return value.replaceAll(/Procedure \w+ \w+(?:; )?/g, '')
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sorted(each)]))
}

describe('through the JSON of 2026-06-01, without the X12', () => {
  test.each(answered)('$name means what X12 through CORE means, as far as the form can tell', async (each) => {
    const [core, stedi] = await Promise.all([answerOf('core', each), answerOf('plansAlone', each)])
    expect(keptByPlans(stedi)).toEqual(keptByPlans(core))
  })
})

describe('through Availity', () => {
  test.each(answered)('$name has the same status', async (each) => {
    const [core, availity] = await Promise.all([answerOf('core', each), answerOf('availity', each)])
    expect(availity.parsedResponse?.eligibility_status).toBe(core.parsedResponse?.eligibility_status)
  })
})

describe.each(['core', 'benefits', 'plans', 'availity'])('through %s', (door) => {
  test.each(misbehaving)('$name, whose answer is none, is never ACTIVE', async ({ request }) => {
    const outcome = await ask(door, request, impatient)
    expect(outcome.parsedResponse?.eligibility_status ?? 'UNKNOWN').toBe('UNKNOWN')
    expect(outcome.errors.length).toBeGreaterThan(0)
  })
})
