// A failure on our side of the payer ends a check after a few attempts, does not affect other checks, and causes no second inquiry.
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { refuseWrites } from '../../../test/support/refuse-writes.ts'
import { scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { LEASE_MS } from '../../platform/database/leases/leases.ts'
import { createLostLeases } from '../../platform/database/leases/lost-leases.ts'
import { createCheckIntake } from './check-intake.ts'
import { checkLeases, takeChecks } from './check-queue.ts'
import { startCheckWorker } from './check-worker.ts'
import { FAULTS_MAX } from './retry.ts'
import { WorkerPlaces } from './worker-places.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))
const log = pino({ level: 'silent' })

const requestOf = (memberId: string) =>
  eligibilityRequestBody({
    subscriber: { member_id: memberId, first_name: 'ANA', last_name: 'RIVERA' },
    submitter_transaction_identifier: memberId,
  })

/** A batch about these members, with the stored data of one of them corrupted by the statement. */
async function postBatch({ call }: Caller, members: string[]): Promise<string> {
  const reply = await call('POST', '/eligibility-checks/v1/batch', members.map(requestOf))
  expect(reply.status, reply.text).toBe(200)
  return reply.body.batch_id
}

async function poll({ call }: Caller, batchId: string) {
  const { body } = await call('GET', `/eligibility-checks/v1/batch/${batchId}`)
  return body.items as { request?: { submitter_transaction_identifier: string }; errors?: { errorDetails: object }[] }[]
}

const ofBatch = 'organization_id = $1 and batch_id = $2'

/** Runs a worker until the batch has this many answers; postponed checks are due immediately. */
async function work(caller: Caller, batchId: string, answers: number) {
  const worker = startCheckWorker(service.deps, { concurrency: 4, log })
  try {
    await vi.waitFor(
      async () => {
        const due = `update eligibility_check set due_at = now() where ${ofBatch} and status = 'PENDING' and not held`
        await service.database.rows(due, [caller.organizationId, batchId])
        expect(await poll(caller, batchId)).toHaveLength(answers)
      },
      { timeout: 60_000, interval: 100 },
    )
  } finally {
    await worker.stop()
  }
  return poll(caller, batchId)
}

const change = (caller: Caller, member: string, assignment: string) =>
  service.database.rows(
    `update eligibility_check set ${assignment} where organization_id = $1 and request ->> 'submitter_transaction_identifier' = $2`,
    [caller.organizationId, member],
  )

/** Leases as another process sees them; its time passes in leaps. */
const clock = { ms: 0 }
const leases = createLostLeases(() => clock.ms)
const takeLater = async () => {
  await takeChecks(service.deps, 10, { leases })
  clock.ms += LEASE_MS / 2
  return takeChecks(service.deps, 10, { leases })
}

const expire = ({ organizationId }: Caller) =>
  service.database.rows('update eligibility_check set due_at = now() where organization_id = $1 and held', [
    organizationId,
  ])

const errorOf = (code: string) => [
  { source: 'CANDID', errorDetails: { 'code?': code, 'description?': expect.any(String) } },
]

describe('a check that cannot be processed', () => {
  it.each([
    [
      'whose stored inquiry is no longer valid',
      `request = request || '{"encounter": {"date_of_service": "2026-03-10", "service_type_codes": ["no code"]}}'`,
      'INVALID_REQUEST',
    ],
    ['whose stored inquiry is not an inquiry', `request = request - 'provider' - 'subscriber'`, 'NOT_PROCESSED'],
    ['whose stored inquiry is missing', 'request = null', 'NOT_PROCESSED'],
  ])(
    '%s: the other checks of the same batch are answered, and this one ends with an error',
    async (_, assignment, code) => {
      const caller = await service.newCaller()
      const members = ['first', 'broken', 'last'].map((name) => `${name} ${caller.organizationId}`)
      const batchId = await postBatch(caller, members)
      await change(caller, members[1] ?? '', assignment)
      const [first, broken, last] = await work(caller, batchId, 3)
      for (const answered of [first, last]) expect(answered).not.toHaveProperty('errors')
      expect(broken?.errors).toMatchObject(errorOf(code))
      expect(members.map(payer.countFor)).toEqual([1, 0, 1])
    },
  )

  it('because every process that held it was killed: it ends without another inquiry', async () => {
    const caller = await service.newCaller()
    const member = `deadly ${caller.organizationId}`
    const batchId = await postBatch(caller, [member])
    for (let lost = 0; lost < FAULTS_MAX; lost++) {
      expect(await (lost === 0 ? takeChecks(service.deps, 10) : takeLater())).toHaveLength(1)
      await expire(caller)
    }
    const due = `update eligibility_check set held = false, faults = ${FAULTS_MAX} where ${ofBatch} and faults = ${FAULTS_MAX - 1}`
    await service.database.rows(due, [caller.organizationId, batchId])
    const [item] = await work(caller, batchId, 1)
    expect(item?.errors).toMatchObject(errorOf('NOT_PROCESSED'))
    expect(payer.countFor(member)).toBe(0)
  })

  it('because of an unexpected error of its connector: only a few attempts are made', async () => {
    const caller = await service.newCaller()
    const member = `faulty ${caller.organizationId}`
    payer.answers.set(member, () => {
      throw new TypeError('an unexpected error')
    })
    const [item] = await work(caller, await postBatch(caller, [member]), 1)
    expect(item?.errors).toMatchObject(errorOf('NOT_PROCESSED'))
    expect(JSON.stringify(item)).not.toContain('foresaw')
    expect(payer.countFor(member)).toBe(FAULTS_MAX)
    // Posting the same item again starts a new inquiry.
    payer.answers.delete(member)
    const [again] = await work(caller, await postBatch(caller, [member]), 1)
    expect(again).not.toHaveProperty('errors')
  })
})

describe('an answer that cannot be stored', () => {
  it('is stored alone with an error, does not affect others, and is not requested again', async () => {
    const caller = await service.newCaller()
    const members = ['first', 'cursed', 'last'].map((name) => `${name} ${caller.organizationId}`)
    const [, cursed = ''] = members
    payer.answers.set(cursed, 'EB*1**30**CURSED PLAN~')
    await service.database.rows(`create function curse() returns trigger language plpgsql as $$ begin
      if new.parsed_response::text like '%CURSED PLAN%' then raise 'no'; end if; return new; end $$`)
    await service.database.rows(
      'create trigger curse before update on eligibility_check for each row execute function curse()',
    )
    const [first, broken, last] = await work(caller, await postBatch(caller, members), 3)
    for (const answered of [first, last]) expect(answered).not.toHaveProperty('errors')
    expect(broken?.errors).toMatchObject(errorOf('NOT_STORED'))
    expect(members.map(payer.countFor)).toEqual([1, 1, 1])
    const { body } = await caller.call(
      'GET',
      `/anteroom/v1/eligibility-checks?subscriber_member_id=${encodeURIComponent(cursed)}`,
    )
    const messages = await caller.call('GET', `/anteroom/v1/eligibility-checks/${body.items[0].check_id}/messages`)
    expect(messages.body.response).toContain('CURSED PLAN')
  })

  it('of a waiting caller: the error is in a 200, and one inquiry is sent', async () => {
    const caller = await service.newCaller()
    const member = `waiting ${caller.organizationId}`
    payer.answers.set(member, 'EB*1**30**CURSED PLAN~')
    const { status, body } = await caller.call('POST', '/eligibility-checks/v1', requestOf(member))
    expect([status, body.errors]).toMatchObject([200, errorOf('NOT_STORED')])
    expect(payer.countFor(member)).toBe(1)
  })

  it('while the database is unavailable for longer than its caller waits, is stored once it is back', async () => {
    const caller = await service.newCaller()
    const member = `late ${caller.organizationId}`
    payer.answers.set(member, 'EB*1**30**LATE PLAN~')
    await service.database.rows(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.parsed_response::text like '%LATE PLAN%' then raise 'no' using errcode = '57P03'; end if; return new; end $$`)
    await service.database.rows(
      'create trigger refuse before update on eligibility_check for each row execute function refuse()',
    )
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const patience = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 10_000 ? AbortSignal.abort() : timeout(ms)))
    const { status } = await caller.call('POST', '/eligibility-checks/v1', requestOf(member))
    patience.mockRestore()
    expect(status).toBe(503)
    await service.database.rows('drop function refuse cascade')
    const stored = 'select status from eligibility_check where organization_id = $1'
    await vi.waitFor(
      async () => expect(await service.database.rows(stored, [caller.organizationId])).toEqual([['COMPLETED']]),
      { timeout: 60_000, interval: 100 },
    )
    expect(payer.countFor(member)).toBe(1)
  })
})

describe('an organization whose checks cannot be written', () => {
  const ofOrganization = ({ organizationId }: Caller) => `old.organization_id = '${organizationId}'`

  it('keeps the checks of no other from being answered', async () => {
    const [damaged, other] = [await service.newCaller(), await service.newCaller()]
    const batch = await postBatch(damaged, [`damaged ${damaged.organizationId}`])
    const undo = await refuseWrites(service.database, 'before update on eligibility_check', ofOrganization(damaged))
    const member = `other ${other.organizationId}`
    const [answered] = await work(other, await postBatch(other, [member]), 1)
    expect([answered?.errors, payer.countFor(member)]).toEqual([undefined, 1])
    await undo()
    await work(damaged, batch, 1)
  })

  it('keeps the leases of no other from being renewed and released', async () => {
    const callers = [await service.newCaller(), await service.newCaller()]
    for (const caller of callers) await postBatch(caller, [caller.organizationId])
    const taken = await takeChecks(service.deps, 10)
    expect(taken).toHaveLength(2)
    const [damaged, other] = taken.map(({ organizationId }) => ({ organizationId })) as [Caller, Caller]
    await service.database.rows('update eligibility_check set due_at = now() where held')
    const undo = await refuseWrites(service.database, 'before update on eligibility_check', ofOrganization(damaged))
    const holds = 'select held, due_at > now() from eligibility_check where organization_id = $1'
    const holdsOf = ({ organizationId }: Caller) => service.database.rows(holds, [organizationId])
    await expect(checkLeases.renew(service.deps, taken)).rejects.toThrow('refused')
    expect(await holdsOf(other)).toEqual([['t', 't']])
    await expect(checkLeases.release(service.deps, taken, { delayMs: 0 })).rejects.toThrow('refused')
    expect(await holdsOf(other)).toEqual([['f', 'f']])
    expect(await holdsOf(damaged)).toEqual([['t', 'f']])
    await undo()
    await service.database.rows(`delete from eligibility_check where status = 'PENDING'`)
  })
})

describe('a lease', () => {
  const MINUTE_MS = 60_000

  async function dueInMs(caller: Caller): Promise<number> {
    const due = 'select extract(epoch from due_at - now()) * 1000 from eligibility_check where organization_id = $1'
    return Number((await service.database.row(due, [caller.organizationId]))?.[0])
  }

  it('that expired while the database did not answer stays with its holder, who renews it: nothing is sent twice', async () => {
    const caller = await service.newCaller()
    await postBatch(caller, ['kept'])
    const held = await takeChecks(service.deps, 10)
    await expire(caller)
    expect(await takeChecks(service.deps, 10, { leases }), 'the first process that looks afterwards').toEqual([])
    await checkLeases.renew(service.deps, held)
    clock.ms += LEASE_MS / 2
    expect(await takeChecks(service.deps, 10, { leases })).toEqual([])
    expect(await dueInMs(caller)).toBeGreaterThan(0)
    // A long time later it is a new case.
    await expire(caller)
    clock.ms += 10 * LEASE_MS
    expect(await takeChecks(service.deps, 10, { leases })).toEqual([])
    expect(await takeLater()).toHaveLength(1)
  })

  it('of a killed process is taken over with a line in the log, because the payer may be asked twice', async () => {
    const caller = await service.newCaller()
    await postBatch(caller, ['sent', 'sent too', 'waits'])
    const killed = await takeChecks(service.deps, 2)
    await expire(caller)
    const lines: { checks: number; checkIds: string[] }[] = []
    const places = new WorkerPlaces(10)
    const intake = createCheckIntake(service.deps, places, {
      stopping: new AbortController().signal,
      begin() {},
      logFailure: vi.fn(),
      log: { error: () => {}, warn: (fields: object) => lines.push(fields as (typeof lines)[number]) },
      leases,
    })
    intake.lookAgain()
    await intake.settled()
    expect([places.waiting.length, lines], 'the one that nobody held').toEqual([1, []])
    clock.ms += LEASE_MS / 2
    intake.lookAgain()
    await intake.settled()
    expect(places.waiting).toHaveLength(3)
    expect(lines).toEqual([{ checks: 2, checkIds: expect.arrayContaining(killed.map(({ id }) => id)) }])
    await checkLeases.release(service.deps, places.withdraw(), { delayMs: 15 * MINUTE_MS })
  })

  it('is not renewed once the check was postponed as the payer requested', async () => {
    const caller = await service.newCaller()
    await postBatch(caller, ['put off'])
    const taken = await takeChecks(service.deps, 10)
    await checkLeases.release(service.deps, taken, { delayMs: 15 * MINUTE_MS })
    // A concurrent renewal.
    await checkLeases.renew(service.deps, taken)
    expect(await dueInMs(caller)).toBeGreaterThan(14 * MINUTE_MS)
  })

  it('is not renewed once another worker holds the check, nor may the former holder postpone it', async () => {
    const caller = await service.newCaller()
    await postBatch(caller, ['taken over'])
    const former = await takeChecks(service.deps, 10)
    await expire(caller)
    expect(await takeLater()).toHaveLength(1)
    const before = await dueInMs(caller)
    await checkLeases.renew(service.deps, former)
    await checkLeases.release(service.deps, former, { delayMs: 15 * MINUTE_MS })
    expect(await dueInMs(caller)).toBeLessThanOrEqual(before)
  })
})
