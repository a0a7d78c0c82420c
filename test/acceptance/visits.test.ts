// The visits of a day, the reasons why they are not ready, and their checks.
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { activeCheck, bodyOf, errorOf, someAppointment, someCoverage, somePatient } from './requests.ts'

let server: StartedServer
let client: CandidApiClient
let appointments: CandidApiClient['preEncounter']['appointments']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  client = publishedClient(server, await server.newCredentials())
  appointments = client.preEncounter.appointments.v1
})
afterAll(() => server?.stop())

const { FilterQueryString } = CandidApi.preEncounter
const onDay = (day: string) => FilterQueryString(`appointment.startTimestamp|eq|${day}`)

/** A patient with a coverage in the filing order and two appointments on 2 March, the later one not ready. */
async function arrive(family: string) {
  const patients = client.preEncounter.patients.v1
  const body = somePatient({ name: { family, given: ['Iris'], use: 'USUAL' } })
  const { id } = bodyOf(await patients.create({ body, skipDuplicateCheck: true }))
  const coverage = bodyOf(await client.preEncounter.coverages.v1.create(someCoverage(id)))
  bodyOf(await patients.update(id, '2', { ...body, filingOrder: { coverages: [coverage.id] } }))
  bodyOf(await appointments.create(someAppointment(id)))
  const later = new Date('2026-03-02T16:00:00.000Z')
  const waiting = { status: 'NOT_READY', workQueue: 'NEW_PATIENT', notReadyReason: 'NO_COVERAGE' } as const
  bodyOf(await appointments.create(someAppointment(id, { startTimestamp: later, ...waiting })))
  return id
}

describe('visits', () => {
  test('are listed page by page, forward and back, and counted by reason', async () => {
    const ids = [await arrive('Okafor'), await arrive('Marlowe')]
    const request = { filters: onDay('2026-03-02'), limit: 1 }
    const first = bodyOf(await appointments.getVisits(request))
    const second = bodyOf(await appointments.getVisits({ ...request, pageToken: first.nextPageToken }))
    const back = bodyOf(await appointments.getVisits({ ...request, pageToken: second.prevPageToken }))
    expect([first.total, second.nextPageToken, back.items]).toEqual([2, undefined, first.items])
    expect([...first.items, ...second.items].map(({ patientId }) => patientId).sort()).toEqual(ids.sort())
    expect(first.items[0]).toMatchObject({
      startTime: new Date('2026-03-02T14:30:00.000Z'),
      status: 'NOT_READY',
      primaryCoverageStatus: 'ACTIVE',
      primaryPayerName: 'Aetna',
    })
    const counts = bodyOf(await appointments.getCounts({ filters: onDay('2026-03-02') }))
    expect(counts.notReadyReasonCounts).toEqual({ NO_COVERAGE: 2 })
    expect(bodyOf(await appointments.getVisits({ filters: onDay('2026-03-03') }))).toMatchObject({
      items: [],
      total: 0,
    })
  })

  test('without a date are refused', async () => {
    const filters = FilterQueryString('appointment.status|eq|READY')
    expect(errorOf(await appointments.getVisits()).errorName).toBe('BadRequestError')
    expect(errorOf(await appointments.getVisits({ filters })).errorName).toBe('BadRequestError')
    expect(errorOf(await appointments.getCounts({ filters })).errorName).toBe('BadRequestError')
  })
})

describe('eligibility checks', () => {
  test('are listed by member, the latest first', async () => {
    const checks = client.preEncounter.eligibilityChecks.v1
    const since = new Date()
    const made = bodyOf(await checks.post(activeCheck()))
    const page = bodyOf(await checks.getMulti({ subscriberMemberId: 'AETNA12345', initiatedAtMin: since }))
    expect(page).toMatchObject({ total: 1, items: [made] })
    const before = new Date(since.getTime() - 1000)
    expect(bodyOf(await checks.getMulti({ initiatedAtMax: before })).items).toEqual([])
  })
})
