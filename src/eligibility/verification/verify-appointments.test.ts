import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { nameBody } from '../../../test/support/bodies.ts'
import { CLINIC_NPI, clinicsOf } from '../../../test/support/clinic.ts'
import { refuseWrites } from '../../../test/support/refuse-writes.ts'
import { ACTIVE, DOWN, INACTIVE, NOT_FOUND, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import { openClearinghouses } from '../../clearinghouses/registry.ts'
import { readConfig } from '../../config.ts'
import { createStandardConnection } from '../../main/standard-connection.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { DerivedRecommendation } from '../answers/corrections/recommendations.ts'
import { storeRecommendations } from '../recommendations/store-recommendations.ts'
import { verifyAppointments } from './verify-appointments.ts'
import type { VerifiedVisit } from './verify-visit.ts'

const NOW = '2026-03-08T12:00:00.000Z'
const payer = scriptedPayer()
const clock = { at: NOW }
const service = testService(() => ({ clearinghouses: payer.clearinghouses, now: () => new Date(clock.at) }))
const log = pino({ level: 'silent' })

beforeEach(() => {
  clock.at = NOW
})

const { newClinic, newPatient, fileCoverages, newVisit, read, historyOf, put, verify, makeDue, eventsOf } =
  clinicsOf(service)

describe('a visit with active coverages', () => {
  it('is READY by MACHINE in one new version by the system user, after an inquiry for its day with the clinic NPI', async () => {
    const caller = await newClinic({ timeZone: 'America/New_York' })
    const patient = await newPatient(caller, 'A-1', 'A-2')
    // Two in the morning UTC on the 11th is still the 10th there.
    const visit = await newVisit(caller, patient.id, { start_timestamp: '2026-03-11T02:00:00.000Z', notes: 'ramp' })
    const [verified] = await verify(caller)
    expect(verified).toMatchObject({ appointment_id: visit.id, outcome: 'READY' })
    expect(await read(caller, visit.id)).toEqual({
      ...visit,
      version: 2,
      updated_at: expect.any(String),
      updating_user_id: systemUser.id,
      status: 'READY',
      ready_source: 'MACHINE',
      automated_eligibility_check_complete: true,
    })
    const asked = payer.inquiries.filter(({ subscriber }) => ['A-1', 'A-2'].includes(subscriber.memberId ?? ''))
    expect(asked.map(({ dateOfService, provider }) => [dateOfService, provider.npi])).toEqual([
      ['2026-03-10', CLINIC_NPI],
      ['2026-03-10', CLINIC_NPI],
    ])
  })

  it('has its checks and its new status in the timeline, as events of the system user', async () => {
    const caller = await newClinic()
    const patient = await newPatient(caller, 'A-3')
    const visit = await newVisit(caller, patient.id)
    await verify(caller)
    const bySystem = { user_id: systemUser.id, appointment_id: visit.id, appointment_date: '2026-03-10' }
    expect(await eventsOf(caller, patient.id, 'ELIG_CHECK_COMPLETED')).toMatchObject([
      { ...bySystem, coverage_id: patient.coverages[0], payload: { eligibility_status: 'ACTIVE' } },
    ])
    expect(await eventsOf(caller, patient.id, 'APPOINTMENT_STATUS_CHANGED')).toMatchObject([
      { ...bySystem, payload: { from_status: 'PENDING', to_status: 'READY' } },
    ])
  })

  it('is checked once, regardless of how often it is considered', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'B-1')).id)
    expect(await verify(caller)).toHaveLength(1)
    expect(await verify(caller)).toEqual([])
    await put(caller, visit.id, { status: 'PENDING', work_queue: undefined })
    await makeDue(caller)
    expect(await verify(caller)).toEqual([])
    expect([payer.countFor('B-1'), (await read(caller, visit.id)).status]).toEqual([1, 'PENDING'])
  })

  it('leaves the work queue of PENDING, after an inquiry with the NPI of its own doctor', async () => {
    const caller = await newClinic({ npi: null })
    const patient = await newPatient(caller, 'B-2')
    const doctor = { name: nameBody('Okafor'), npi: '1999999984', telecoms: [], addresses: [] }
    const visit = await newVisit(caller, patient.id, { work_queue: 'NEW_PATIENT', attending_doctor: doctor })
    await verify(caller)
    const { status, work_queue } = await read(caller, visit.id)
    expect([status, work_queue]).toEqual(['READY', undefined])
    expect(payer.inquiries.at(-1)?.provider.npi).toBe('1999999984')
    expect(await eventsOf(caller, patient.id, 'APPOINTMENT_WORK_QUEUE_CHANGED')).toMatchObject([
      { user_id: systemUser.id, payload: { from_work_queue: 'NEW_PATIENT' } },
      { payload: { to_work_queue: 'NEW_PATIENT' } },
    ])
  })
})

describe('a visit that is not ready', () => {
  it.each([
    ['INACTIVE_PRIMARY', [INACTIVE, ACTIVE]],
    ['INACTIVE_SECONDARY', [ACTIVE, INACTIVE]],
    ['ELIGIBILITY_CHECK_FAILED_PRIMARY', [NOT_FOUND]],
    ['ELIGIBILITY_CHECK_FAILED_SECONDARY', [ACTIVE, NOT_FOUND]],
    ['ERROR', ['EB*V**30~']],
  ])('has the reason %s', async (reason, rows) => {
    const caller = await newClinic()
    const members = rows.map((answer) => {
      const member = randomUUID()
      payer.answers.set(member, answer)
      return member
    })
    const visit = await newVisit(caller, (await newPatient(caller, ...members)).id)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({
      version: 2,
      status: 'NOT_READY',
      not_ready_reason: reason,
      work_queue: 'NEW_PATIENT',
      automated_eligibility_check_complete: true,
    })
  })

  it('has NO_COVERAGE when no active coverage is filed, and moves the next coverage up', async () => {
    const caller = await newClinic()
    const gone = await newPatient(caller, ['C-1', { status: 'CANCELLED' }], ['C-2', { status: 'ENTERED_IN_ERROR' }])
    const none = await newVisit(caller, gone.id)
    payer.answers.set('C-4', INACTIVE)
    const next = await newVisit(caller, (await newPatient(caller, ['C-3', { status: 'DRAFT' }], 'C-4')).id)
    await verify(caller)
    expect((await read(caller, none.id)).not_ready_reason).toBe('NO_COVERAGE')
    expect((await read(caller, next.id)).not_ready_reason).toBe('INACTIVE_PRIMARY')
    expect(['C-1', 'C-2', 'C-3', 'C-4'].map(payer.countFor)).toEqual([0, 0, 0, 1])
  })

  it('sends no inquiry about a third coverage', async () => {
    const caller = await newClinic()
    payer.answers.set('D-3', INACTIVE)
    const visit = await newVisit(caller, (await newPatient(caller, 'D-1', 'D-2', 'D-3')).id)
    await verify(caller)
    expect([(await read(caller, visit.id)).status, payer.countFor('D-3')]).toEqual(['READY', 0])
  })

  it('is ERROR without an NPI, sends the inquiry once there is one, and is then READY', async () => {
    const caller = await newClinic({ npi: null })
    const visit = await newVisit(caller, (await newPatient(caller, 'E-1')).id)
    const [verified] = await verify(caller)
    expect(verified?.coverages).toMatchObject([{ finding: 'NOT_ASKED', detail: expect.stringContaining('no NPI') }])
    expect(await read(caller, visit.id)).toMatchObject({
      not_ready_reason: 'ERROR',
      automated_eligibility_check_complete: false,
    })
    await makeDue(caller)
    await verify(caller)
    expect(await historyOf(caller, visit.id)).toHaveLength(2)
    await service.database.rows('update organization set npi = $2 where id = $1', [caller.organizationId, CLINIC_NPI])
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, status: 'READY' })
    expect(payer.countFor('E-1')).toBe(1)
  })

  it('goes to the queue of returning patients, or of visits of the next day', async () => {
    const caller = await newClinic()
    payer.answers.set('F-1', INACTIVE)
    const known = await newPatient(caller, 'F-1')
    const gone = await newVisit(caller, known.id, { start_timestamp: '2025-01-10T14:00:00.000Z' })
    await caller.call('DELETE', `/appointments/v1/${gone.id}/1`)
    const first = await newVisit(caller, known.id)
    const second = await newVisit(caller, known.id, { start_timestamp: '2026-03-10T15:00:00.000Z' })
    const soon = await newVisit(caller, known.id, { start_timestamp: '2026-03-09T12:00:00.000Z' })
    await verify(caller)
    const queues = [first, second, soon].map(async ({ id }) => (await read(caller, id)).work_queue)
    expect(await Promise.all(queues)).toEqual(['RETURNING_PATIENT', 'RETURNING_PATIENT', 'EMERGENT_ISSUE'])
  })
})

describe('the selected visits', () => {
  it('are active PENDING ones of the next days, of organizations with verification enabled', async () => {
    const [on, off] = [await newClinic({ days: 2 }), await newClinic({ on: false })]
    const patient = await newPatient(on, 'G-1')
    const taken = await newVisit(on, patient.id, { start_timestamp: '2026-03-10T12:00:00.000Z' })
    for (const start_timestamp of ['2026-03-10T12:00:00.001Z', NOW, '2026-03-08T11:00:00.000Z']) {
      await newVisit(on, patient.id, { start_timestamp })
    }
    const fields = { checked_in_timestamp: NOW, status: 'CHECKED_IN' }
    await newVisit(on, patient.id, { start_timestamp: '2026-03-09T12:00:00.000Z', ...fields })
    const deleted = await newVisit(on, patient.id, { start_timestamp: '2026-03-09T12:00:00.000Z' })
    await on.call('DELETE', `/appointments/v1/${deleted.id}/1`)
    await newVisit(off, (await newPatient(off, 'G-2')).id)
    const visits: VerifiedVisit[] = []
    await verifyAppointments(service.deps, { log, onVisit: (visit) => visits.push(visit) })
    const own = visits.filter(({ organization_id }) =>
      [on, off].some((each) => each.organizationId === organization_id),
    )
    expect(own.map(({ appointment_id }) => appointment_id)).toEqual([taken.id])
    expect([payer.countFor('G-1'), payer.countFor('G-2')]).toEqual([1, 0])
  })

  it('are those of every organization whose rows can be read, and of no other', async () => {
    const [broken, held, other] = [await newClinic(), await newClinic(), await newClinic()]
    const visits: { id: string }[] = []
    for (const caller of [broken, held, other])
      visits.push(await newVisit(caller, (await newPatient(caller, 'G-9')).id))
    const setZone = (zone: string) =>
      service.database.rows('update organization set time_zone = $2 where id = $1', [broken.organizationId, zone])
    await setZone('Mars/Olympus')
    const accept = await refuseWrites(
      service.database,
      'before insert on appointment_verification',
      `new.organization_id = '${held.organizationId}'`,
    )
    const lines: object[] = []
    const line = { write: (text: string) => void lines.push(JSON.parse(text)) }
    await verifyAppointments(service.deps, { log: pino({}, line) })
    const statusOf = async (caller: Caller, place: number) => (await read(caller, visits[place]?.id ?? '')).status
    expect([await statusOf(held, 1), await statusOf(other, 2)]).toEqual(['PENDING', 'READY'])
    expect(lines).toMatchObject(
      expect.arrayContaining(
        [broken, held].map(({ organizationId }) => expect.objectContaining({ organization: organizationId })),
      ),
    )
    expect(await service.deps.metrics.registry.getSingleMetricAsString('anteroom_organization_failures_total')).toMatch(
      /work="verification"} [1-9]/,
    )
    await accept()
    await setZone('UTC')
    await verifyAppointments(service.deps, { log })
    expect([await statusOf(broken, 0), await statusOf(held, 1)]).toEqual(['READY', 'READY'])
  })

  it('are those of more days or of a named organization in a manual run', async () => {
    const off = await newClinic({ on: false })
    const patient = await newPatient(off, 'G-3')
    await newVisit(off, patient.id)
    await newVisit(off, patient.id, { start_timestamp: '2026-03-13T12:00:00.000Z' })
    expect(await verify(off, { days: 5 })).toHaveLength(2)
  })

  it('include one that is moved to another day and PENDING, but not one that is moved within its day', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'H-1')).id)
    const changes = [
      [{ start_timestamp: '2026-03-10T16:00:00.000Z', status: 'PENDING', ready_source: null }, 1],
      [{ start_timestamp: '2026-03-11T10:00:00.000Z', status: 'READY' }, 1],
      [{ start_timestamp: '2026-03-11T10:00:00.000Z', status: 'PENDING', ready_source: null }, 2],
    ] as const
    await verify(caller)
    for (const [change, inquiries] of changes) {
      await put(caller, visit.id, change)
      await verify(caller)
      expect(payer.countFor('H-1'), JSON.stringify(change)).toBe(inquiries)
    }
    expect((await read(caller, visit.id)).status).toBe('READY')
    expect(payer.inquiries.at(-1)?.dateOfService).toBe('2026-03-11')
  })
})

describe('the recommendations of the answers', () => {
  /** Stores a recommendation of the check that is being asked, as the end of a check does. */
  const recommending =
    (caller: Caller, ...derived: DerivedRecommendation[]) =>
    async ({ traceNumber }: Inquiry) => {
      const checkId = traceNumber.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      const { deps } = service
      await deps.database.transaction((database) =>
        storeRecommendations({ ...deps, database }, caller.organizationId, [
          { about: { checkId, patient: {} }, derived },
        ]),
      )
      return ACTIVE
    }
  const copay = { type: 'COPAY_ESTIMATION' as const, payload: { structured_response: 2500, exposition: 'a row' } }

  it('are a conversion if the active payer names Medicare Advantage or Medicaid managed care', async () => {
    const caller = await newClinic()
    for (const [type, reason] of [
      ['MEDICARE_ADVANTAGE', 'MEDICARE_ADVANTAGE_CONVERSION'],
      ['MEDICAID_MANAGED_CARE', 'MEDICAID_MANAGED_CONVERSION'],
    ] as const) {
      payer.answers.set(type, recommending(caller, { type, payload: { ma_benefit: {}, payer_name: 'HUMANA' } }))
      const visit = await newVisit(caller, (await newPatient(caller, type)).id)
      await verify(caller)
      expect((await read(caller, visit.id)).not_ready_reason).toBe(reason)
    }
  })

  it("are not a conversion for a carrier's own plan that is already filed", async () => {
    const caller = await newClinic()
    const own = { type: 'MEDICARE_ADVANTAGE' as const, payload: { ma_benefit: {}, payer_id: '60054' } }
    payer.answers.set('I-1', recommending(caller, own))
    const visit = await newVisit(caller, (await newPatient(caller, 'I-1')).id)
    await verify(caller)
    expect((await read(caller, visit.id)).status).toBe('READY')
  })

  it('give a READY visit the copay of its primary coverage again after another one was filed first and cancelled', async () => {
    const caller = await newClinic()
    const [first, second] = ['CP-1', 'CP-2']
    payer.answers.set(first, `${ACTIVE}EB*B**98***27*25*****Y~`)
    payer.answers.set(second, `${ACTIVE}EB*B**98***27*40*****Y~`)
    const patient = await newPatient(caller, first, second)
    const visit = await newVisit(caller, patient.id)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ status: 'READY', estimated_copay_cents: 2500 })
    await fileCoverages(caller, patient.id, patient.coverages.toReversed())
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ status: 'READY', estimated_copay_cents: 4000 })
    const cancelled = (await caller.call('GET', `/coverages/v1/${patient.coverages[1]}`)).body
    const path = `/coverages/v1/${patient.coverages[1]}/${cancelled.version + 1}`
    await caller.call('PUT', path, { ...cancelled, status: 'CANCELLED' })
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ status: 'READY', estimated_copay_cents: 2500 })
  })

  it('fill in a missing copay, which is recorded in the timeline', async () => {
    const caller = await newClinic()
    payer.answers.set('J-1', recommending(caller, copay))
    const patient = await newPatient(caller, 'J-1')
    const [empty, known] = [
      await newVisit(caller, patient.id),
      await newVisit(caller, patient.id, { estimated_copay_cents: 0 }),
    ]
    await verify(caller)
    const copays = [empty, known].map(async ({ id }) => (await read(caller, id)).estimated_copay_cents)
    expect(await Promise.all(copays)).toEqual([2500, 0])
    const events = await eventsOf(caller, patient.id, 'APPOINTMENT_COPAY_UPDATED')
    expect(events.filter(({ user_id }) => user_id === systemUser.id)).toMatchObject([
      { appointment_id: empty.id, user_name: 'Candid Health', payload: { copay_cents: 2500 } },
    ])
    expect(await eventsOf(caller, patient.id, 'APPOINTMENT_STATUS_CHANGED')).toHaveLength(2)
  })
})

describe('an unavailable payer', () => {
  it.each([
    ['says so', DOWN],
    [
      'does not answer',
      new ClearinghouseError('it is down', { code: 'HTTP 503', retryable: true, retryAfterMs: 60_000 }),
    ],
    ['is behind credentials that are wrong', new ClearinghouseError('no', { code: 'HTTP 401', retryable: false })],
  ])('%s: it is retried with back-off, and nothing is written until the answer', async (_, answer) => {
    const caller = await newClinic()
    const [up, down] = [randomUUID(), randomUUID()]
    payer.answers.set(down, answer)
    const visit = await newVisit(caller, (await newPatient(caller, up, down)).id)
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await verify(caller)).toMatchObject([{ outcome: 'WAITING' }])
      expect(await verify(caller)).toEqual([])
      await makeDue(caller)
    }
    expect(await historyOf(caller, visit.id)).toHaveLength(1)
    payer.answers.set(down, ACTIVE)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, status: 'READY' })
    expect([payer.countFor(up), payer.countFor(down)]).toEqual([1, 4])
  })

  it('includes a missing clearinghouse in production: the visit waits, is UNAVAILABLE a day before, and READY once there is one', async () => {
    const caller = await newClinic()
    const member = randomUUID()
    const visit = await newVisit(caller, (await newPatient(caller, member)).id)
    const production = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://clinic.example' })
    const clearinghouses = openClearinghouses(service.deps, createStandardConnection(production), 20)
    const inProduction = { ...service.deps, config: production, clearinghouses }
    expect(await verify(caller, {}, inProduction)).toMatchObject([
      { outcome: 'WAITING', coverages: [{ finding: 'UNAVAILABLE', detail: 'NotConfigured' }] },
    ])
    expect(await historyOf(caller, visit.id)).toHaveLength(1)
    clock.at = '2026-03-09T14:00:00.000Z'
    await makeDue(caller)
    expect(await verify(caller, {}, inProduction)).toMatchObject([{ outcome: 'NOT_READY' }])
    expect(await read(caller, visit.id)).toMatchObject({
      version: 2,
      not_ready_reason: 'UNAVAILABLE_PRIMARY',
      automated_eligibility_check_complete: false,
    })
    expect(payer.countFor(member)).toBe(0)
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, status: 'READY', ready_source: 'MACHINE' })
    expect(payer.countFor(member)).toBe(1)
  })

  it('is UNAVAILABLE and urgent when the visit is a day away, and READY as soon as it answers', async () => {
    const caller = await newClinic()
    payer.answers.set('K-1', DOWN)
    const visit = await newVisit(caller, (await newPatient(caller, 'K-1')).id)
    await verify(caller)
    clock.at = '2026-03-09T14:00:00.000Z'
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({
      version: 2,
      not_ready_reason: 'UNAVAILABLE_PRIMARY',
      work_queue: 'EMERGENT_ISSUE',
      automated_eligibility_check_complete: false,
    })
    await makeDue(caller)
    await verify(caller)
    expect(await historyOf(caller, visit.id)).toHaveLength(2)
    payer.answers.set('K-1', ACTIVE)
    await makeDue(caller)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, status: 'READY', ready_source: 'MACHINE' })
  })

  it('does not change a visit that a user has changed since', async () => {
    const caller = await newClinic()
    payer.answers.set('K-2', DOWN)
    clock.at = '2026-03-09T20:00:00.000Z'
    const visit = await newVisit(caller, (await newPatient(caller, 'K-2')).id)
    await verify(caller)
    await put(caller, visit.id, { work_queue: 'MANUAL_ESCALATION' })
    payer.answers.set('K-2', ACTIVE)
    await makeDue(caller)
    expect(await verify(caller)).toEqual([])
    expect(await read(caller, visit.id)).toMatchObject({ version: 3, work_queue: 'MANUAL_ESCALATION' })
  })
})
