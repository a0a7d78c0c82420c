// The effect of a check on its coverage and on the timeline. Source: rules.md 10.3.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, eligibilityRequestBody, planGroupBody } from '../../../../test/support/bodies.ts'
import {
  checkCoverage,
  newCoverage,
  newPatient,
  ok,
  readCheck,
  readCoverage,
  timelineEventsOf,
  versionsOf,
  withDeductible,
} from '../../../../test/support/coverage-checks.ts'
import { refuseWrites } from '../../../../test/support/refuse-writes.ts'
import { INACTIVE, NOT_FOUND, scriptedPayer } from '../../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { updateOrganization } from '../../../platform/auth/clients.ts'
import { systemUser } from '../../../platform/auth/system-user.ts'

const payer = scriptedPayer()
const clock = { offsetMs: 0 }
const now = () => new Date(Date.now() + clock.offsetMs)
const service = testService(() => ({ clearinghouses: payer.clearinghouses, now }))

const deductibleOf = (body: Awaited<ReturnType<typeof readCoverage>>) =>
  body.benefits?.plan_coverage?.in_network?.deductible?.individual

/** A coverage with benefits written by a check. */
async function checkedCoverage(caller: Caller, overrides = {}) {
  const made = await newCoverage(caller, overrides)
  payer.answers.set(made.memberId, withDeductible(1500))
  const metadata = await checkCoverage(caller, made.id)
  return { ...made, metadata, body: await readCoverage(caller, made.id) }
}

const isMarked = async (id: string) =>
  (await service.database.row('select auto_updated from coverage where id = $1', [id]))?.[0]

describe('a completed check', () => {
  it('writes itself, its outcome and the benefits into the coverage as one version of the system', async () => {
    const caller = await service.newCaller()
    const { coverage, metadata, body } = await checkedCoverage(caller)
    const { updated_at, benefits, ...rest } = body
    expect(rest).toEqual({
      ...coverage,
      updated_at: undefined,
      version: 2,
      updating_user_id: systemUser.id,
      eligibility_checks: [metadata],
      latest_eligibility_check: {
        check_id: metadata.check_id,
        status: 'ACTIVE',
        initiated_at: metadata.initiated_at,
        request_corrections: [],
        trading_partner: 'NWH01',
      },
    })
    expect(benefits).toMatchObject({
      plan_coverage: { in_network: { deductible: { individual: 1500 } } },
      autoUpdatedEligibilityCheckId: metadata.check_id,
    })
    const scanned = await ok(caller, 'GET', `/coverages/v1/updates/scan?since=${updated_at}`)
    expect(scanned).toEqual([body])
  })

  it('writes its benefits over those of a user that name no check of the service', async () => {
    const caller = await service.newCaller()
    const benefits = { notes: 'by phone', autoUpdatedEligibilityCheckId: 'x' }
    const { metadata, body } = await checkedCoverage(caller, { benefits })
    expect(deductibleOf(body)).toBe(1500)
    expect(body.benefits.autoUpdatedEligibilityCheckId).toBe(metadata.check_id)
  })

  it('marks its version as written by the system until a user writes the next one', async () => {
    const caller = await service.newCaller()
    const { id, coverage, metadata, body } = await checkedCoverage(caller)
    const byPeople = '?non_auto_updated_coverages_only=true'
    expect(await versionsOf(caller, id, byPeople)).toEqual([1])
    expect(await isMarked(id)).toBe('t')
    // A client that writes the record back sends the mark of the check along.
    const sent = { ...body, benefits: body.benefits, verified: true }
    const changed = await ok(caller, 'PUT', `/coverages/v1/${id}/3`, sent)
    expect(changed.benefits.autoUpdatedEligibilityCheckId).toBe(metadata.check_id)
    expect(changed.updating_user_id).toBe(coverage.updating_user_id)
    expect(await versionsOf(caller, id, byPeople)).toEqual([1, 3])
    expect(await versionsOf(caller, id)).toEqual([1, 2, 3])
    expect(await isMarked(id)).toBe('f')
  })

  it("is no longer marked after a change of the payer plan group's coverages", async () => {
    const caller = await service.newCaller()
    const patient = (await newPatient(caller)).id
    const group = randomUUID()
    const plan = { ...coverageBody(patient).insurance_plan, payer_plan_group_id: group }
    const { id } = await newCoverage(caller, { patient, insurance_plan: plan })
    payer.answers.set(plan.member_id, withDeductible(10))
    await checkCoverage(caller, id)
    const moved = await caller.call('POST', `/coverages/v1/batch-update-ppg/${group}`, planGroupBody())
    expect(moved.status, moved.text).toBe(200)
    expect(await versionsOf(caller, id, '?non_auto_updated_coverages_only=true')).toEqual([1, 3])
    expect(await isMarked(id)).toBe('f')
  })

  it('leaves plan and status as users wrote them, even when the payer reports that the coverage has ended', async () => {
    const caller = await service.newCaller()
    const { id, memberId, body } = await checkedCoverage(caller)
    payer.answers.set(memberId, INACTIVE)
    const { check_id } = await checkCoverage(caller, id)
    const after = await readCoverage(caller, id)
    expect(after.latest_eligibility_check.status).toBe('INACTIVE')
    expect([after.status, after.insurance_plan]).toEqual([body.status, body.insurance_plan])
    // No benefits of the former coverage remain as current.
    expect(after.benefits).toEqual({
      notes: expect.stringMatching(/^Inactive on \d{4}-\d{2}-\d{2}\./),
      autoUpdatedEligibilityCheckId: check_id,
    })
  })

  it('leaves the benefits unchanged when the payer does not state whether there is coverage', async () => {
    const caller = await service.newCaller()
    const { id, memberId, body } = await checkedCoverage(caller)
    payer.answers.set(memberId, 'EB*V**30~MSG*CALL US~EB*C*IND*30***23*1~')
    const metadata = await checkCoverage(caller, id)
    expect(metadata.status).toBe('COMPLETED')
    const after = await readCoverage(caller, id)
    expect(after.latest_eligibility_check).toMatchObject({ check_id: metadata.check_id, status: 'UNKNOWN' })
    expect(after.benefits).toEqual(body.benefits)
  })

  it.each([
    ['the coverage', { auto_update_enabled: false }, true],
    ['the organization', {}, false],
  ])('writes no benefits when %s has disabled them, but everything else', async (_who, overrides, organization) => {
    const caller = await service.newCaller()
    const settings = { auto_update_benefits: organization }
    await updateOrganization(service.database, caller.organizationId, settings)
    const { coverage, metadata, body } = await checkedCoverage(caller, { ...overrides, benefits: { notes: 'by hand' } })
    expect(body.benefits).toEqual({ notes: 'by hand' })
    expect(body.eligibility_checks).toEqual([metadata])
    expect(body.latest_eligibility_check.status).toBe('ACTIVE')
    const events = (await timelineEventsOf(caller, coverage.patient)).map(({ event_type }) => event_type)
    expect(events).toEqual(['ELIG_CHECK_COMPLETED', 'COVERAGE_CREATED'])
  })

  it('stores answers with characters that the database cannot store', async () => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    payer.answers.set(memberId, 'EB*1**30**TEST PLAN~MSG*CALL\0 US~EB*C*IND*30***23*5~')
    await checkCoverage(caller, id)
    expect((await readCoverage(caller, id)).benefits.notes).toContain('CALL US')
  })

  it('shows the latest 50 checks', async () => {
    const caller = await service.newCaller()
    const { id } = await newCoverage(caller)
    const made: string[] = []
    for (let count = 0; count < 52; count++) made.push((await checkCoverage(caller, id)).check_id)
    const { eligibility_checks } = await readCoverage(caller, id)
    expect(eligibility_checks.map(({ check_id }: { check_id: string }) => check_id)).toEqual(made.slice(2))
    expect((await readCheck(caller, id, made[0]!)).metadata.status).toBe('COMPLETED')
  })
})

describe('a failed check', () => {
  it('records the reason on the coverage and removes no benefits', async () => {
    const caller = await service.newCaller()
    const { id, memberId, body } = await checkedCoverage(caller)
    payer.answers.set(memberId, NOT_FOUND)
    const metadata = await checkCoverage(caller, id)
    const after = await readCoverage(caller, id)
    expect(after.eligibility_checks).toEqual([...body.eligibility_checks, metadata])
    expect(after.latest_eligibility_check).toMatchObject({
      check_id: metadata.check_id,
      status: 'UNKNOWN',
      errors: [{ 'code?': '75', code: '75', 'description?': expect.any(String) }],
    })
    expect(after.latest_eligibility_check.errors[0]).not.toHaveProperty('errorDetails')
    expect(after.benefits).toEqual(body.benefits)
  })
})

it('an older check that is answered later is listed and overwrites nothing', async () => {
  const caller = await service.newCaller()
  const { id, memberId } = await newCoverage(caller)
  const gate = payer.holdBack(memberId, withDeductible(1))
  const older = await checkCoverage(caller, id)
  payer.answers.set(memberId, withDeductible(2))
  const newer = await checkCoverage(caller, id)
  const before = await readCoverage(caller, id)
  expect(before.eligibility_checks).toEqual([older, newer])
  gate.open()
  await expect.poll(async () => (await readCoverage(caller, id)).version).toBe(before.version + 1)
  const after = await readCoverage(caller, id)
  expect(after.eligibility_checks).toEqual([{ ...older, status: 'COMPLETED' }, newer])
  expect(after.latest_eligibility_check).toEqual(before.latest_eligibility_check)
  expect([deductibleOf(after), after.benefits]).toEqual([2, before.benefits])
})

it.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])(
  'the latest check stays the latest when the clock of the machine that asked before was %s by an hour',
  async (_, ms) => {
    const caller = await service.newCaller()
    const { id, memberId } = await newCoverage(caller)
    clock.offsetMs = ms
    payer.answers.set(memberId, withDeductible(1))
    await checkCoverage(caller, id)
    clock.offsetMs = 0
    payer.answers.set(memberId, INACTIVE)
    const newer = await checkCoverage(caller, id)
    const { latest_eligibility_check: latest } = await readCoverage(caller, id)
    expect(latest).toMatchObject({ check_id: newer.check_id, status: 'INACTIVE', initiated_at: newer.initiated_at })
  },
)

it('the latest equal check is returned when the clock of the machine that asked before was ahead', async () => {
  const caller = await service.newCaller()
  const member = randomUUID()
  const subscriber = { ...eligibilityRequestBody().subscriber, member_id: member }
  const before = new Date(Date.now() - 60_000).toISOString()
  const statusOf = async (extra = {}) => {
    const request = eligibilityRequestBody({ subscriber, encounter: { date_of_service: '2026-03-02' }, ...extra })
    const { body } = await caller.call('POST', '/eligibility-checks/v1', request)
    return body.parsed_response.eligibility_status
  }
  clock.offsetMs = 3_600_000
  payer.answers.set(member, withDeductible(1))
  expect(await statusOf()).toBe('ACTIVE')
  clock.offsetMs = 0
  payer.answers.set(member, INACTIVE)
  expect(await statusOf()).toBe('INACTIVE')
  payer.answers.set(member, withDeductible(1))
  expect(await statusOf({ get_existing_check_initiated_after: before })).toBe('INACTIVE')
})

describe('concurrent checks and users on one coverage', () => {
  it('lose none of each other’s changes', async () => {
    const caller = await service.newCaller()
    const { id, memberId, coverage } = await newCoverage(caller)
    payer.answers.set(memberId, withDeductible(30))
    const numbers = Array.from({ length: 8 }, (_, index) => `G-${index}`)
    const write = async (group_number: string) => {
      for (;;) {
        const current = await readCoverage(caller, id)
        const plan = {
          ...current.insurance_plan,
          group_number,
          name: `${current.insurance_plan.name ?? ''} ${group_number}`,
        }
        const url = `/coverages/v1/${id}/${current.version + 1}`
        const reply = await caller.call('PUT', url, { ...current, insurance_plan: plan })
        if (reply.status === 200) return
        expect(reply.status, reply.text).toBe(409)
      }
    }
    const [checks] = await Promise.all([
      Promise.all(numbers.map(() => checkCoverage(caller, id))),
      Promise.all(numbers.map(write)),
    ])
    const isDone = ({ status }: { status: string }) => status === 'COMPLETED'
    await expect.poll(async () => (await readCoverage(caller, id)).eligibility_checks.filter(isDone).length).toBe(8)
    const body = await readCoverage(caller, id)
    // On a slow machine a check is answered while it is pending, and written as such too.
    const pending = checks.filter((check) => !isDone(check)).length
    expect(body.version).toBe(1 + 2 * numbers.length + pending)
    expect(await versionsOf(caller, id)).toEqual(Array.from({ length: body.version }, (_, index) => index + 1))
    expect(await versionsOf(caller, id, '?non_auto_updated_coverages_only=true')).toHaveLength(1 + numbers.length)
    expect(body.insurance_plan.name.trim().split(' ').toSorted()).toEqual(numbers)
    const byId = (one: { check_id: string }, other: { check_id: string }) => (one.check_id < other.check_id ? -1 : 1)
    const completed = checks.map((check) => ({ ...check, status: 'COMPLETED' }))
    expect(body.eligibility_checks.toSorted(byId)).toEqual(completed.toSorted(byId))
    expect(deductibleOf(body)).toBe(30)
    const events = (await timelineEventsOf(caller, coverage.patient)).filter(
      ({ event_type }) => event_type === 'ELIG_CHECK_COMPLETED',
    )
    expect(events).toHaveLength(numbers.length)
  })

  it('are written all or none: when the coverage cannot be written, the check reports it, keeps the answer, and is not retried', async () => {
    const caller = await service.newCaller()
    const { id, coverage, memberId } = await newCoverage(caller)
    await refuseWrites(service.database, 'before insert on coverage_history', `new.id = '${id}'`)
    const sent = { service_code: '30', date_of_service: '2026-03-10', npi: '1999999984' }
    const reply = await caller.call('POST', `/coverages/v1/${id}/eligibility`, sent)
    expect([reply.status, reply.body.status]).toEqual([200, 'FAILED'])
    const { check } = await readCheck(caller, id, reply.body.check_id)
    expect(check.errors).toMatchObject([{ source: 'CANDID', errorDetails: { 'code?': 'NOT_STORED' } }])
    expect(check).not.toHaveProperty('parsed_response')
    const messages = await ok(caller, 'GET', `/anteroom/v1/eligibility-checks/${reply.body.check_id}/messages`)
    expect(messages.response).toContain('TEST PLAN')
    expect(payer.countFor(memberId)).toBe(1)
    expect(await readCoverage(caller, id)).toEqual(coverage)
    expect((await timelineEventsOf(caller, coverage.patient)).map(({ event_type }) => event_type)).toEqual([
      'COVERAGE_CREATED',
    ])
  })
})

describe('the timeline', () => {
  it('records the check under the user, and the benefits under the system', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const [first, second] = [
      await newCoverage(caller, { patient: patient.id }),
      await newCoverage(caller, { patient: patient.id }),
    ]
    const filed = { ...patient, filing_order: { coverages: [first.id, second.id] } }
    await ok(caller, 'PUT', `/patients/v1/${patient.id}/2`, filed)
    payer.answers.set(second.memberId, withDeductible(200))
    const { check_id, initiated_by } = await checkCoverage(caller, second.id)
    const shared = {
      id: expect.any(String),
      patient_id: patient.id,
      coverage_id: second.id,
      timestamp: expect.any(String),
    }
    const events = (await timelineEventsOf(caller, patient.id)).slice(0, 2)
    expect(events).toContainEqual({
      ...shared,
      event_type: 'ELIG_CHECK_COMPLETED',
      user_id: initiated_by,
      user_name: 'test',
      payload: {
        check_id,
        coverage_id: second.id,
        coverage_type: 'secondary',
        status: 'COMPLETED',
        payer_id: '60054',
        payer_name: 'Aetna',
        eligibility_status: 'ACTIVE',
      },
    })
    const { benefits } = await readCoverage(caller, second.id)
    expect(events).toContainEqual({
      ...shared,
      event_type: 'COVERAGE_UPDATED',
      user_id: systemUser.id,
      user_name: 'Candid Health',
      payload: {
        edits: [{ field: 'benefits', after: benefits }],
        source: 'eligibility_check',
        check_id,
        initiator_user_id: initiated_by,
      },
    })
  })

  it('records the benefits that a later check changed, and nothing for a coverage outside the filing order', async () => {
    const caller = await service.newCaller()
    const { id, memberId, coverage } = await checkedCoverage(caller)
    payer.answers.set(memberId, withDeductible(900))
    await checkCoverage(caller, id)
    const events = await timelineEventsOf(caller, coverage.patient)
    const updated = events.find(({ event_type }) => event_type === 'COVERAGE_UPDATED')
    expect(updated?.payload.edits).toContainEqual({
      field: 'benefits.plan_coverage.in_network.deductible.individual',
      before: 1500,
      after: 900,
    })
    expect(events.find(({ event_type }) => event_type === 'ELIG_CHECK_COMPLETED')?.payload).not.toHaveProperty(
      'coverage_type',
    )
  })

  it('records a failed check with the code of its reason', async () => {
    const caller = await service.newCaller()
    const { id, memberId, coverage } = await newCoverage(caller)
    payer.answers.set(memberId, NOT_FOUND)
    await checkCoverage(caller, id)
    const [events] = await timelineEventsOf(caller, coverage.patient)
    expect(events).toMatchObject({
      event_type: 'ELIG_CHECK_COMPLETED',
      payload: { status: 'FAILED', error_code: '75', eligibility_status: 'UNKNOWN' },
    })
  })
})
