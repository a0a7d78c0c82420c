import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { coverageBody, coverageCheckBody, nameBody } from '../../../../test/support/bodies.ts'
import {
  checkCoverage,
  newCoverage,
  newPatient,
  readCheck,
  readCoverage,
  versionsOf,
  withDeductible,
} from '../../../../test/support/coverage-checks.ts'
import { newGate } from '../../../../test/support/gate.ts'
import { expectEnvelope } from '../../../../test/support/operations.ts'
import { NOT_FOUND, scriptedPayer } from '../../../../test/support/scripted-payer.ts'
import { testService } from '../../../../test/support/service.ts'
import { buildApp } from '../../../main/app.ts'
import { createBackground } from '../../../platform/background.ts'
import { startCheckWorker } from '../../checks/check-worker.ts'
import { FAULTS_MAX } from '../../checks/retry.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))
const log = pino({ level: 'silent' })

describe('POST /coverages/v1/:id/eligibility', () => {
  it('answers 200 with the metadata of a check that the payer has answered', async () => {
    const caller = await service.newCaller()
    const { id, coverage } = await newCoverage(caller)
    const metadata = await checkCoverage(caller, id, { service_code: '98' })
    expect(metadata).toEqual({
      check_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      service_code: '98',
      status: 'COMPLETED',
      initiated_by: coverage.updating_user_id,
      initiated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    })
    const { items } = (await caller.call('GET', '/eligibility-checks/v1/get-multi/')).body
    expect(items).toHaveLength(1)
  })

  it("inquires with the coverage's payer about the subscriber, on the day and for the service that were sent", async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    await checkCoverage(caller, id, { service_code: '35', date_of_service: '2026-07-04', npi: '1234567893' })
    const inquiry = payer.inquiries.find(({ subscriber }) => subscriber.memberId === memberId)
    expect(inquiry).toMatchObject({
      payer: { id: '60054' },
      provider: { npi: '1234567893' },
      subscriber: { memberId, firstName: 'Ana', lastName: 'Rivera', dateOfBirth: '1984-02-29' },
      dateOfService: '2026-07-04',
      serviceTypeCodes: ['35'],
    })
    expect(inquiry).not.toHaveProperty('dependent')
  })

  it('inquires about the patient as the dependent of another subscriber', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller, { name: nameBody('Rivera', 'Luz'), birth_date: '2015-05-05' })
    const { id, memberId } = await newCoverage(caller, { patient: patient.id, relationship: 'CHILD' })
    await checkCoverage(caller, id)
    const inquiry = payer.inquiries.find(({ subscriber }) => subscriber.memberId === memberId)
    expect(inquiry?.subscriber.firstName).toBe('Ana')
    expect(inquiry?.dependent).toEqual({ firstName: 'Luz', lastName: 'Rivera', dateOfBirth: '2015-05-05' })
  })

  it('returns 200 with FAILED when the payer rejects the inquiry', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    payer.answers.set(memberId, NOT_FOUND)
    expect((await checkCoverage(caller, id)).status).toBe('FAILED')
  })

  it('returns PENDING for a slow payer, shows it on the coverage, and finishes the check there', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    const gate = payer.holdBack(memberId, withDeductible(500))
    const metadata = await checkCoverage(caller, id)
    expect(metadata.status).toBe('PENDING')
    expect(await readCheck(caller, id, metadata.check_id)).toEqual({ metadata })
    const waiting = await readCoverage(caller, id)
    expect(waiting.eligibility_checks).toEqual([metadata])
    expect(waiting).not.toHaveProperty('latest_eligibility_check')
    gate.open()
    const done = { ...metadata, status: 'COMPLETED' }
    await expect.poll(async () => (await readCheck(caller, id, metadata.check_id)).metadata).toEqual(done)
    const body = await readCoverage(caller, id)
    expect(body).toMatchObject({ eligibility_checks: [done], latest_eligibility_check: { status: 'ACTIVE' } })
    expect(await versionsOf(caller, id)).toEqual([1, 2, 3])
  })

  it('lets a worker finish a pending check whose process was killed', async () => {
    const caller = await service.newCaller()
    const { id, memberId, coverage } = await newCoverage(caller)
    const gate = payer.holdBack(memberId, NOT_FOUND)
    const { check_id } = await checkCoverage(caller, id)
    // As when its lease has expired without a renewal; the payer answers the next attempt.
    await service.database.rows('update eligibility_check set due_at = now(), held = false where id = $1', [check_id])
    payer.answers.set(memberId, withDeductible(750))
    const worker = startCheckWorker(service.deps, { concurrency: 1, log })
    await vi.waitFor(async () => expect((await readCheck(caller, id, check_id)).metadata.status).toBe('COMPLETED'), {
      timeout: 60_000,
      interval: 100,
    })
    await worker.stop()
    const body = await readCoverage(caller, id)
    expect(body.eligibility_checks).toMatchObject([{ check_id, initiated_by: coverage.updating_user_id }])
    expect(body.benefits.autoUpdatedEligibilityCheckId).toBe(check_id)
    gate.open()
    await service.deps.background.close()
    expect(await readCoverage(caller, id)).toEqual(body)
  })

  it('keeps the service that was asked about beside a check that ends because its stored inquiry can no longer be read', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    const gate = payer.holdBack(memberId, withDeductible(500))
    const { check_id } = await checkCoverage(caller, id, { service_code: '98' })
    const lost = `update eligibility_check set request = null, due_at = now(), held = false, faults = $2 where id = $1`
    await service.database.rows(lost, [check_id, FAULTS_MAX - 1])
    const worker = startCheckWorker(service.deps, { concurrency: 1, log })
    await vi.waitFor(async () => expect((await readCheck(caller, id, check_id)).metadata.status).toBe('FAILED'), {
      timeout: 60_000,
      interval: 100,
    })
    await worker.stop()
    const { eligibility_checks } = await readCoverage(caller, id)
    expect(eligibility_checks).toMatchObject([{ check_id, service_code: '98', status: 'FAILED' }])
    gate.open()
    await service.deps.background.close()
  })

  it('finishes running checks before the service stops', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    const [gate, order] = [newGate(), [] as string[]]
    payer.answers.set(memberId, async () => {
      await gate.opened
      await wait(500)
      order.push('the payer has answered')
      return withDeductible(100)
    })
    const app = buildApp({ ...service.deps, background: createBackground(10_000) })
    const reply = await app.inject({
      method: 'POST',
      url: `/coverages/v1/${id}/eligibility`,
      headers: { authorization: `Bearer ${caller.token}` },
      payload: coverageCheckBody(),
    })
    expect(reply.json().status).toBe('PENDING')
    const closed = app.close().then(() => order.push('the service has stopped'))
    gate.open()
    await closed
    expect(order).toEqual(['the payer has answered', 'the service has stopped'])
    expect((await readCheck(caller, id, reply.json().check_id)).metadata.status).toBe('COMPLETED')
  })

  it.each([
    ['a service code that is none', { service_code: 'XX' }],
    ['no service code', { service_code: null }],
    ['a day that does not exist', { date_of_service: '2026-02-30' }],
    ['a day in another form', { date_of_service: '20260301' }],
    ['no day', { date_of_service: undefined }],
    ['no NPI', { npi: null }],
  ])('returns 400 for %s, and sends no inquiry', async (_what, wrong) => {
    const caller = await service.newCaller()
    const { id, memberId, coverage } = await newCoverage(caller)
    const reply = await caller.call('POST', `/coverages/v1/${id}/eligibility`, coverageCheckBody(wrong))
    expectEnvelope(reply, 400)
    expect(payer.countFor(memberId)).toBe(0)
    expect(await readCoverage(caller, id)).toEqual(coverage)
  })

  it('returns 400 for a plan whose ids are longer than an inquiry carries', async () => {
    const caller = await service.newCaller()
    const patient = (await newPatient(caller)).id
    for (const field of ['payer_id', 'member_id']) {
      const { insurance_plan } = coverageBody(patient)
      const plan = { insurance_plan: { ...insurance_plan, [field]: '9'.repeat(5000) } }
      const { id } = await newCoverage(caller, { patient, ...plan })
      const reply = await caller.call('POST', `/coverages/v1/${id}/eligibility`, coverageCheckBody())
      expectEnvelope(reply, 400)
      expect(reply.body.content.message).toContain(`insurance_plan.${field}`)
    }
  })

  it('returns 404 for a coverage that does not exist or belongs to another organization', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const { id } = await newCoverage(owner)
    for (const unknown of [id, randomUUID(), 'nobody']) {
      const url = `/coverages/v1/${unknown}/eligibility`
      expectEnvelope(await stranger.call('POST', url, coverageCheckBody()), 404)
    }
  })
})

describe('GET /coverages/v1/:id/eligibility/:check_id', () => {
  it('shows the metadata and the result of the check', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    payer.answers.set(memberId, withDeductible(1500))
    const metadata = await checkCoverage(caller, id)
    const body = await readCheck(caller, id, metadata.check_id)
    expect(body.metadata).toEqual(metadata)
    expect(body.check).toMatchObject({
      request: { payer_id: '60054', subscriber: { member_id: memberId } },
      parsed_response: {
        eligibility_status: 'ACTIVE',
        benefits: { plan_coverage: { in_network: { deductible: { individual: 1500 } } } },
      },
    })
    expect(body.check).not.toHaveProperty('errors')
  })

  it('shows why a check failed', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    payer.answers.set(memberId, NOT_FOUND)
    const { check_id } = await checkCoverage(caller, id)
    const { metadata, check } = await readCheck(caller, id, check_id)
    expect(metadata.status).toBe('FAILED')
    expect(check.errors).toMatchObject([{ source: 'STEDI', errorDetails: { 'code?': '75' } }])
  })

  it('returns 404 for a check that does not exist, or that belongs to another coverage, another organization or no coverage', async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    const [one, other] = [await newCoverage(owner), await newCoverage(owner)]
    const { check_id } = await checkCoverage(owner, one.id)
    const read = (caller: typeof owner, id: string, check: string) =>
      caller.call('GET', `/coverages/v1/${id}/eligibility/${check}`)
    expect((await read(owner, one.id.toUpperCase(), check_id.toUpperCase())).status).toBe(200)
    expectEnvelope(await read(owner, other.id, check_id), 404)
    expectEnvelope(await read(stranger, one.id, check_id), 404)
    expectEnvelope(await read(owner, one.id, randomUUID()), 404)
    expectEnvelope(await read(owner, one.id, 'nobody'), 404)
    expectEnvelope(await read(owner, 'nobody', check_id), 404)
    expectEnvelope(await read(owner, one.id, await owner.newCheckId()), 404)
  })
})
