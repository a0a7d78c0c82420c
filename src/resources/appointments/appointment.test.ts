import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appointmentBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
type Fields = Record<string, unknown>

const IN = '2026-03-10T14:01:00.000Z'
const OUT = '2026-03-10T14:40:00.000Z'

async function newPatient({ call }: Caller) {
  return (await call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))).body.id as string
}

async function create(caller: Caller, overrides: Fields = {}) {
  const reply = await caller.call('POST', '/appointments/v1', appointmentBody(await newPatient(caller), overrides))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const put = (caller: Caller, { id, version, patient_id }: Fields, overrides: Fields = {}) =>
  caller.call('PUT', `/appointments/v1/${id}/${Number(version) + 1}`, appointmentBody(String(patient_id), overrides))

describe('POST /appointments/v1', () => {
  it('returns 200 with version 1 and the default status PENDING', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const { body } = await caller.call('POST', '/appointments/v1', appointmentBody(patient, { notes: null }))
    expect(body).toEqual({
      ...appointmentBody(patient),
      ...firstVersionOf(caller),
      status: 'PENDING',
    })
  })

  it.each([2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER])(
    'an integer that clients with 32 bits cannot read is refused: %d',
    async (estimated_copay_cents) => {
      const caller = await service.newCaller()
      const patient = await caller.call('POST', '/patients/v1', patientBody())
      const body = { ...appointmentBody(patient.body.id), estimated_copay_cents }
      const refused = await caller.call('POST', '/appointments/v1', body)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain('estimated_copay_cents')
    },
  )

  it('accepts an appointment without duration and services, and one with every field', async () => {
    const caller = await service.newCaller()
    expect(await create(caller, { service_duration: 0, services: [] })).toMatchObject({
      service_duration: 0,
      services: [],
    })
    const details = {
      services: [{}, { universal_service_identifier: 'Tests', start_timestamp: IN }],
      placer_system_name: 'EHR',
      estimated_copay_cents: 2500,
      estimated_patient_responsibility_cents: 0,
      patient_deposit_cents: 100,
      appointment_details: 'first visit',
      appointment_reason_detail: { diagnosis_codes: ['I10'], procedure_codes: ['99213'] },
      medical_necessity_verified: true,
      prior_authorization_status: 'PARTIALLY_APPROVED',
      notes: 'wheelchair',
      location_resource_id: '12^Room 3',
      automated_eligibility_check_complete: false,
    }
    expect(await create(caller, details)).toMatchObject(details)
  })

  it('returns 404 for a patient that does not exist or belongs to another organization, and stores nothing', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    for (const patient of [randomUUID(), 'nobody', '', await newPatient(stranger)]) {
      const reply = await caller.call('POST', '/appointments/v1', appointmentBody(patient))
      expectEnvelope(reply, 404)
      expect(reply.body).toEqual({ errorName: 'NotFoundError', content: { message: 'Patient not found' } })
    }
    expect((await caller.call('GET', '/appointments/v1/updates/scan?since=2020-01-01T00:00:00Z')).body).toEqual([])
  })

  it('accepts a deactivated patient, and stores the patient id in lower case', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    await caller.call('DELETE', `/patients/v1/${patient}/2`)
    const { body } = await caller.call('POST', '/appointments/v1', appointmentBody(patient.toUpperCase()))
    expect(body.patient_id).toBe(patient)
  })
})

describe('placer_appointment_id', () => {
  it('already in use is 409 without latest_version for any placer system, and available in another organization', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    await create(caller, { placer_appointment_id: 'A-1', placer_system_name: 'one' })
    const second = appointmentBody(await newPatient(caller), {
      placer_appointment_id: 'A-1',
      placer_system_name: 'two',
    })
    const reply = await caller.call('POST', '/appointments/v1', second)
    expectEnvelope(reply, 409)
    expect(reply.body).toEqual({
      errorName: 'VersionConflictError',
      content: { message: 'placer_appointment_id is in use' },
    })
    await create(stranger, { placer_appointment_id: 'A-1' })
    await create(caller, { placer_appointment_id: 'a-1' })
  })

  it('already in use is refused on update too, and an update may keep its own', async () => {
    const caller = await service.newCaller()
    await create(caller, { placer_appointment_id: 'A-1' })
    const other = await create(caller, { placer_appointment_id: 'A-2' })
    const taken = await put(caller, other, { placer_appointment_id: 'A-1' })
    expectEnvelope(taken, 409)
    expect(taken.body.content).not.toHaveProperty('latest_version')
    expect((await put(caller, other, { placer_appointment_id: 'A-2' })).status).toBe(200)
  })

  it('stays taken by a deactivated appointment, and is available again once an update has removed it', async () => {
    const caller = await service.newCaller()
    const first = await create(caller, { placer_appointment_id: 'A-1' })
    await caller.call('DELETE', `/appointments/v1/${first.id}/1`)
    const again = appointmentBody(await newPatient(caller), { placer_appointment_id: 'A-1' })
    expectEnvelope(await caller.call('POST', '/appointments/v1', again), 409)
    await put(caller, { ...first, version: 2 })
    expect((await caller.call('POST', '/appointments/v1', again)).status).toBe(200)
  })

  it('is given to exactly one of many concurrent creates', async () => {
    const caller = await service.newCaller()
    const body = appointmentBody(await newPatient(caller), { placer_appointment_id: 'A-1' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => caller.call('POST', '/appointments/v1', body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  it('that is too long is refused, and the message names the field', async () => {
    const caller = await service.newCaller()
    const body = appointmentBody(await newPatient(caller), { placer_appointment_id: 'x'.repeat(501) })
    const reply = await caller.call('POST', '/appointments/v1', body)
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('placer_appointment_id')
    await create(caller, { placer_appointment_id: '💊'.repeat(500) })
  })
})

describe('the status of an appointment', () => {
  const queue = { work_queue: 'NEW_PATIENT' }
  const checkedIn = { checked_in_timestamp: IN }
  const checkedOut = { checked_out_timestamp: OUT }
  const needs: Record<string, Fields> = {
    NOT_READY: queue,
    CHECKED_IN: checkedIn,
    CHECKED_OUT: { ...checkedIn, ...checkedOut },
  }
  const bodyOf = (status: string, overrides: Fields = {}) => ({ status, ...needs[status], ...overrides })

  it.each(['PENDING', 'NOT_READY', 'READY', 'CHECKED_IN', 'CHECKED_OUT', 'NO_SHOW'])(
    '%s is accepted with the fields that it needs',
    async (status) => {
      expect(await create(await service.newCaller(), bodyOf(status))).toMatchObject(bodyOf(status))
    },
  )

  it.each(['PENDING', 'CHECKED_IN'])('%s may have a work queue', async (status) => {
    expect(await create(await service.newCaller(), bodyOf(status, queue))).toMatchObject(queue)
  })

  it.each([
    ['PENDING', checkedIn, 'checked_in_timestamp'],
    ['PENDING', checkedOut, 'checked_out_timestamp'],
    ['NOT_READY', { work_queue: null }, 'work_queue'],
    ['NOT_READY', checkedIn, 'checked_in_timestamp'],
    ['NOT_READY', checkedOut, 'checked_out_timestamp'],
    ['READY', queue, 'work_queue'],
    ['READY', checkedIn, 'checked_in_timestamp'],
    ['READY', checkedOut, 'checked_out_timestamp'],
    ['CHECKED_IN', { checked_in_timestamp: null }, 'checked_in_timestamp'],
    ['CHECKED_IN', checkedOut, 'checked_out_timestamp'],
    ['CHECKED_OUT', queue, 'work_queue'],
    ['CHECKED_OUT', { checked_in_timestamp: null }, 'checked_in_timestamp'],
    ['CHECKED_OUT', { checked_out_timestamp: null }, 'checked_out_timestamp'],
    ['NO_SHOW', queue, 'work_queue'],
    ['NO_SHOW', checkedIn, 'checked_in_timestamp'],
    ['NO_SHOW', checkedOut, 'checked_out_timestamp'],
  ])('%s with %o is 400 that names the field, on create and on update', async (status, overrides, field) => {
    const caller = await service.newCaller()
    const made = await create(caller)
    const body = bodyOf(status, overrides)
    const replies = [
      await caller.call('POST', '/appointments/v1', appointmentBody(made.patient_id, body)),
      await put(caller, made, body),
    ]
    for (const reply of replies) {
      expectEnvelope(reply, 400)
      expect(reply.body.errorName).toBe('BadRequestError')
      expect(reply.body.content.message).toContain(field)
    }
  })

  it.each([
    ['PENDING', []],
    ['NOT_READY', ['not_ready_reason']],
    ['READY', ['ready_source']],
    ['CHECKED_IN', ['ready_source']],
    ['CHECKED_OUT', ['ready_source']],
    ['NO_SHOW', ['ready_source']],
  ])('%s silently drops all reasons but %o, on create and on update', async (status, kept) => {
    const caller = await service.newCaller()
    const reasons = { not_ready_reason: 'NO_COVERAGE', ready_source: 'MACHINE' }
    const made = await create(caller, bodyOf(status, reasons))
    const { body: updated } = await put(caller, made, bodyOf(status, reasons))
    for (const body of [made, updated]) {
      expect(Object.keys(body).filter((key) => key in reasons)).toEqual(kept)
    }
  })

  it('READY without a source is stored without one', async () => {
    expect(await create(await service.newCaller(), { status: 'READY' })).not.toHaveProperty('ready_source')
  })
})

describe('PUT /appointments/v1/:id/:version', () => {
  it('takes version n+1 in its path, and may move the appointment to another existing patient', async () => {
    const caller = await service.newCaller()
    const made = await create(caller, { notes: 'old', status: 'READY' })
    const patient = await newPatient(caller)
    const { body } = await put(caller, { ...made, patient_id: patient })
    expect(body).toMatchObject({ version: 2, patient_id: patient, status: 'PENDING' })
    expect(body).not.toHaveProperty('notes')
    expectEnvelope(await put(caller, { ...body, patient_id: randomUUID() }), 404)
    expect((await caller.call('GET', `/appointments/v1/${made.id}`)).body).toEqual(body)
  })

  it('reactivates a deactivated appointment', async () => {
    const caller = await service.newCaller()
    const made = await create(caller)
    await caller.call('DELETE', `/appointments/v1/${made.id}/1`)
    expect((await caller.call('GET', `/appointments/v1/${made.id}`)).body).toMatchObject({
      deactivated: true,
      version: 2,
    })
    expect((await put(caller, { ...made, version: 2 })).body).toMatchObject({ deactivated: false, version: 3 })
  })
})

it('DELETE takes the version that was read, n, and not the next one', async () => {
  const caller = await service.newCaller()
  const made = await create(caller)
  const early = await caller.call('DELETE', `/appointments/v1/${made.id}/2`)
  expectEnvelope(early, 409)
  expect(early.body.content.latest_version).toBe(1)
  expect((await caller.call('DELETE', `/appointments/v1/${made.id}/1`)).text).toBe('')
})

it('the scan returns at most 100 records, regardless of the requested limit', async () => {
  const caller = await service.newCaller()
  const patient = await newPatient(caller)
  for (let count = 0; count < 102; count++) await caller.call('POST', '/appointments/v1', appointmentBody(patient))
  const { body } = await caller.call('GET', '/appointments/v1/updates/scan?since=2020-01-01T00:00:00Z&maxResults=500')
  expect(body).toHaveLength(100)
})
