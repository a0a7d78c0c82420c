// Patients with their merges, coverages and timeline.
import { randomUUID } from 'node:crypto'
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, someCoverage, somePatient, someProvider } from './requests.ts'

let server: StartedServer
let patients: CandidApiClient['preEncounter']['patients']['v1']
let merges: CandidApiClient['preEncounter']['patientMerges']['v1']
let coverages: CandidApiClient['preEncounter']['coverages']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  const { preEncounter } = publishedClient(server, await server.newCredentials())
  patients = preEncounter.patients.v1
  merges = preEncounter.patientMerges.v1
  coverages = preEncounter.coverages.v1
})
afterAll(() => server?.stop())

const { PatientId, PatientMergeId, PayerPlanGroupId, PayerId, PageToken } = CandidApi.preEncounter
const newPatient = async (...overrides: Parameters<typeof somePatient>) =>
  bodyOf(await patients.create({ body: somePatient(...overrides) }))

async function newMerge() {
  const [alternative, primary] = [await newPatient(), await newPatient()]
  const pair = { alternativePatientMrn: alternative.mrn, primaryPatientMrn: primary.mrn }
  return { alternative, primary, merge: bodyOf(await merges.create(pair)) }
}

describe('patients', () => {
  test('are found by MRN, and sorted by similar name', async () => {
    const made = await newPatient()
    expect(bodyOf(await patients.search({ mrn: made.mrn }))).toEqual([made])
    const [first] = bodyOf(await patients.search({ similarNameOrdering: made.name.family }))
    expect(first?.id).toBe(made.id)
  })

  test('are read page by page, forward and back', async () => {
    await Promise.all([newPatient(), newPatient(), newPatient()])
    const first = bodyOf(await patients.getMulti({ limit: 2 }))
    const second = bodyOf(await patients.getMulti({ limit: 2, pageToken: first.nextPageToken }))
    expect(first.items).toHaveLength(2)
    expect(second.total).toBe(first.total)
    expect(second.items.map(({ id }) => id)).not.toContain(first.items[0]?.id)
    const back = bodyOf(await patients.getMulti({ limit: 2, pageToken: second.prevPageToken }))
    expect(back.items).toEqual(first.items)
  })

  test('return their referring providers by name or NPI', async () => {
    const provider = { ...someProvider(), telecoms: [] }
    await newPatient({
      generalPractitioners: [{ name: provider.name, npi: provider.npi, telecoms: [], type: 'REFERRING' }],
    })
    const found = bodyOf(await patients.searchProviders({ searchCriteria: provider.npi ?? '' }))
    expect(found.map(({ npi }) => npi)).toEqual([provider.npi])
  })

  test('are returned with the coverages of their filing order', async () => {
    const { id, name } = await newPatient()
    const coverage = bodyOf(await coverages.create(someCoverage(id)))
    bodyOf(await patients.update(id, '2', somePatient({ name, filingOrder: { coverages: [coverage.id] } })))
    const snapshot = bodyOf(await patients.getCoverageSnapshot(id))
    expect(snapshot).toMatchObject({ patient: { id, version: 2 }, primaryCoverage: { id: coverage.id } })
    expect(snapshot.coveragesForRelatedCauses).toEqual([])
  })

  test('have a timeline of their coverages', async () => {
    const { id } = await newPatient()
    const coverage = bodyOf(await coverages.create(someCoverage(id)))
    const { items, total } = bodyOf(await patients.getEligibilityTimeline(id, { eventTypes: 'COVERAGE_CREATED' }))
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ eventType: 'COVERAGE_CREATED', patientId: id, coverageId: coverage.id })
  })
})

describe('a merge', () => {
  test('names both patients, is found by either and in the change feed, and can be undone', async () => {
    const { alternative, primary, merge } = await newMerge()
    expect(merge).toMatchObject({ version: 1, alternativePatientMrn: alternative.mrn, primaryPatientMrn: primary.mrn })
    expect(bodyOf(await merges.getStatus(alternative.mrn))).toEqual({
      mergeStatus: 'alternative',
      primaryMrn: primary.mrn,
    })
    expect(bodyOf(await merges.getStatus(primary.id))).toEqual({
      mergeStatus: 'primary',
      alternativeMrns: [alternative.mrn],
    })
    expect(bodyOf(await merges.getAllByMrn(primary.mrn))).toEqual([merge])
    expect(bodyOf(await merges.search({ mrns: [alternative.mrn] }))).toMatchObject({ items: [merge], total: 1 })
    bodyOf(await merges.deactivate(merge.id, '2'))
    expect(bodyOf(await merges.getStatus(alternative.mrn))).toMatchObject({ mergeStatus: 'none' })
    const changes = bodyOf(await merges.scan({ since: merge.updatedAt, maxResults: 10 }))
    expect(changes.at(-1)).toMatchObject({ id: merge.id, version: 2, deactivated: true })
  })
})

describe('coverages', () => {
  test('are read page by page', async () => {
    const { id } = await newPatient()
    const made = [await coverages.create(someCoverage(id)), await coverages.create(someCoverage(id))].map(bodyOf)
    const first = bodyOf(await coverages.getMultiPaginated({ patientId: id, limit: 1 }))
    const second = bodyOf(
      await coverages.getMultiPaginated({ patientId: id, limit: 1, pageToken: first.nextPageToken }),
    )
    expect([first.total, ...first.items, ...second.items]).toEqual([2, ...made])
  })

  test('of a payer plan group change together', async () => {
    const { id: patient } = await newPatient()
    const group = PayerPlanGroupId(randomUUID())
    const plan = { ...someCoverage(patient).insurancePlan, payerPlanGroupId: group }
    const made = bodyOf(await coverages.create(someCoverage(patient, { insurancePlan: plan })))
    const fields = { payerPlanGroupId: group, payerId: PayerId('62308'), payerName: 'Fjord Health' }
    bodyOf(await coverages.batchUpdatePpg(group, { ...fields, planType: '12' }))
    expect(bodyOf(await coverages.get(made.id))).toMatchObject({ version: 2, insurancePlan: fields })
  })
})

/** Every refusal that an operation declares, as the published client sees it. Source: rules.md 1.6. */
describe('a refusal arrives as the typed error of the published client:', () => {
  const notFound = { errorName: 'NotFoundError', content: { message: expect.any(String) } }
  const bad = { errorName: 'BadRequestError', content: { message: expect.any(String) } }
  const unknownMerge = PatientMergeId(randomUUID())

  test.each<[string, object, () => Promise<{ ok: boolean; error?: unknown }>]>([
    ['patients.getCoverageSnapshot', notFound, () => patients.getCoverageSnapshot(PatientId(randomUUID()))],
    ['coverages.getMultiPaginated, limit', bad, () => coverages.getMultiPaginated({ limit: 1001 })],
    ['patientMerges.getStatus', notFound, () => merges.getStatus('nobody')],
    ['patientMerges.getAllByMrn', notFound, () => merges.getAllByMrn('nobody')],
    ['patientMerges.deactivate of an unknown id', notFound, () => merges.deactivate(unknownMerge, '2')],
    [
      'patientMerges.deactivate, stale',
      { errorName: 'VersionConflictError', content: { latestVersion: 1 } },
      async () => merges.deactivate((await newMerge()).merge.id, '9'),
    ],
    [
      'patientMerges.create of one patient',
      bad,
      async () => {
        const { mrn } = await newPatient()
        return merges.create({ alternativePatientMrn: mrn, primaryPatientMrn: mrn })
      },
    ],
    [
      'patientMerges.search, page token',
      bad,
      () => merges.search({ mrns: ['nobody'], pageToken: PageToken('not a token') }),
    ],
  ])('%s', async (_, expected, call) => {
    const answer = await call()
    expect(answer.ok).toBe(false)
    expect(answer.error).toMatchObject(expected)
  })
})
