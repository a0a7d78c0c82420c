import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody, planGroupBody } from '../../../test/support/bodies.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { recordTimelineEvent } from '../../records/timeline.ts'

const service = testService()
type Fields = Record<string, unknown>

async function ok(caller: Caller, method: 'POST' | 'PUT', url: string, sent: unknown) {
  const reply = await caller.call(method, url, sent)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const newPatient = async (caller: Caller, overrides: Fields = {}) =>
  ok(caller, 'POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()), ...overrides }))

const newCoverage = async (caller: Caller, patientId: string, overrides: Fields = {}) =>
  ok(caller, 'POST', '/coverages/v1', coverageBody(patientId, overrides))

const newAppointment = async (caller: Caller, patientId: string, overrides: Fields = {}) =>
  ok(caller, 'POST', '/appointments/v1', appointmentBody(patientId, overrides))

const changeAppointment = async (caller: Caller, { id, version, patient_id }: Fields, overrides: Fields = {}) =>
  ok(caller, 'PUT', `/appointments/v1/${id}/${Number(version) + 1}`, appointmentBody(String(patient_id), overrides))

const changeCoverage = async (caller: Caller, { id, version, patient }: Fields, overrides: Fields = {}) =>
  ok(caller, 'PUT', `/coverages/v1/${id}/${Number(version) + 1}`, coverageBody(String(patient), overrides))

const timeline = async ({ call }: Caller, patientId: string, query = '') =>
  (await call('GET', `/patients/v1/${patientId}/eligibility-timeline${query}`)).body

/** The types and payloads of a patient's events, newest first. */
async function eventsOf(caller: Caller, patientId: string, query = ''): Promise<[string, Fields][]> {
  const { items } = await timeline(caller, patientId, query)
  return items.map(({ event_type, payload }: { event_type: string; payload: Fields }) => [event_type, payload])
}

describe('the timeline events of an appointment', () => {
  it("contain its status, work queue and copay, with its day in the organization's time zone", async () => {
    const caller = await service.newCaller({ timeZone: 'America/New_York' })
    const { id: patient } = await newPatient(caller)
    const made = await newAppointment(caller, patient, { start_timestamp: '2026-03-11T03:30:00.000Z' })
    expect(await eventsOf(caller, patient)).toEqual([])
    const updated = await changeAppointment(caller, made, {
      start_timestamp: '2026-03-11T03:30:00.000Z',
      status: 'NOT_READY',
      not_ready_reason: 'NO_COVERAGE',
      work_queue: 'NEW_PATIENT',
      estimated_copay_cents: 2500,
    })
    const { items, total } = await timeline(caller, patient)
    const shared = {
      id: expect.any(String),
      patient_id: patient,
      appointment_id: made.id,
      appointment_date: '2026-03-10',
      timestamp: updated.updated_at,
      user_id: updated.updating_user_id,
      user_name: 'test',
    }
    expect(total).toBe(3)
    expect(items).toEqual([
      {
        ...shared,
        event_type: 'APPOINTMENT_COPAY_UPDATED',
        payload: { copay_cents: 2500, service: 'MD_Visit', appointment_date: '2026-03-10' },
      },
      { ...shared, event_type: 'APPOINTMENT_WORK_QUEUE_CHANGED', payload: { to_work_queue: 'NEW_PATIENT' } },
      {
        ...shared,
        event_type: 'APPOINTMENT_STATUS_CHANGED',
        payload: { from_status: 'PENDING', to_status: 'NOT_READY', not_ready_reason: 'NO_COVERAGE' },
      },
    ])
  })

  it('are written once per change, and not when an update leaves the three fields unchanged', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const made = await newAppointment(caller, patient)
    const queued = { status: 'NOT_READY', work_queue: 'NEW_PATIENT', estimated_copay_cents: 100 }
    const second = await changeAppointment(caller, made, queued)
    const third = await changeAppointment(caller, second, { ...queued, notes: 'called' })
    expect(await eventsOf(caller, patient)).toHaveLength(3)
    await changeAppointment(caller, third)
    expect((await eventsOf(caller, patient)).slice(0, -3)).toEqual([
      ['APPOINTMENT_WORK_QUEUE_CHANGED', { from_work_queue: 'NEW_PATIENT' }],
      ['APPOINTMENT_STATUS_CHANGED', { from_status: 'NOT_READY', to_status: 'PENDING' }],
    ])
  })

  it('of a create contain a status other than PENDING, a work queue and a copay', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    await newAppointment(caller, patient, {
      status: 'NOT_READY',
      work_queue: 'NEW_PATIENT',
      estimated_copay_cents: 0,
      services: [],
    })
    expect(await eventsOf(caller, patient)).toEqual([
      ['APPOINTMENT_COPAY_UPDATED', { copay_cents: 0, appointment_date: '2026-03-10' }],
      ['APPOINTMENT_WORK_QUEUE_CHANGED', { to_work_queue: 'NEW_PATIENT' }],
      ['APPOINTMENT_STATUS_CHANGED', { to_status: 'NOT_READY' }],
    ])
  })

  it('include a new reason for the same status, and a new copay', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const queued = { status: 'NOT_READY', work_queue: 'NEW_PATIENT' }
    const made = await newAppointment(caller, patient, { ...queued, not_ready_reason: 'NO_COVERAGE' })
    await changeAppointment(caller, made, { ...queued, not_ready_reason: 'ERROR', estimated_copay_cents: 5 })
    expect((await eventsOf(caller, patient)).slice(0, 2)).toEqual([
      ['APPOINTMENT_COPAY_UPDATED', { copay_cents: 5, service: 'MD_Visit', appointment_date: '2026-03-10' }],
      ['APPOINTMENT_STATUS_CHANGED', { from_status: 'NOT_READY', to_status: 'NOT_READY', not_ready_reason: 'ERROR' }],
    ])
  })

  it('are not written for a refused write', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const made = await newAppointment(caller, patient)
    const ready = appointmentBody(patient, { status: 'READY' })
    expectEnvelope(await caller.call('PUT', `/appointments/v1/${made.id}/5`, ready), 409)
    expect(await eventsOf(caller, patient)).toEqual([])
  })
})

describe('the timeline events of a coverage', () => {
  it('include its creation, with its payer', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const coverage = await newCoverage(caller, patient)
    const { items } = await timeline(caller, patient)
    expect(items).toMatchObject([
      {
        event_type: 'COVERAGE_CREATED',
        coverage_id: coverage.id,
        patient_id: patient,
        timestamp: coverage.updated_at,
        payload: { payer_id: '60054', payer_name: 'Aetna' },
      },
    ])
    expect(items[0]).not.toHaveProperty('appointment_id')
  })

  it('list the fields that an update changed, as a manual edit, and are absent when nothing changed', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const made = await newCoverage(caller, patient, { benefits: { notes: 'old' } })
    const same = await changeCoverage(caller, made, { benefits: { notes: 'old' } })
    expect(await eventsOf(caller, patient)).toHaveLength(1)
    const plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', group_number: 'G' }
    await changeCoverage(caller, same, { status: 'CANCELLED', insurance_plan: plan })
    const [[type, payload]] = (await eventsOf(caller, patient)) as [[string, { edits: Fields[]; source: string }]]
    expect([type, payload.source]).toEqual(['COVERAGE_UPDATED', 'manual'])
    expect(payload.edits).toHaveLength(4)
    expect(payload.edits).toEqual(
      expect.arrayContaining([
        { field: 'status', before: 'ACTIVE', after: 'CANCELLED' },
        { field: 'insurance_plan.member_id', before: 'W123456789', after: 'W1' },
        { field: 'insurance_plan.group_number', after: 'G' },
        { field: 'benefits', before: { notes: 'old' } },
      ]),
    )
  })

  it('list the fields that a batch update of its payer plan group changed', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const { payer_plan_group_id } = planGroupBody()
    const insurance_plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id }
    const coverage = await newCoverage(caller, patient, { insurance_plan })
    const sent = planGroupBody({ payer_plan_group_id, payer_name: 'Aetna Better' })
    await ok(caller, 'POST', `/coverages/v1/batch-update-ppg/${payer_plan_group_id}`, sent)
    const { items, total } = await timeline(caller, patient, '?event_types=COVERAGE_UPDATED')
    const { body: after } = await caller.call('GET', `/coverages/v1/${coverage.id}`)
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      coverage_id: coverage.id,
      timestamp: after.updated_at,
      user_name: 'test',
      payload: {
        source: 'manual',
        edits: [
          { field: 'insurance_plan.payer_name', before: 'Aetna', after: 'Aetna Better' },
          { field: 'insurance_plan.plan_type', after: 'HM' },
        ],
      },
    })
    expect(items[0].payload.edits[1]).not.toHaveProperty('before')
  })
})

it("the timeline event of a patient's tags lists added and removed tags", async () => {
  const caller = await service.newCaller()
  const [a, b, c] = await Promise.all(
    ['a', 'b', 'c'].map(async (value) => (await ok(caller, 'POST', '/tags/v1', { value })).id),
  )
  const patient = await newPatient(caller, { tag_ids: [a, b] })
  const update = async (version: number, overrides: Fields) =>
    ok(caller, 'PUT', `/patients/v1/${patient.id}/${version}`, patientBody(overrides))
  await update(2, { tag_ids: [b, c, c] })
  await update(3, { tag_ids: [c, b], language: 'es' })
  await update(4, {})
  const types = '?event_types=PATIENT_TAGS_UPDATED'
  expect((await eventsOf(caller, patient.id, types)).map(([, payload]) => payload)).toEqual([
    { removed: [c, b] },
    { added: [c], removed: [a] },
    { added: [a, b] },
  ])
})

describe('GET /patients/v1/:id/eligibility-timeline', () => {
  it('pages in both directions, newest first, with the total on every page', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    for (let made = 0; made < 5; made++) await newCoverage(caller, patient)
    const { items: all } = await timeline(caller, patient)
    const stamps = all.map(({ timestamp }: Fields) => timestamp)
    expect(stamps).toEqual([...stamps].sort().reverse())
    const first = await timeline(caller, patient, '?limit=2')
    const second = await timeline(caller, patient, `?limit=2&page_token=${first.next_page_token}`)
    const third = await timeline(caller, patient, `?limit=2&page_token=${second.next_page_token}`)
    expect([first, second, third].flatMap(({ items }) => items)).toEqual(all)
    expect([first.total, second.total, third.total]).toEqual([5, 5, 5])
    expect([first.prev_page_token, third.next_page_token]).toEqual([undefined, undefined])
    expect((await timeline(caller, patient, `?limit=2&page_token=${third.prev_page_token}`)).items).toEqual(
      second.items,
    )
  })

  it('filters by types, coverage and appointment, and combines several filters', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const [one, other] = [await newCoverage(caller, patient), await newCoverage(caller, patient)]
    const seen = await newAppointment(caller, patient, { status: 'READY', estimated_copay_cents: 1 })
    await changeCoverage(caller, one, { verified: true })
    const types = async (query: string) => (await eventsOf(caller, patient, query)).map(([type]) => type)
    expect(await types(`?coverage_id=${one.id}`)).toEqual(['COVERAGE_UPDATED', 'COVERAGE_CREATED'])
    expect(await types(`?coverage_id=${other.id.toUpperCase()}`)).toEqual(['COVERAGE_CREATED'])
    expect(await types(`?appointment_id=${seen.id}`)).toHaveLength(2)
    expect(await types(`?coverage_id=${one.id}&appointment_id=${seen.id}`)).toEqual([])
    expect(await types(`?coverage_id=${one.id}&event_types=COVERAGE_CREATED`)).toEqual(['COVERAGE_CREATED'])
    expect(await types('?event_types=COVERAGE_UPDATED&event_types=APPOINTMENT_COPAY_UPDATED')).toEqual([
      'COVERAGE_UPDATED',
      'APPOINTMENT_COPAY_UPDATED',
    ])
    for (const nobody of [randomUUID(), 'nobody', '']) expect(await types(`?coverage_id=${nobody}`)).toEqual([])
  })

  it('refuses a type that does not exist, and a page token that belongs to other filters', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const [one] = [await newCoverage(caller, patient), await newCoverage(caller, patient)]
    const url = `/patients/v1/${patient}/eligibility-timeline`
    expectEnvelope(await caller.call('GET', `${url}?event_types=COVERAGE_LOST`), 400)
    const { next_page_token } = await timeline(caller, patient, '?limit=1')
    expectEnvelope(await caller.call('GET', `${url}?limit=1&coverage_id=${one.id}&page_token=${next_page_token}`), 400)
  })

  it('is empty for a patient that does not exist or belongs to another organization', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const { id } = await newPatient(caller)
    await newCoverage(caller, id)
    for (const nobody of [randomUUID(), 'nobody']) {
      expect(await timeline(caller, nobody)).toEqual({ items: [], total: 0 })
    }
    expect(await timeline(stranger, id)).toEqual({ items: [], total: 0 })
  })

  it('names automated writes "Candid Health"', async () => {
    const caller = await service.newCaller()
    const { id: patient } = await newPatient(caller)
    const { id: coverage } = await newCoverage(caller, patient)
    const payload = { check_id: randomUUID(), coverage_id: coverage, status: 'COMPLETED' }
    await recordTimelineEvent(
      service.deps,
      { organizationId: caller.organizationId, userId: systemUser.id },
      { event_type: 'ELIG_CHECK_COMPLETED', patient_id: patient, coverage_id: coverage, payload },
    )
    const { items } = await timeline(caller, patient, '?event_types=ELIG_CHECK_COMPLETED')
    expect(items).toMatchObject([
      { user_id: systemUser.id, user_name: 'Candid Health', coverage_id: coverage, payload },
    ])
  })
})
