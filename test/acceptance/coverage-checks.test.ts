// Eligibility checks of a coverage and of an encounter, answered by the sandbox. Source: rules.md 10.3, 13.4, 13.12.
import { randomUUID } from 'node:crypto'
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, errorOf, type MutableCoverage, someAppointment, someCoverage, somePatient } from './requests.ts'

let server: StartedServer
let client: CandidApiClient
let coverages: CandidApiClient['preEncounter']['coverages']['v1']
let patients: CandidApiClient['preEncounter']['patients']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  client = publishedClient(server, await server.newCredentials())
  coverages = client.preEncounter.coverages.v1
  patients = client.preEncounter.patients.v1
  // The first check of a process loads what checks need. On a busy machine that takes longer than a caller waits (rules.md 10.3).
  await coverages.checkEligibility((await newCovered(aetna)).coverage.id, request)
})
afterAll(() => server?.stop())

const { CoverageId, PayerId } = CandidApi.preEncounter
const request = { serviceCode: '30', dateOfService: '2026-03-02', npi: '1999999984' } as const

const subscriber = (given: string, dateOfBirth: string): MutableCoverage['subscriber'] => ({
  name: { family: 'Doe', given: [given], use: 'USUAL' },
  dateOfBirth,
  biologicalSex: 'FEMALE',
})
const plan = (payerId: string, memberId: string, payerName = 'Aetna') => ({
  payerId: PayerId(payerId),
  memberId,
  payerName,
})

/** Source: rules.md 13.4, "Aetna subscriber only". */
const aetna = { subscriber: subscriber('Jane', '2004-04-04'), insurancePlan: plan('60054', 'AETNA12345') }

/** A patient whose only coverage is filed as the primary one. */
async function newCovered(coverage: Partial<MutableCoverage>, person: Parameters<typeof somePatient>[0] = {}) {
  const body = somePatient(person)
  const patient = bodyOf(await patients.create({ body, skipDuplicateCheck: true }))
  const made = bodyOf(await coverages.create(someCoverage(patient.id, coverage)))
  bodyOf(await patients.update(patient.id, '2', { ...body, filingOrder: { coverages: [made.id] } }))
  return { patient, coverage: made }
}

describe('a check on a coverage', () => {
  test('is answered, can be read by its id, and is stored in the coverage with its benefits', async () => {
    const { coverage } = await newCovered(aetna)
    const metadata = bodyOf(await coverages.checkEligibility(coverage.id, request))
    expect(metadata).toMatchObject({ serviceCode: '30', status: 'COMPLETED' })
    const { metadata: again, check } = bodyOf(await coverages.getEligibility(coverage.id, metadata.checkId))
    expect(again).toEqual(metadata)
    expect(check?.parsedResponse?.eligibilityStatus).toBe('ACTIVE')
    const updated = bodyOf(await coverages.get(coverage.id))
    expect(updated).toMatchObject({
      version: 2,
      status: coverage.status,
      insurancePlan: coverage.insurancePlan,
      eligibilityChecks: [metadata],
      latestEligibilityCheck: { checkId: metadata.checkId, status: 'ACTIVE' },
      benefits: { ...check?.parsedResponse?.benefits, autoUpdatedEligibilityCheckId: metadata.checkId },
    })
    const byPeople = bodyOf(await coverages.getHistory(coverage.id, { nonAutoUpdatedCoveragesOnly: true }))
    expect(byPeople).toEqual([coverage])
  })

  test('sends the patient as the dependent of the subscriber', async () => {
    const { coverage } = await newCovered(
      {
        relationship: 'CHILD',
        subscriber: subscriber('John', '2000-01-01'),
        insurancePlan: plan('60054', 'AETNA9wcSu'),
      },
      { name: { family: 'Doe', given: ['Jordan'], use: 'USUAL' }, birthDate: '2001-07-14' },
    )
    const { checkId } = bodyOf(await coverages.checkEligibility(coverage.id, request))
    const { check } = bodyOf(await coverages.getEligibility(coverage.id, checkId))
    expect(check?.request?.dependent).toMatchObject({ firstName: 'Jordan', dateOfBirth: '2001-07-14' })
    expect(check?.parsedResponse?.eligibilityStatus).toBe('ACTIVE')
  })

  test.each([
    ['42', 'UHCAAA42', 'Jane', '1970-01-01'],
    ['75', 'UHCAAA75', 'Jane', '1990-01-01'],
    ['79', 'UHCAAA79', 'John', '1970-01-01'],
  ])('that ends with AAA %s says FAILED and why', async (code, memberId, given, birthDate) => {
    const insurancePlan = plan('87726', memberId, 'UnitedHealthcare')
    const { coverage } = await newCovered({ subscriber: subscriber(given, birthDate), insurancePlan })
    let metadata = bodyOf(await coverages.checkEligibility(coverage.id, request))
    // The inquiry to a payer that cannot answer is retried for a while.
    await vi.waitFor(
      async () => {
        ;({ metadata } = bodyOf(await coverages.getEligibility(coverage.id, metadata.checkId)))
        expect(metadata.status).toBe('FAILED')
      },
      { timeout: 60_000, interval: 200 },
    )
    const { check } = bodyOf(await coverages.getEligibility(coverage.id, metadata.checkId))
    expect(check?.errors?.map(({ errorDetails }) => errorDetails.code)).toEqual([code])
    const { latestEligibilityCheck, benefits } = bodyOf(await coverages.get(coverage.id))
    expect(latestEligibilityCheck).toMatchObject({ status: 'UNKNOWN', errors: [{ code }] })
    expect(benefits).toBeUndefined()
  })

  test('with a slow payer finishes after the response, and is stored in the coverage once', async () => {
    const { coverage } = await newCovered({
      subscriber: { ...subscriber('Test', '1980-01-01'), name: { family: 'SLOW', given: ['Test'], use: 'USUAL' } },
      insurancePlan: plan('SBTEST', 'SLOW2000', 'Sandbox faults'),
    })
    const { checkId } = bodyOf(await coverages.checkEligibility(coverage.id, request))
    await vi.waitFor(
      async () => {
        const { metadata } = bodyOf(await coverages.getEligibility(coverage.id, checkId))
        expect(metadata.status).toBe('COMPLETED')
      },
      { timeout: 60_000, interval: 200 },
    )
    const { eligibilityChecks, latestEligibilityCheck } = bodyOf(await coverages.get(coverage.id))
    expect(eligibilityChecks).toMatchObject([{ checkId, status: 'COMPLETED' }])
    expect(latestEligibilityCheck).toMatchObject({ checkId, status: 'ACTIVE' })
  })

  test("is an event in the patient's timeline", async () => {
    const { patient, coverage } = await newCovered(aetna)
    const { checkId } = bodyOf(await coverages.checkEligibility(coverage.id, request))
    const { items } = bodyOf(
      await patients.getEligibilityTimeline(patient.id, { eventTypes: ['ELIG_CHECK_COMPLETED', 'COVERAGE_UPDATED'] }),
    )
    const events = Object.fromEntries(items.map((event) => [event.eventType, event]))
    expect(events.ELIG_CHECK_COMPLETED?.payload).toMatchObject({
      check_id: checkId,
      coverage_type: 'primary',
      eligibility_status: 'ACTIVE',
    })
    expect(events.COVERAGE_UPDATED).toMatchObject({
      userName: 'Candid Health',
      payload: { source: 'eligibility_check', check_id: checkId },
    })
  })

  test('of an unknown coverage or with an unknown id is refused with status and envelope, although no error is declared', async () => {
    const unknown = CoverageId(randomUUID())
    const refusal = { statusCode: 404, body: { errorName: 'NotFoundError' } }
    expect(errorOf(await coverages.checkEligibility(unknown, request)).content).toMatchObject(refusal)
    expect(errorOf(await coverages.getEligibility(unknown, randomUUID())).content).toMatchObject(refusal)
  })
})

describe('the eligibility of an encounter', () => {
  const checks = () => client.preEncounter.eligibilityChecks.v1

  test('is requested by appointment, and listed', async () => {
    const { patient } = await newCovered(aetna)
    const attendingDoctor = {
      name: { family: 'Okafor', given: ['Ada'], use: 'OFFICIAL' as const },
      npi: '1999999984',
      telecoms: [],
    }
    const made = someAppointment(patient.id, { attendingDoctor })
    const { id: encounterId } = bodyOf(await client.preEncounter.appointments.v1.create(made))
    const eligibility = bodyOf(await checks().createEncounterEligibility({ encounterId }))
    expect(eligibility).toMatchObject({
      source: 'STEDI',
      payerId: '60054',
      providerNpi: '1999999984',
      status: 'ACTIVE',
      errors: [],
    })
    const { items } = bodyOf(await checks().encounterEligibility({ encounterId }))
    expect(items).toEqual([eligibility])
  })

  test('of an unknown encounter is refused, and has no checks', async () => {
    const encounterId = randomUUID()
    const refused = errorOf(await checks().createEncounterEligibility({ encounterId }))
    expect(refused.content).toMatchObject({ statusCode: 404, body: { errorName: 'NotFoundError' } })
    expect(bodyOf(await checks().encounterEligibility({ encounterId })).items).toEqual([])
  })
})
