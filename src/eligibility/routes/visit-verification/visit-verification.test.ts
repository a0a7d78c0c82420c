import { describe, expect, it } from 'vitest'
import { clinicsOf, verifyVisit } from '../../../../test/support/clinic.ts'
import { ACTIVE, DOWN, INACTIVE, NOT_FOUND, scriptedPayer } from '../../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { systemUser } from '../../../platform/auth/system-user.ts'
import { claimVisits } from '../../verification/claim-visits.ts'

const NOW = '2026-03-08T12:00:00.000Z'
const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses, now: () => new Date(NOW) }))
const { newClinic, newPatient, newVisit, read, historyOf, put, verify, makeDue, fileCoverages } = clinicsOf(service)

const addressOf = (id: string) => `/anteroom/v1/appointments/${id}/verification`
const request = ({ call }: Caller, id: string) => call('POST', addressOf(id))

/** Corrects the member id, as a front desk does. */
async function correctMember({ call }: Caller, coverageId: string, member_id: string): Promise<void> {
  const { body } = await call('GET', `/coverages/v1/${coverageId}`)
  const insurance_plan = { ...body.insurance_plan, member_id }
  const reply = await call('PUT', `/coverages/v1/${coverageId}/${body.version + 1}`, { ...body, insurance_plan })
  expect(reply.status, reply.text).toBe(200)
}

describe('a visit that is verified again', () => {
  it('becomes READY once the member id is corrected, and leaves the queue', async () => {
    const caller = await newClinic()
    payer.answers.set('wrong', NOT_FOUND)
    const patient = await newPatient(caller, 'wrong')
    const visit = await newVisit(caller, patient.id)
    await verify(caller)
    expect(await read(caller, visit.id)).toMatchObject({ not_ready_reason: 'ELIGIBILITY_CHECK_FAILED_PRIMARY' })
    await correctMember(caller, patient.coverages[0] ?? '', 'right')
    const verification = await verifyVisit(caller, visit.id)
    expect(verification).toEqual({
      appointment_id: visit.id,
      state: 'DONE',
      begun_at: expect.any(String),
      coverages: [{ coverage_id: patient.coverages[0], check_id: expect.any(String), finding: 'ACTIVE' }],
      status: 'READY',
    })
    const after = await read(caller, visit.id)
    expect(after).toMatchObject({ version: 3, status: 'READY', ready_source: 'MACHINE' })
    expect(after).not.toHaveProperty('not_ready_reason')
    expect(after).not.toHaveProperty('work_queue')
  })

  it('sends inquiries for every coverage in filing order like the automatic verification, without an NPI of a doctor', async () => {
    const caller = await newClinic({ on: false })
    await service.database.rows('update organization set visit_services = $2 where id = $1', [
      caller.organizationId,
      JSON.stringify({ Treatment: ['PT', '98'] }),
    ])
    payer.answers.set('second', INACTIVE)
    const patient = await newPatient(caller, 'first', 'second')
    const visit = await newVisit(caller, patient.id, { services: [{ universal_service_identifier: 'Treatment' }] })
    const body = await verifyVisit(caller, visit.id)
    expect(body).toMatchObject({ state: 'DONE', status: 'NOT_READY', not_ready_reason: 'INACTIVE_SECONDARY' })
    expect(body.coverages.map(({ coverage_id }: { coverage_id: string }) => coverage_id)).toEqual(patient.coverages)
    const asked = payer.inquiries.filter(({ subscriber }) => ['first', 'second'].includes(subscriber.memberId ?? ''))
    expect(asked.map(({ serviceTypeCodes, dateOfService }) => [serviceTypeCodes, dateOfService])).toEqual([
      [['PT', '98'], '2026-03-10'],
      [['PT', '98'], '2026-03-10'],
    ])
  })

  it('has the copay of the latest answer, none of an earlier one, and a user’s as it was entered', async () => {
    const copayOf = (dollars: number) => `${ACTIVE}EB*B**98***27*${dollars}*****Y~`
    const caller = await newClinic()
    payer.answers.set('costs-25', copayOf(25))
    payer.answers.set('costs-40', copayOf(40))
    payer.answers.set('ended', INACTIVE)
    const patient = await newPatient(caller, 'costs-25', 'ended')
    const { id } = await newVisit(caller, patient.id)
    const copayWhen = async (member: string) => {
      await correctMember(caller, patient.coverages[0] ?? '', member)
      await verifyVisit(caller, id)
      return (await read(caller, id)).estimated_copay_cents
    }
    await verify(caller)
    expect(await read(caller, id)).toMatchObject({ status: 'NOT_READY', estimated_copay_cents: 2500 })
    expect(await copayWhen('costs-40')).toBe(4000)
    expect(await copayWhen('ended')).toBeUndefined()
    expect(await copayWhen('costs-25')).toBe(2500)
    await put(caller, id, { estimated_copay_cents: 3000 })
    expect(await copayWhen('costs-40')).toBe(3000)
  })

  it('has checks that name the requesting user, and a new version by the system user', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'whose')).id)
    const body = await verifyVisit(caller, visit.id)
    const [{ check_id }] = body.coverages
    const check = (await caller.call('GET', `/anteroom/v1/eligibility-checks/${check_id}`)).body
    expect(check).toMatchObject({ initiated_by: visit.updating_user_id, appointment_id: visit.id })
    expect((await read(caller, visit.id)).updating_user_id).toBe(systemUser.id)
  })

  it('is decided again after a user’s decision and after a changed answer of the payer', async () => {
    const caller = await newClinic()
    payer.answers.set('lapses', ACTIVE)
    const visit = await newVisit(caller, (await newPatient(caller, 'lapses')).id)
    await put(caller, visit.id, { status: 'NOT_READY', not_ready_reason: 'MANUAL', work_queue: 'NEW_PATIENT' })
    expect((await verifyVisit(caller, visit.id)).status).toBe('READY')
    payer.answers.set('lapses', INACTIVE)
    expect(await verifyVisit(caller, visit.id)).toMatchObject({
      status: 'NOT_READY',
      not_ready_reason: 'INACTIVE_PRIMARY',
    })
  })

  it('is NO_COVERAGE without an inquiry, and READY once a coverage is filed', async () => {
    const caller = await newClinic()
    const patient = await newPatient(caller, 'later')
    await fileCoverages(caller, patient.id, [])
    const visit = await newVisit(caller, patient.id)
    expect(await verifyVisit(caller, visit.id)).toMatchObject({ not_ready_reason: 'NO_COVERAGE', coverages: [] })
    expect(payer.countFor('later')).toBe(0)
    await fileCoverages(caller, patient.id, patient.coverages)
    expect((await verifyVisit(caller, visit.id)).status).toBe('READY')
  })

  it('works for a visit that should have begun and for one in a month', async () => {
    const caller = await newClinic()
    for (const [member, start_timestamp] of [
      ['late', '2026-03-08T11:30:00.000Z'],
      ['month', '2026-04-20T09:00:00.000Z'],
    ] as const) {
      const visit = await newVisit(caller, (await newPatient(caller, member)).id, { start_timestamp })
      expect((await verifyVisit(caller, visit.id)).status).toBe('READY')
    }
  })

  it('is WAITING for an unavailable payer, and the worker sends the inquiry again if the organization has verification enabled', async () => {
    const caller = await newClinic()
    payer.answers.set('down', INACTIVE)
    const visit = await newVisit(caller, (await newPatient(caller, 'down')).id)
    await verify(caller)
    payer.answers.set('down', DOWN)
    const body = await verifyVisit(caller, visit.id)
    expect(body).toMatchObject({ state: 'WAITING', next_attempt_at: expect.any(String), status: 'NOT_READY' })
    payer.answers.set('down', ACTIVE)
    await makeDue(caller)
    await verify(caller)
    expect((await read(caller, visit.id)).status).toBe('READY')
  })
})

describe('concurrent work', () => {
  it('returns RUNNING for a slow payer, sends no inquiry for a second call, and writes the answer when it arrives', async () => {
    const caller = await newClinic()
    const gate = payer.holdBack('slow', ACTIVE)
    const visit = await newVisit(caller, (await newPatient(caller, 'slow')).id)
    const first = await request(caller, visit.id)
    expect(first.body).toMatchObject({ state: 'RUNNING', status: 'PENDING', coverages: [] })
    expect((await request(caller, visit.id)).body.state).toBe('RUNNING')
    expect(await verify(caller)).toEqual([])
    gate.open()
    const shown = async () => (await caller.call('GET', addressOf(visit.id))).body
    await expect.poll(shown).toMatchObject({ state: 'DONE', status: 'READY' })
    expect([payer.countFor('slow'), (await historyOf(caller, visit.id)).length]).toEqual([1, 2])
  })

  it('returns RUNNING for a visit that the worker holds, with one inquiry, and takes over from a crashed worker', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'held')).id)
    expect(await claimVisits(service.deps, { organizationId: caller.organizationId }, { limit: 5 })).toHaveLength(1)
    expect((await request(caller, visit.id)).body.state).toBe('RUNNING')
    expect(payer.countFor('held')).toBe(0)
    await makeDue(caller)
    expect((await verifyVisit(caller, visit.id)).status).toBe('READY')
    expect(payer.countFor('held')).toBe(1)
  })

  it('creates one inquiry for each coverage and one new version for many concurrent calls', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'often')).id)
    await Promise.all(Array.from({ length: 8 }, () => verifyVisit(caller, visit.id)))
    expect((await read(caller, visit.id)).version).toBe(2)
  })

  it('keeps what a user writes meanwhile', async () => {
    const caller = await newClinic()
    payer.answers.set('taken', async () => {
      await put(caller, visit.id, { status: 'CHECKED_IN', checked_in_timestamp: NOW })
      return INACTIVE
    })
    const visit = await newVisit(caller, (await newPatient(caller, 'taken')).id)
    expect((await verifyVisit(caller, visit.id)).status).toBe('CHECKED_IN')
    expect(await read(caller, visit.id)).toMatchObject({ version: 2, status: 'CHECKED_IN' })
  })
})

describe('is refused', () => {
  it.each([
    ['CHECKED_IN', { checked_in_timestamp: NOW }],
    ['CHECKED_OUT', { checked_in_timestamp: NOW, checked_out_timestamp: NOW }],
    ['NO_SHOW', {}],
  ])('for a visit that is %s, with the field named and without an inquiry', async (status, times) => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, status)).id)
    await put(caller, visit.id, { status, ...times })
    const reply = await request(caller, visit.id)
    expect([reply.status, reply.body.content.message]).toEqual([400, expect.stringContaining(`status is ${status}`)])
    expect(payer.countFor(status)).toBe(0)
  })

  it('with 404 for an unknown, deactivated, malformed or foreign id, and for a visit that was never verified', async () => {
    const [caller, stranger] = [await newClinic(), await newClinic()]
    const visit = await newVisit(caller, (await newPatient(caller, 'hidden')).id)
    const statuses = async (who: Caller, id: string) => [
      (await request(who, id)).status,
      (await who.call('GET', addressOf(id))).status,
    ]
    expect((await caller.call('GET', addressOf(visit.id))).status).toBe(404)
    expect(await statuses(stranger, visit.id)).toEqual([404, 404])
    expect(await statuses(caller, 'no-id')).toEqual([404, 404])
    expect(await statuses(caller, crypto.randomUUID())).toEqual([404, 404])
    await caller.call('DELETE', `/appointments/v1/${visit.id}/${visit.version}`)
    expect((await request(caller, visit.id)).status).toBe(404)
    expect(payer.countFor('hidden')).toBe(0)
  })

  it('for a caller without the scope appointments:write', async () => {
    const caller = await newClinic()
    const visit = await newVisit(caller, (await newPatient(caller, 'barred')).id)
    const reader = await service.newCaller({ beside: caller, scopes: ['*:read', 'eligibility-checks:write'] })
    expect((await request(reader, visit.id)).status).toBe(403)
    expect(payer.countFor('barred')).toBe(0)
  })
})

it('records the requesting user and the patient in the audit trail', async () => {
  const caller = await newClinic()
  await newPatient(caller, 'unfiled')
  const patient = await newPatient(caller, 'audited')
  const visit = await newVisit(caller, patient.id)
  await verifyVisit(caller, visit.id)
  await service.deps.audit.flush(caller.organizationId)
  const { body } = await caller.call('GET', '/anteroom/v1/audit?limit=100')
  const events = body.items.filter(({ operation }: { operation: string }) => operation === 'visitVerification.begin')
  expect(events).toMatchObject([
    { user_id: visit.updating_user_id, record_type: 'eligibility_check', patient_ids: [patient.id] },
  ])
})
