import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appointmentBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { withAttending } from './attending-doctor.ts'

const service = testService()
type Fields = Record<string, unknown>

const doctor = (family: string, overrides: Fields = {}) => ({
  name: { family, given: ['Iris'], use: 'USUAL' as const },
  telecoms: [],
  ...overrides,
})

async function newPatient({ call }: Caller, overrides: Fields = {}) {
  const reply = await call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()), ...overrides }))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const see = async (caller: Caller, patientId: string, attending_doctor?: Fields, overrides: Fields = {}) =>
  caller.call('POST', '/appointments/v1', appointmentBody(patientId, { attending_doctor, ...overrides }))

const read = async ({ call }: Caller, id: string) => (await call('GET', `/patients/v1/${id}`)).body

describe("an appointment's attending doctor", () => {
  it("becomes the patient's attending doctor, in a new version that keeps all other fields", async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller, { social_security_number: '078-05-1120', language: 'es' })
    await see(caller, patient.id, doctor('Hale', { npi: '1234567893' }))
    const after = await read(caller, patient.id)
    expect(after).toEqual({
      ...patient,
      version: 2,
      updated_at: after.updated_at,
      general_practitioners: [doctor('Hale', { npi: '1234567893', type: 'ATTENDING' })],
    })
    const { body: history } = await caller.call('GET', `/patients/v1/${patient.id}/history`)
    expect(history).toEqual([patient, after])
    const { body: scanned } = await caller.call('GET', '/patients/v1/updates/scan?since=2020-01-01T00:00:00Z')
    expect(scanned).toEqual([after])
  })

  it('replaces the previous one and keeps the other practitioners, on create and on update', async () => {
    const caller = await service.newCaller()
    const primary = doctor('Stone', { type: 'PRIMARY' })
    const referring = doctor('Reed', { type: 'REFERRING' })
    const former = doctor('Moss', { type: 'ATTENDING' })
    const patient = await newPatient(caller, { general_practitioners: [primary, former, referring] })
    const { body: made } = await see(caller, patient.id, doctor('Hale'))
    const hale = doctor('Hale', { type: 'ATTENDING' })
    expect((await read(caller, patient.id)).general_practitioners).toEqual([primary, hale, referring])
    const next = appointmentBody(patient.id, { attending_doctor: doctor('Fern', { type: 'REFERRING' }) })
    expect((await caller.call('PUT', `/appointments/v1/${made.id}/2`, next)).status).toBe(200)
    const fern = doctor('Fern', { type: 'ATTENDING' })
    expect((await read(caller, patient.id)).general_practitioners).toEqual([primary, fern, referring])
  })

  it('creates no new version of the patient when the doctor is the same by NPI, or by name where one of the two has no NPI', async () => {
    const caller = await service.newCaller()
    const known = doctor('Hale', { npi: '1234567893', fax: '555-0100', type: 'ATTENDING' })
    const patient = await newPatient(caller, { general_practitioners: [known] })
    await see(caller, patient.id, doctor('Married', { npi: '1234567893' }))
    await see(caller, patient.id, doctor(' HALE'))
    await see(caller, patient.id)
    expect(await read(caller, patient.id)).toEqual(patient)
    await see(caller, patient.id, doctor('Hale', { npi: '1999999984' }))
    expect(await read(caller, patient.id)).toMatchObject({ version: 2, general_practitioners: [{ npi: '1999999984' }] })
  })

  it('stays without a type on the appointment itself', async () => {
    const caller = await service.newCaller()
    const { body } = await see(caller, (await newPatient(caller)).id, doctor('Hale'))
    expect(body.attending_doctor).toEqual(doctor('Hale'))
  })

  it('of a refused appointment does not change the patient', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const { body: made } = await see(caller, patient.id, undefined, { placer_appointment_id: 'A-1' })
    const refused = appointmentBody(patient.id, { attending_doctor: doctor('Hale'), placer_appointment_id: 'A-1' })
    expectEnvelope(await caller.call('POST', '/appointments/v1', refused), 409)
    expectEnvelope(await caller.call('PUT', `/appointments/v1/${made.id}/7`, refused), 409)
    expectEnvelope(await caller.call('PUT', `/appointments/v1/${randomUUID()}/2`, refused), 404)
    expect(await read(caller, patient.id)).toEqual(patient)
  })

  it('loses no write when many appointments and other writers change the same patient concurrently', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const seen = Array.from({ length: 20 }, (_, index) => see(caller, patient.id, doctor(`Doctor ${index}`)))
    const edits = (async () => {
      for (let saved = 0; saved < 5; ) {
        const { version, ...body } = await read(caller, patient.id)
        const edit = { ...body, language: `edit ${saved}` }
        const { status } = await caller.call('PUT', `/patients/v1/${patient.id}/${version + 1}`, edit)
        expect([200, 409]).toContain(status)
        if (status === 200) saved++
      }
    })()
    for (const { status, text } of await Promise.all(seen)) expect(status, text).toBe(200)
    await edits
    const after = await read(caller, patient.id)
    expect(after).toMatchObject({ version: 26, language: 'edit 4' })
    expect(after.general_practitioners).toHaveLength(1)
  })

  it('that waits for a locked patient does not stall other writes of appointments or patients', async () => {
    const caller = await service.newCaller()
    const [held, other] = [await newPatient(caller), await newPatient(caller)]
    let waiting: ReturnType<typeof see> | undefined
    await service.database.transaction(async (transaction) => {
      await transaction.rows('select 1 from patient where id = $1 for update', [held.id])
      waiting = see(caller, held.id, doctor('Hale'))
      await see(caller, other.id, doctor('Fern'))
      await newPatient(caller)
    })
    expect((await waiting)?.status).toBe(200)
    expect((await read(caller, held.id)).general_practitioners).toMatchObject([{ name: { family: 'Hale' } }])
  })
})

describe('withAttending', () => {
  it('is the only attending entry, where a provider without a type counts as attending', () => {
    const providers = [doctor('Moss'), doctor('Stone', { type: 'PRIMARY' }), doctor('Reed', { type: 'ATTENDING' })]
    expect(withAttending(providers as never, doctor('Hale') as never)).toEqual([
      doctor('Hale', { type: 'ATTENDING' }),
      providers[1],
    ])
    expect(withAttending(providers as never, doctor('Reed') as never)).toEqual([providers[2], providers[1]])
    expect(withAttending([doctor('Hale')] as never, doctor('Hale') as never)).toBeUndefined()
  })
})
