import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appointmentBody, nameBody } from '../../../../test/support/bodies.ts'
import {
  checkCoverage,
  newCoverage,
  newPatient,
  ok,
  readCoverage,
  timelineEventsOf,
} from '../../../../test/support/coverage-checks.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { NOT_FOUND, scriptedPayer } from '../../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { singleConnection } from '../../../../test/support/single-connection.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))
const [asked, listed] = ['createEncounterEligibility', 'encounterEligibility'].map(
  (name) => endpoints.find(({ operation }) => operation === `eligibilityChecks.${name}`)!,
)

const doctor = { name: nameBody('Okafor', 'Ada'), npi: '1234567893', telecoms: [] }

/** An appointment of a patient with one coverage, filed as the primary one. */
async function newEncounter(caller: Caller, overrides: Record<string, unknown> = {}, relationship = 'SELF') {
  const patient = await newPatient(caller)
  const coverage = await newCoverage(caller, { patient: patient.id, relationship })
  const filed = { ...patient, filing_order: { coverages: [coverage.id] } }
  await ok(caller, 'PUT', `/patients/v1/${patient.id}/2`, filed)
  const body = appointmentBody(patient.id, { attending_doctor: doctor, ...overrides })
  const appointment = await ok(caller, 'POST', '/appointments/v1', body)
  return { id: appointment.id as string, patient, coverage }
}

async function ask(caller: Caller, encounterId: string) {
  const reply = await caller.call('POST', '/eligibility-checks/v1/eligibility', { encounter_id: encounterId })
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(asked!, reply)
  return reply.body
}

async function list(caller: Caller, encounterId: string) {
  const reply = await caller.call('GET', `/eligibility-checks/v1/encounter_eligibility?encounter_id=${encounterId}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(listed!, reply)
  return reply.body.items
}

describe('POST /eligibility-checks/v1/eligibility', () => {
  it("checks the patient's primary coverage on the day of the appointment in the organization's calendar", async () => {
    const caller = await service.newCaller({ timeZone: 'America/New_York' })
    const { id, coverage } = await newEncounter(caller, { start_timestamp: '2026-03-11T03:30:00.000Z' })
    const body = await ask(caller, id)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: 'STEDI',
      dateOfService: '2026-03-10',
      payerId: '60054',
      providerNPI: '1234567893',
      status: 'ACTIVE',
      errors: [],
    })
    const inquiry = payer.inquiries.find(({ subscriber }) => subscriber.memberId === coverage.memberId)
    expect(inquiry).toMatchObject({
      dateOfService: '2026-03-10',
      provider: { npi: '1234567893' },
      serviceTypeCodes: ['30'],
    })
  })

  it('writes the check into the coverage, and records it in the timeline with the appointment', async () => {
    const caller = await service.newCaller()
    const { id, patient, coverage } = await newEncounter(caller)
    const { id: check_id } = await ask(caller, id)
    expect((await readCoverage(caller, coverage.id)).latest_eligibility_check).toMatchObject({
      check_id,
      status: 'ACTIVE',
    })
    const event = (await timelineEventsOf(caller, patient.id)).find(
      ({ event_type }) => event_type === 'ELIG_CHECK_COMPLETED',
    )
    expect(event).toMatchObject({
      appointment_id: id,
      appointment_date: '2026-03-10',
      coverage_id: coverage.id,
      payload: { check_id, appointment_id: id, coverage_type: 'primary' },
    })
  })

  it('names the dependent, and shows why the payer rejected the inquiry', async () => {
    const caller = await service.newCaller()
    const { id, coverage } = await newEncounter(caller, {}, 'CHILD')
    payer.answers.set(coverage.memberId, NOT_FOUND)
    const body = await ask(caller, id)
    expect(body).toMatchObject({
      dependent: { name: expect.stringMatching(/^Ana \S+$/) },
      status: 'UNKNOWN',
      errors: [{ source: 'STEDI', errorDetails: { 'code?': '75' } }],
    })
  })

  it("uses the organization's NPI when the appointment has no doctor with an NPI", async () => {
    const caller = await service.newCaller()
    await service.database.rows(`update organization set npi = '1999999984' where id = $1`, [caller.organizationId])
    for (const attending_doctor of [undefined, { ...doctor, npi: undefined }, { ...doctor, npi: '' }]) {
      const { id } = await newEncounter(caller, { attending_doctor })
      expect((await ask(caller, id)).providerNPI).toBe('1999999984')
    }
  })

  it('reports a missing NPI, and sends no inquiry', async () => {
    const caller = await service.newCaller()
    const { id, coverage } = await newEncounter(caller, { attending_doctor: undefined })
    const body = await ask(caller, id)
    expect(body).toMatchObject({ payerId: '60054', providerNPI: '', status: 'UNKNOWN' })
    expect(body.errors).toMatchObject([{ source: 'CANDID', errorDetails: { 'field?': 'attending_doctor.npi' } }])
    expect(payer.countFor(coverage.memberId)).toBe(0)
    expect((await readCoverage(caller, coverage.id)).version).toBe(1)
    expect(await list(caller, id)).toEqual([body])
  })

  it('reports a missing coverage of the patient', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const made = await ok(caller, 'POST', '/appointments/v1', appointmentBody(patient.id, { attending_doctor: doctor }))
    const body = await ask(caller, made.id)
    expect(body).toMatchObject({ dateOfService: '2026-03-10', payerId: '', status: 'UNKNOWN' })
    expect(body.errors).toMatchObject([{ source: 'CANDID', errorDetails: { 'field?': 'filing_order.coverages' } }])
    expect(await list(caller, made.id)).toEqual([body])
  })

  it('returns 404 for an encounter that does not exist or belongs to another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const { id } = await newEncounter(owner)
    for (const encounter_id of [id, randomUUID(), 'nobody', '']) {
      expectEnvelope(await stranger.call('POST', '/eligibility-checks/v1/eligibility', { encounter_id }), 404)
    }
    expect(await list(owner, id)).toEqual([])
  })

  it('answers 400 without an encounter', async () => {
    const { call } = await service.newCaller()
    expectEnvelope(await call('POST', '/eligibility-checks/v1/eligibility', {}), 400)
    expectEnvelope(await call('GET', '/eligibility-checks/v1/encounter_eligibility'), 400)
  })
})

describe('GET /eligibility-checks/v1/encounter_eligibility', () => {
  it('lists only the checks of the encounter, newest first', async () => {
    const caller = await service.newCaller()
    const { id, coverage } = await newEncounter(caller)
    const [first, second] = [await ask(caller, id), await ask(caller, id)]
    await checkCoverage(caller, coverage.id)
    expect(await list(caller, id)).toEqual([second, first])
    expect(await list(caller, id.toUpperCase())).toEqual([second, first])
  })

  it('lists nothing for an encounter that does not exist or belongs to another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const { id } = await newEncounter(owner)
    await ask(owner, id)
    for (const unknown of [id, randomUUID(), 'nobody', '']) expect(await list(stranger, unknown)).toEqual([])
  })

  it('names Availity as the source for payers that its connector serves', async () => {
    const caller = await service.newCaller()
    const { id } = await newEncounter(caller)
    await ask(caller, id)
    const original = service.deps.clearinghouses
    const { clearinghouse, ...connection } = await original.standard(caller.organizationId)
    const availity = { ...clearinghouse, fetchCoverage: () => Promise.reject(new Error('not called')) }
    try {
      Object.assign(service.deps, { clearinghouses: singleConnection({ ...connection, clearinghouse: availity }) })
      expect((await list(caller, id))[0].source).toBe('AVAILITY')
    } finally {
      Object.assign(service.deps, { clearinghouses: original })
    }
  })
})
