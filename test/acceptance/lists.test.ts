// The two lists of a front desk, read by the published client.
import { CandidApi, type CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishedClient } from '../support/published-client.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'
import { bodyOf, errorOf, someAppointment, someCoverage, somePatient } from './requests.ts'

let server: StartedServer
let client: CandidApiClient
let lists: CandidApiClient['preEncounter']['lists']['v1']

beforeAll(async () => {
  server = await startServerOnClone()
  client = publishedClient(server, await server.newCredentials())
  lists = client.preEncounter.lists.v1
})
afterAll(() => server?.stop())

const { FilterQueryString, PageToken } = CandidApi.preEncounter

/** A patient with a coverage in the filing order and an appointment in the future. */
async function arrive(family: string) {
  const patients = client.preEncounter.patients.v1
  const body = somePatient({ name: { family, given: ['Iris'], use: 'USUAL' } })
  const { id } = bodyOf(await patients.create({ body, skipDuplicateCheck: true }))
  const coverage = bodyOf(await client.preEncounter.coverages.v1.create(someCoverage(id)))
  const patient = bodyOf(await patients.update(id, '2', { ...body, filingOrder: { coverages: [coverage.id] } }))
  const startTimestamp = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 2, 15))
  const services = [{ universalServiceIdentifier: 'MD_Visit' as const }]
  const appointment = bodyOf(
    await client.preEncounter.appointments.v1.create(someAppointment(id, { startTimestamp, services })),
  )
  return { patient, coverage, appointment }
}

describe('the patient list', () => {
  test('shows each patient with coverages, next appointment and merges, with pages forward and back', async () => {
    const [kept, merged] = [await arrive('Okafor'), await arrive('Okafor')]
    bodyOf(
      await client.preEncounter.patientMerges.v1.create({
        primaryPatientMrn: kept.patient.mrn,
        alternativePatientMrn: merged.patient.mrn,
      }),
    )
    const filters = FilterQueryString('patient.name.family|ieq|OKAFOR')
    const first = bodyOf(await lists.getPatientList({ filters, limit: 1 }))
    const second = bodyOf(await lists.getPatientList({ filters, limit: 1, pageToken: first.nextPageToken }))
    const back = bodyOf(await lists.getPatientList({ filters, limit: 1, pageToken: second.prevPageToken }))
    expect([first.total, second.nextPageToken, back.items]).toEqual([2, undefined, first.items])
    expect(first.items[0]).toMatchObject({
      patient: { id: kept.patient.id },
      primaryCoverage: { insurancePlan: { memberId: kept.coverage.insurancePlan.memberId } },
      nextAppointment: { startTimestamp: kept.appointment.startTimestamp },
      alternativeMrns: [merged.patient.mrn],
    })
    expect(second.items[0]).toMatchObject({ primaryMrn: kept.patient.mrn, alternativeMrns: [] })
    const alone = bodyOf(await lists.getPatientList({ filters, hideAlternatives: true }))
    expect(alone.items.map(({ patient }) => patient.id)).toEqual([kept.patient.id])
    const byMrn = FilterQueryString(`patient.mrn|eq|${merged.patient.mrn}`)
    const redirected = bodyOf(await lists.getPatientList({ filters: byMrn, redirectToPrimary: true }))
    expect(redirected.items.map(({ patient }) => patient.id)).toEqual([kept.patient.id])
  })

  test('refuses an unknown path, and a page token of another organization, with the typed error', async () => {
    const unknown = await lists.getPatientList({ filters: FilterQueryString('patient.famly|eq|x') })
    expect(errorOf(unknown).errorName).toBe('BadRequestError')
    expect(errorOf(await lists.getPatientList({ pageToken: PageToken('not.ours') })).errorName).toBe('BadRequestError')
  })
})

describe('the appointment list', () => {
  test('shows each appointment with its patient, coverage and first service, and merged patients on demand', async () => {
    const [kept, merged] = [await arrive('Marlowe'), await arrive('Marlowe')]
    bodyOf(
      await client.preEncounter.patientMerges.v1.create({
        primaryPatientMrn: kept.patient.mrn,
        alternativePatientMrn: merged.patient.mrn,
      }),
    )
    const filters = FilterQueryString(`patient.id|eq|${kept.patient.id}`)
    const own = bodyOf(await lists.getAppointmentList({ filters }))
    expect(own.items).toMatchObject([
      {
        appointment: { id: kept.appointment.id },
        patient: { mrn: kept.patient.mrn },
        primaryCoverage: { status: 'ACTIVE' },
        primaryServiceType: 'MD_Visit',
      },
    ])
    const all = bodyOf(await lists.getAppointmentList({ filters, includeMergedPatientData: true }))
    expect(all.items.map(({ patient }) => patient.mrn).sort()).toEqual([kept.patient.mrn, merged.patient.mrn].sort())
  })
})
