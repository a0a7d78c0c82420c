import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope, messageOf } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
const MARCH = 'appointment.startTimestamp|gt|2026-02-28'
const listed = endpoints.find(({ operation }) => operation === 'appointments.getVisits')!
const counted = endpoints.find(({ operation }) => operation === 'appointments.getCounts')!

async function newPatient({ call }: Caller, overrides: Record<string, unknown> = {}): Promise<string> {
  const body = patientBody({ name: nameBody('Rivera'), ...overrides })
  const reply = await call('POST', '/patients/v1?skip_duplicate_check=true', body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.id
}

async function newAppointment({ call }: Caller, patientId: string, overrides: Record<string, unknown>) {
  const reply = await call('POST', '/appointments/v1', appointmentBody(patientId, overrides))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const notReady = (reason?: string) => ({
  status: 'NOT_READY',
  work_queue: 'NEW_PATIENT',
  ...(reason && { not_ready_reason: reason }),
})

async function visits({ call }: Caller, filters: string, more = '') {
  const reply = await call('GET', `/appointments/v1/visits?filters=${encodeURIComponent(filters)}${more}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(listed, reply)
  return reply.body
}

async function counts({ call }: Caller, filters: string) {
  const reply = await call('GET', `/appointments/v1/visits/counts?filters=${encodeURIComponent(filters)}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(counted, reply)
  return reply.body.not_ready_reason_counts
}

describe('GET /appointments/v1/visits', () => {
  it("groups a patient's appointments of one day into a visit that starts with the earliest", async () => {
    const caller = await service.newCaller()
    const patientId = await newPatient(caller)
    for (const time of ['2026-03-10T15:00:00.000Z', '2026-03-10T09:30:00.000Z', '2026-03-11T08:00:00.000Z'])
      await newAppointment(caller, patientId, { start_timestamp: time })
    const { items, total } = await visits(caller, MARCH)
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { patient_id: patientId, organization_id: caller.organizationId, start_time: '2026-03-10T09:30:00.000Z' },
      { patient_id: patientId, start_time: '2026-03-11T08:00:00.000Z' },
    ])
    expect(items[0].patient).toMatchObject({ mrn: expect.any(String), name: { family: 'Rivera' } })
    expect(items[0].patient).not.toHaveProperty('id')
  })

  it('separates patients with appointments at the same time, and shows an encrypted number as it was sent', async () => {
    const caller = await service.newCaller()
    const ids = [await newPatient(caller, { social_security_number: '900-55-1234' }), await newPatient(caller)]
    for (const id of ids) await newAppointment(caller, id, {})
    const { items } = await visits(caller, MARCH)
    expect(items.map((each: { patient_id: string }) => each.patient_id)).toEqual(ids.toSorted())
    const encrypted = items.find((each: { patient_id: string }) => each.patient_id === ids[0])
    expect(encrypted.patient.social_security_number).toBe('900-55-1234')
  })

  it("counts days in the organization's time zone, also where a day has 23 or 25 hours", async () => {
    const caller = await service.newCaller({ timeZone: 'America/New_York' })
    const patientId = await newPatient(caller)
    // Clocks go forward on 8 March: the day ends at 04:00 UTC. They go back on 1 November: it ends at 05:00 UTC.
    for (const time of ['2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z', '2026-03-09T04:00:00Z'])
      await newAppointment(caller, patientId, { start_timestamp: time })
    for (const time of ['2026-11-01T04:00:00Z', '2026-11-02T04:59:00Z', '2026-11-02T05:00:00Z'])
      await newAppointment(caller, patientId, { start_timestamp: time })
    const starts = async (filters: string) =>
      (await visits(caller, filters)).items.map((each: { start_time: string }) => each.start_time.slice(0, 16))
    expect(await starts(MARCH)).toEqual([
      '2026-03-08T05:00',
      '2026-03-09T04:00',
      '2026-11-01T04:00',
      '2026-11-02T05:00',
    ])
    expect(await starts('appointment.startTimestamp|eq|2026-03-08')).toEqual(['2026-03-08T05:00'])
    expect(await starts('appointment.startTimestamp|gt|2026-03-08,startTime|lt|2026-11-01')).toEqual([
      '2026-03-09T04:00',
    ])
  })

  it.each([
    [['NO_SHOW', 'CHECKED_OUT'], 'CHECKED_OUT'],
    [['CHECKED_OUT', 'CHECKED_IN'], 'CHECKED_IN'],
    [['CHECKED_IN', 'READY'], 'READY'],
    [['READY', 'PENDING'], 'PENDING'],
    [['PENDING', 'NOT_READY', 'NO_SHOW'], 'NOT_READY'],
  ])('of %s the visit is %s', async (statuses, status) => {
    const caller = await service.newCaller()
    const patientId = await newPatient(caller)
    const times = { checked_in_timestamp: '2026-03-10T14:00:00Z', checked_out_timestamp: '2026-03-10T15:00:00Z' }
    const fitting: Record<string, Record<string, unknown>> = {
      NOT_READY: notReady(),
      CHECKED_IN: { checked_in_timestamp: times.checked_in_timestamp },
      CHECKED_OUT: times,
    }
    for (const each of statuses) await newAppointment(caller, patientId, { status: each, ...fitting[each] })
    expect((await visits(caller, MARCH)).items).toMatchObject([{ status }])
  })

  it('excludes deactivated appointments', async () => {
    const caller = await service.newCaller()
    const patientId = await newPatient(caller)
    const { id } = await newAppointment(caller, patientId, notReady('ERROR'))
    await newAppointment(caller, patientId, { start_timestamp: '2026-03-10T18:00:00Z' })
    await caller.call('DELETE', `/appointments/v1/${id}/1`)
    expect((await visits(caller, MARCH)).items).toMatchObject([
      { start_time: '2026-03-10T18:00:00.000Z', status: 'PENDING' },
    ])
    expect(await counts(caller, MARCH)).toEqual({})
  })

  it('applies filters to appointments before grouping them into visits', async () => {
    const caller = await service.newCaller()
    const patientId = await newPatient(caller)
    await newAppointment(caller, patientId, { start_timestamp: '2026-03-10T09:00:00Z', ...notReady() })
    await newAppointment(caller, patientId, { start_timestamp: '2026-03-10T12:00:00Z', status: 'READY' })
    const { items, total } = await visits(caller, `${MARCH},appointment.status|eq|READY`)
    expect([items.length, total]).toEqual([1, 1])
    expect(items[0]).toMatchObject({ status: 'READY', start_time: '2026-03-10T12:00:00.000Z' })
  })

  it('shows status, payer and plan group of the first two coverages of the filing order', async () => {
    const caller = await service.newCaller()
    const patientId = await newPatient(caller)
    const group = '0197a2c6-4d5e-7f60-8a1b-2c3d4e5f6a7b'
    const plans = [
      { status: 'ACTIVE', plan: { payer_name: 'Aetna "Plus"', payer_plan_group_id: group } },
      { status: 'CANCELLED', plan: { payer_name: 'Cigna' } },
      { status: 'DRAFT', plan: { payer_name: 'Humana' } },
    ]
    const coverages: string[] = []
    for (const { status, plan } of plans) {
      const insurance_plan = { member_id: 'W1', payer_id: '60054', ...plan }
      const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patientId, { status, insurance_plan }))
      coverages.push(body.id)
    }
    const body = patientBody({ name: nameBody('Rivera'), filing_order: { coverages } })
    expect((await caller.call('PUT', `/patients/v1/${patientId}/2`, body)).status).toBe(200)
    await newAppointment(caller, patientId, {})
    const remaining = {
      primary_coverage_status: 'ACTIVE',
      primary_payer_name: 'Aetna "Plus"',
      primary_payer_plan_group_id: group,
      secondary_coverage_status: 'CANCELLED',
      secondary_payer_name: 'Cigna',
    }
    const { items } = await visits(caller, `${MARCH},primaryPayerPlanGroupId|eq|${group}`)
    const { patient_id, organization_id, patient, start_time, status, ...rest } = items[0]
    expect(rest).toEqual(remaining)
    expect((await visits(caller, `${MARCH},secondaryCoverageStatus|eq|ACTIVE`)).items).toEqual([])
    const plain = await newPatient(caller)
    await newAppointment(caller, plain, { start_timestamp: '2026-03-10T15:00:00Z' })
    const byPayer = await visits(caller, MARCH, '&sort_field=primaryPayerName&sort_direction=desc')
    expect(byPayer.items.map((each: { patient_id: string }) => each.patient_id)).toEqual([plain, patientId])
    expect(byPayer.items[0]).not.toHaveProperty('primary_payer_name')
  })

  it('sorts by paths of the patient and by similarity of a name', async () => {
    const caller = await service.newCaller()
    for (const family of ['Okafor', 'Marlowe', 'Zhang'])
      await newAppointment(caller, await newPatient(caller, { name: nameBody(family, 'Iris') }), {})
    const families = async (more: string) =>
      (await visits(caller, MARCH, more)).items.map((each: { patient: { name: object } }) => each.patient.name)
    expect(await families('&sort_field=patient.name.family')).toMatchObject([
      { family: 'Marlowe' },
      { family: 'Okafor' },
      { family: 'Zhang' },
    ])
    expect((await families('&sort_field=similar_name:iris%20zang&sort_direction=desc'))[0]).toMatchObject({
      family: 'Zhang',
    })
  })

  it('includes the total on an empty page and on a page with limit 0', async () => {
    const caller = await service.newCaller()
    expect(await visits(caller, MARCH)).toEqual({ items: [], total: 0 })
    await newAppointment(caller, await newPatient(caller), {})
    expect(await visits(caller, MARCH, '&limit=0')).toEqual({ items: [], total: 1 })
  })
})

describe('GET /appointments/v1/visits/counts', () => {
  it('counts visits, not appointments, for each reason', async () => {
    const caller = await service.newCaller()
    const [first, second] = [await newPatient(caller), await newPatient(caller)]
    await newAppointment(caller, first, notReady('NO_COVERAGE'))
    await newAppointment(caller, first, notReady('NO_COVERAGE'))
    await newAppointment(caller, first, notReady('ERROR'))
    await newAppointment(caller, first, { start_timestamp: '2026-03-12T14:00:00Z', ...notReady('NO_COVERAGE') })
    await newAppointment(caller, second, notReady('NO_COVERAGE'))
    await newAppointment(caller, second, { status: 'READY' })
    expect(await counts(caller, MARCH)).toEqual({ NO_COVERAGE: 3, ERROR: 1 })
    expect(await counts(caller, `appointment.startTimestamp|eq|2026-03-10,patient.id|eq|${second}`)).toEqual({
      NO_COVERAGE: 1,
    })
  })
})

describe.each(['/appointments/v1/visits', '/appointments/v1/visits/counts'])('%s', (path) => {
  it.each([
    [undefined, 'filters'],
    ['', 'appointment.startTimestamp'],
    ['appointment.status|eq|READY', 'appointment.startTimestamp'],
    ['appointment.startTimestamp|in|2026-03-10', 'appointment.startTimestamp'],
    ['appointment.checkedInTimestamp|gt|2026-03-10', 'appointment.startTimestamp'],
    [`${MARCH},appointment.startTimestmp|gt|2026-03-10`, 'appointment.startTimestamp'],
    [`${MARCH},patient.socialSecurityNumber|eq|900-55-1234`, 'patient.socialSecurityNumber'],
    [`${MARCH},status|eq|NONE`, 'NOT_READY'],
    [`${MARCH},patient.name.family|like|R%`, 'contains'],
    ['startTime|gt|yesterday', 'startTime'],
  ])('returns 400 for the filters %s and names what is missing or wrong', async (filters, named) => {
    const { call } = await service.newCaller()
    const query = filters === undefined ? '' : `?filters=${encodeURIComponent(filters)}`
    const reply = await call('GET', path + query)
    expectEnvelope(reply, 400)
    expect(reply.body.errorName).toBe('BadRequestError')
    expect(messageOf(reply)).toContain(named)
  })

  it.each(['appointment.start_time', 'startTime', 'appointment.startTimestamp'])(
    'accepts the date as %s',
    async (name) => {
      const { call } = await service.newCaller()
      for (const operator of ['gt', 'lt', 'eq'])
        expect((await call('GET', `${path}?filters=${name}|${operator}|2026-03-10&sort_field=${name}`)).status).toBe(
          200,
        )
    },
  )
})
