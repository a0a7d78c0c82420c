import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CobInquiry, DiscoveryInquiry, StediJson } from '../../../clearinghouses/clearinghouse.ts'
import { type JsonObject, objectOf, objectsOf } from '../../../clearinghouses/json-values.ts'
import { createStediClearinghouse } from '../../../clearinghouses/stedi/stedi-clearinghouse.ts'
import type { CheckRequest } from '../../../eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../../eligibility/inquiries/run-check.ts'
import { checkRoster, type Roster, type RosterMember, readRoster } from '../roster.ts'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { coordinate as coordinateBenefits } from './coordinate.ts'
import { stediUrlOf } from './stedi-path.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
let now = NOON
let sandbox: Sandbox
let roster: Roster
const provider = { npi: '1999999984', organizationName: 'Clinic' }

beforeAll(async () => {
  roster = await readRoster()
  const clock = () => new Date(now)
  sandbox = await startSandbox({ port: 0, clock, pause: async () => {} })
})
beforeEach(() => {
  now = NOON
})
afterAll(() => sandbox.close())

/** Long enough for a busy machine; only the payer that never answers is not waited for. */
function connect(timeoutMs = 30_000, eligibilityVersion: '2024-04-01' | '2026-06-01' = '2024-04-01') {
  const url = stediUrlOf(sandbox.url)
  const urls = { url, payersUrl: url }
  const limits = { timeoutMs, pollEveryMs: 5, maxConcurrency: 20 }
  return createStediClearinghouse({ ...urls, ...limits, apiKey: 'any', eligibilityVersion })
}

const memberOf = (memberId: string) => roster.members.find((member) => member.memberId === memberId)!
const personOf = ({ firstName, lastName, birthDate }: { firstName: string; lastName: string; birthDate: string }) => ({
  firstName,
  lastName,
  dateOfBirth: birthDate,
})

async function check(
  payerId: string,
  subscriber: CheckRequest['subscriber'],
  more: Partial<CheckRequest> = {},
  version?: '2026-06-01',
) {
  const request = { payerId, provider, subscriber, dateOfService: '2026-03-02', serviceTypeCodes: ['30'], ...more }
  return runCheck(connect(subscriber.memberId === 'NEVER' ? 200 : undefined, version), request, {
    organizationId: 'ORGANIZATION',
    checkId: 'C-1',
    controlNumber: 7,
    at: new Date(now),
  })
}

const checkMember = (member: RosterMember, more: Partial<CheckRequest> = {}, version?: '2026-06-01') =>
  check(member.payer, { memberId: member.memberId, ...personOf(member) }, more, version)
const codesOf = ({ errors }: Awaited<ReturnType<typeof check>>) => errors.map(({ errorDetails }) => errorDetails.code)

describe('eligibility', () => {
  test('of the published mocks equals the publication, in the answer and in its JSON', async () => {
    const active = await checkMember(memberOf('AETNA12345'))
    expect(active).toMatchObject({ status: 'COMPLETED', parsedResponse: { eligibility_status: 'ACTIVE' }, errors: [] })
    expect(active.response).toMatchObject({
      meta: { applicationMode: 'test' },
      id: expect.stringMatching(/^ec_/),
      tradingPartnerServiceId: '60054',
      x12: JSON.parse(active.rawResponse ?? '{}').x12,
    })
    const parent = memberOf('AETNA9wcSu')
    const child = await checkMember(parent, { dependent: personOf(parent.dependents![0]!) })
    expect(child).toMatchObject({ parsedResponse: { eligibility_status: 'ACTIVE' }, errors: [] })
    expect(objectsOf(objectOf(child.response).dependents)).toMatchObject([{ firstName: 'JORDAN' }])
  })

  test('of every member of the roster is the same as over CORE: covered, not covered, rejected, or a failure', async () => {
    for (const member of roster.members) {
      const outcome = await checkMember(member, { serviceTypeCodes: ['30', '35'] })
      const { reject, instead } = member.answer ?? {}
      const status = outcome.parsedResponse?.eligibility_status ?? 'UNKNOWN'
      if (reject) expect(codesOf(outcome), member.about).toEqual([reject])
      if (reject || instead) expect([status, outcome.status], member.about).toEqual(['UNKNOWN', 'FAILED'])
      else expect(status, member.about).toMatch(/^(IN)?ACTIVE$/)
    }
  })

  test('of the version of 2026-06-01 names only what the answer contains, as the published form does', async () => {
    const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
    for (const member of roster.members.filter(({ answer }) => !answer?.instead)) {
      const { rawResponse = '{}' } = await checkMember(member, { serviceTypeCodes: ['30', '35'] }, '2026-06-01')
      const empty: string[] = []
      JSON.parse(rawResponse, (key, value) => {
        if (isEmpty(value)) empty.push(key)
        return value
      })
      expect(empty, member.about).toEqual([])
    }
  })

  test.each([
    ['NEVER', 'Timeout'],
    ['HTML', 'HtmlResponse'],
    ['EMPTY', 'EmptyResponse'],
    ['HALF', 'TruncatedResponse'],
    ['TRUNCATED', 'TRUNCATED_ANSWER'],
    ['OTHER', 'PATIENT_MISMATCH'],
    ['ACK999', 'REFUSED'],
    ['ACKTA1', 'REFUSED'],
    ['ERRORCODE', 'HTTP 400'],
    ['FAULT', 'ERROR'],
    ['HTTP503', 'HTTP 503'],
  ])('of %s fails with %s', async (memberId, code) => {
    expect(codesOf(await checkMember(memberOf(memberId)))).toEqual([code])
  })

  test('at an unknown payer is a failure with code 79, and the body is stored', async () => {
    const outcome = await check('BAD_PAYER_ID', { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe' })
    expect([codesOf(outcome), outcome.outage]).toEqual([['79'], undefined])
    expect(outcome.response).toMatchObject({ errors: [{ code: '79' }] })
  })

  test('is rejected for fields that Stedi does not accept', async () => {
    // Sent as another client would: our connector sends nothing that a payer cannot read.
    const subscriber = { memberId: 'A*1', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004' }
    const request = {
      subscriber,
      provider: { organizationName: 'Clinic', npi: provider.npi },
      tradingPartnerServiceId: '60054',
    }
    const response = await fetch(`${stediUrlOf(sandbox.url)}/change/medicalnetwork/eligibility/v3`, {
      method: 'POST',
      headers: { authorization: 'any', 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const { fieldList } = (await response.json()) as { fieldList: { path: string }[] }
    expect([response.status, fieldList.map(({ path }) => path)]).toEqual([
      400,
      ['/subscriber/memberId', '/subscriber/dateOfBirth'],
    ])
  })
})

describe('discovery', () => {
  const discover = (subscriber: Partial<DiscoveryInquiry['subscriber']>, more: Partial<DiscoveryInquiry> = {}) =>
    connect().discoverInsurance({
      provider: { npi: '1999999984' },
      subscriber: { firstName: 'Grace', lastName: 'Sullivan', ...subscriber },
      ...more,
    })
  const payersOf = ({ items }: StediJson) => objectsOf(items).map(({ payer }) => (payer as JsonObject).name)
  const levelsOf = ({ items }: StediJson) => objectsOf(items).map((item) => objectOf(item.confidence).level)

  test('finds every coverage of a person, as subscriber and as dependent', async () => {
    const found = await discover({ dateOfBirth: '19720423' })
    expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 2, errors: [] })
    expect(payersOf(found)).toEqual(['BLUE CROSS OF EXAMPLE', 'CIGNA'])
    const [own, asSpouse] = objectsOf(found.items)
    expect(own).toMatchObject({ subscriber: { firstName: 'GRACE' }, confidence: { level: 'HIGH' } })
    expect(asSpouse).toMatchObject({ subscriber: { firstName: 'PATRICK' }, dependent: { firstName: 'GRACE' } })
    expect(own).not.toHaveProperty('dependent')
  })

  test('ignores case, accents and punctuation, and marks a nickname for review', async () => {
    const spelled = await discover({ firstName: 'GRÁCE', lastName: 'sulli-van', dateOfBirth: '19720423' })
    expect(levelsOf(spelled)).toEqual(['HIGH', 'HIGH'])
    const { birthDate, lastName } = roster.members.find(({ firstName }) => firstName === 'Patrick')!
    const nickname = await discover({ firstName: 'Paddy', lastName, dateOfBirth: birthDate.replaceAll('-', '') })
    expect(new Set(levelsOf(nickname))).toEqual(new Set(['REVIEW_NEEDED']))
    expect(levelsOf(await discover({ firstName: 'Paddy', lastName, dateOfBirth: '19010101' }))).toEqual([])
  })

  test.each([
    ['the last four of the SSN', { ssn: '1833' }, ['REVIEW_NEEDED']],
    ['the whole SSN with another birth date', { ssn: '900-45-1833', dateOfBirth: '19720424' }, ['REVIEW_NEEDED']],
    ['another SSN with the birth date', { ssn: '9999', dateOfBirth: '19720423' }, ['REVIEW_NEEDED', 'HIGH']],
    ['the names alone', {}, []],
    ['another birth date', { dateOfBirth: '19720424' }, []],
  ])('by %s has the matching confidence', async (_, more, levels) => {
    expect(levelsOf(await discover(more))).toEqual(levels)
  })

  test.each([
    ['U7712345602', 'whose coverage has ended'],
    ['D55012001', 'with a dental plan only'],
    ['UHCAAA75', 'whom the payer does not find'],
  ])('finds nothing for %s, %s', async (memberId) => {
    const { firstName, lastName, dateOfBirth } = personOf(memberOf(memberId))
    const found = await discover({ firstName, lastName, dateOfBirth: dateOfBirth.replaceAll('-', '') })
    const own = objectsOf(found.items).filter(({ payer }) => objectOf(payer).name === memberOf(memberId).payer)
    expect(own).toEqual([])
    if (lastName !== 'Doe') expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 0, items: [] })
  })

  test('depends on the date of service', async () => {
    const gallagher = { firstName: 'Owen', lastName: 'Gallagher', dateOfBirth: '19660825' }
    const found = await discover(gallagher, { encounter: { dateOfService: '20231115' } })
    expect(payersOf(found)).toEqual(['CIGNA'])
  })

  test('of a slow member is pending until it is complete, and of one without an answer stays pending', async () => {
    const test = { firstName: 'Test', dateOfBirth: '19800101' }
    const searching = connect(3000).discoverInsurance({
      provider: { npi: '1999999984' },
      subscriber: { ...test, lastName: 'SLOW' },
    })
    const passing = setInterval(() => {
      now += 2000
    }, 30)
    const found = await searching.finally(() => clearInterval(passing))
    expect(found).toMatchObject({ status: 'COMPLETE', coveragesFound: 1 })
    await expect(discover({ ...test, lastName: 'NEVER' })).rejects.toMatchObject({ code: 'Pending' })
    await expect(discover({ ...test, lastName: 'HTML' })).rejects.toMatchObject({ code: 'HtmlResponse' })
  })

  test('requires the fields that Stedi requires', async () => {
    await expect(discover({ dateOfBirth: '1972-04-23' })).rejects.toMatchObject({
      message: 'The clearinghouse rejected fields of the request: subscriber.dateOfBirth',
    })
  })
})

describe('coordination of benefits', () => {
  const coordinate = (member: RosterMember, more: Partial<CobInquiry> = {}) =>
    connect().coordinateBenefits({
      tradingPartnerServiceId: member.payer,
      provider,
      subscriber: { ...personOf(member), memberId: member.memberId },
      encounter: {},
      ...more,
    })

  /** Source: rules.md 13.11. */
  test.each([
    ['XEB204518837', 'MemberFoundNoCob', [false, false, false, false]],
    ['U7712345601', 'CoverageOverlapNoBenefitOverlap', [false, false, true, false]],
    ['UHC900100200', 'CoverageOverlapExistsNotSubjectToCob', [false, false, true, true]],
    ['XEB204518834', 'CobInstanceExistsPrimacyUndetermined', [true, false, true, true]],
    ['XEB204518833', 'CobInstanceExistsPrimacyDetermined', [true, true, true, true]],
  ])('of %s is %s', async (memberId, classification, flags) => {
    const [instanceExists, primacyDetermined, coverageOverlap, benefitOverlap] = flags
    const found = await coordinate(memberOf(memberId))
    expect(found.coordinationOfBenefits).toEqual({
      classification,
      instanceExists,
      primacyDetermined,
      coverageOverlap,
      benefitOverlap,
    })
  })

  test('is the same from the other payer, for every member with another coverage', async () => {
    const declaring = roster.members.filter(({ otherCoverage }) => otherCoverage)
    expect(declaring).toHaveLength(4)
    for (const member of declaring) {
      const there = memberOf(member.otherCoverage!.memberId)
      const isOwn = there.firstName === member.firstName
      const here = await coordinate(member)
      const reversed = await coordinate(there, isOwn ? {} : { dependent: personOf(member) })
      expect(reversed.coordinationOfBenefits, member.about).toEqual(here.coordinationOfBenefits)
      if (!member.otherCoverage?.primary) continue
      expect(primaryOf(reversed, there), member.about).toBe(primaryOf(here, member))
    }
  })

  /** The payer that pays first according to an answer: the payer named as primary, else the one that was inquired of. */
  function primaryOf(answer: StediJson, asked: RosterMember): unknown {
    const row = objectsOf(answer.benefitsInformation).find(({ code }) => code === 'R')
    const [payer] = objectsOf(row?.benefitsRelatedEntities)
    return payer?.entityIdentifier === 'Primary Payer' ? payer.entityIdentificationValue : asked.payer
  }

  test('of the subscriber alone leaves out a coverage that only a dependent has', async () => {
    const patrick = await coordinate(memberOf('U7799001122'))
    expect(patrick.coordinationOfBenefits).toMatchObject({ classification: 'MemberFoundNoCob' })
  })

  test('is the same from both payers when the other coverage has ended', () => {
    const ended = { from: '2022-01-01', to: '2025-06-30' }
    const members = roster.members.map((member): RosterMember => {
      if (member.memberId === 'H60124000') return { ...member, ...ended }
      if (member.memberId !== 'XEB204518834') return member
      return { ...member, otherCoverage: { ...member.otherCoverage!, ...ended } }
    })
    const classify = (memberId: string) => {
      const { lastName, firstName, birthDate, payer } = memberOf(memberId)
      const subscriber = { memberId, lastName, firstName, dateOfBirth: birthDate }
      const body = { tradingPartnerServiceId: payer, provider, subscriber, encounter: {} }
      const answered = coordinateBenefits(checkRoster({ ...roster, members }), body, new Date(now))
      return objectOf(JSON.parse(String(answered.reply?.body)).coordinationOfBenefits).classification
    }
    expect([classify('XEB204518834'), classify('H60124000')]).toEqual(['MemberFoundNoCob', 'MemberFoundNoCob'])
  })

  test('names the other payer and the subscriber of that coverage', async () => {
    const found = await coordinate(memberOf('XEB204518833'))
    expect(objectsOf(found.benefitsInformation).find(({ code }) => code === 'R')).toMatchObject({
      benefitsDateInformation: { coordinationOfBenefits: '2020-01-01' },
      benefitsRelatedEntities: [
        { entityIdentifier: 'Primary Payer', entityName: 'CIGNA' },
        { entityIdentifier: 'Insured or Subscriber', entityFirstname: 'PATRICK' },
      ],
    })
  })

  test('finds a member by SSN instead of the member id, and a dependent below', async () => {
    const { ssn } = memberOf('XEB204518833')
    const bySsn = await coordinate(memberOf('XEB204518833'), {
      subscriber: { ...personOf(memberOf('XEB204518833')), ssn: ssn! },
    })
    expect(bySsn.subscriber).toMatchObject({ memberId: 'XEB204518833' })
    const family = memberOf('XEB204518837')
    const child = await coordinate(family, { dependent: personOf(family.dependents![0]!) })
    expect(child.dependent).toMatchObject({ firstName: 'LEO', relationToSubscriberCode: '19' })
  })

  test.each([
    ['Medicare', '1EG4TE5MK72', {}],
    ['Medicare Advantage', 'H60123456', {}],
    ['a name that the payer spells otherwise', 'XEB204518837', { firstName: 'Hanna' }],
    ['an unknown member id', 'XEB204518837', { memberId: 'NOBODY' }],
  ])('of %s is not found (75), in a successful answer', async (_, memberId, wrong) => {
    const member = memberOf(memberId)
    const subscriber = { ...personOf(member), memberId: member.memberId, ...wrong }
    const found = await coordinate(member, { subscriber })
    expect(found).toMatchObject({ subscriber: { aaaErrors: [{ code: '75' }] }, errors: [{ code: '75' }] })
    expect(found).not.toHaveProperty('coordinationOfBenefits')
  })

  test('is not answered for future dates or dates long past', async () => {
    for (const dateOfService of ['2026-03-04', '2024-03-01'])
      await expect(coordinate(memberOf('XEB204518837'), { encounter: { dateOfService } })).rejects.toMatchObject({
        message: 'The clearinghouse rejected fields of the request: encounter.dateOfService',
      })
  })
})

describe('payers', () => {
  test('are those of the roster', async () => {
    const payers: StediJson[] = []
    for await (const payer of connect().listPayers()) payers.push(payer)
    expect(payers.map(({ primaryPayerId }) => primaryPayerId).sort()).toEqual(roster.payers.map(({ id }) => id).sort())
    expect(payers[0]).toMatchObject({
      stediId: expect.stringMatching(/^[A-Z]{5}$/),
      displayName: 'AETNA',
      aliases: ['60054', 'AETNA'],
      transactionSupport: { eligibilityCheck: 'SUPPORTED', coordinationOfBenefits: 'SUPPORTED' },
    })
  })

  test('are found by a part of their names', async () => {
    const reply = await fetch(`${stediUrlOf(sandbox.url)}/payers/search?query=cross`)
    expect(await reply.json()).toMatchObject({ items: [{ payer: { primaryPayerId: 'BCEXM' } }], stats: { total: 1 } })
  })
})

test('requires the API key where credentials are configured, in both forms', async () => {
  const credentials = { username: 'me', password: 'right' }
  const guarded = await startSandbox({ port: 0, credentials })
  const ask = (authorization: string) =>
    fetch(`${stediUrlOf(guarded.url)}/payers`, { headers: { authorization } }).then(({ status }) => status)
  expect(await Promise.all(['right', 'Key right', 'wrong'].map(ask))).toEqual([200, 200, 401])
  await guarded.close()
})
