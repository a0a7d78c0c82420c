// Answers that arrive while others are written are written together, and a failure of one does not affect the others.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { runCheck } from '../inquiries/run-check.ts'
import { beginCheck, prepareInquiry } from './answer-check.ts'
import type { Answered } from './check-store.ts'
import { createFinishTogether, TOGETHER_MAX } from './finish-together.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))

const MEMBERS = 8

/** An answered but unstored check of each member. */
async function answeredChecks(caller: Caller, members = MEMBERS): Promise<Answered[]> {
  const actor = { organizationId: caller.organizationId, userId: caller.organizationId }
  const { clearinghouse } = await payer.clearinghouses.standard(caller.organizationId)
  const answers: Answered[] = []
  for (let index = 0; index < members; index++) {
    const member = `${caller.organizationId} ${index}`
    payer.answers.set(member, 'EB*1**30**TEST PLAN~EB*C*IND*30***23*500~')
    const request = eligibilityRequestBody({
      subscriber: { member_id: member, first_name: 'ANA', last_name: 'RIVERA' },
    })
    const check = await beginCheck(
      service.deps,
      actor as never,
      await prepareInquiry(service.deps, actor as never, request as never),
    )
    const options = {
      organizationId: check.organizationId,
      checkId: check.id,
      controlNumber: check.controlNumber,
      at: new Date(),
    }
    answers.push({ check, outcome: await runCheck(clearinghouse, check.asked, options) })
  }
  return answers
}

async function statesOf({ organizationId }: Caller): Promise<Record<string, number>> {
  const count = 'select status, count(*) from eligibility_check where organization_id = $1 group by status'
  const rows = await service.database.rows(count, [organizationId])
  return Object.fromEntries(rows.map(([status = '', number]) => [status, Number(number)]))
}

/** The dependencies with a count of writes, and a first write that waits for its release. */
function counted() {
  const { database } = service.deps
  let writes = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const held = async () => {
    writes += 1
    if (writes === 1) await released
  }
  const deps: Deps = {
    ...service.deps,
    database: {
      ...database,
      transaction: async (work) => held().then(() => database.transaction(work)),
      rows: async (...asked) => held().then(() => database.rows(...asked)),
    },
  }
  return { deps, release: () => release(), writes: () => writes }
}

describe('answers of one organization', () => {
  it('that come in while one is written are written together', async () => {
    const caller = await service.newCaller()
    const answers = await answeredChecks(caller)
    const { deps, release, writes } = counted()
    const finish = createFinishTogether(deps)
    const done = answers.map((answer) => finish(answer))
    await vi.waitUntil(() => writes() === 1, { timeout: 60_000 })
    release()
    await Promise.all(done)
    expect(await statesOf(caller)).toEqual({ COMPLETED: MEMBERS })
    expect(writes()).toBe(2)
  })

  it('that are a full group do not wait for the write of the previous ones', async () => {
    const caller = await service.newCaller()
    const [first, ...group] = (await answeredChecks(caller, TOGETHER_MAX + 1)) as [Answered, ...Answered[]]
    const { deps, release, writes } = counted()
    const finish = createFinishTogether(deps)
    const previous = finish(first)
    await vi.waitUntil(() => writes() === 1, { timeout: 60_000 })
    await Promise.all(group.map((answer) => finish(answer)))
    expect(await statesOf(caller)).toEqual({ COMPLETED: TOGETHER_MAX, PENDING: 1 })
    release()
    await previous
    expect(await statesOf(caller)).toEqual({ COMPLETED: TOGETHER_MAX + 1 })
  })

  it('are stored even if one of them cannot be: only its own caller gets the error', async () => {
    const caller = await service.newCaller()
    const answers = await answeredChecks(caller)
    const bad = answers[3]!
    bad.outcome = { ...bad.outcome, answerForm: '\u0000' as never }
    const finish = createFinishTogether(service.deps)
    const results = await Promise.allSettled(answers.map((answer) => finish(answer)))
    expect(results.map(({ status }) => status)).toEqual(
      answers.map((answer) => (answer === bad ? 'rejected' : 'fulfilled')),
    )
    expect(await statesOf(caller)).toEqual({ COMPLETED: MEMBERS - 1, PENDING: 1 })
  })
})

describe('answers to a batch, while more are on their way', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('that come one by one are written in one go', async () => {
    const caller = await service.newCaller()
    const answers = await answeredChecks(caller)
    const { deps, release, writes } = counted()
    release()
    // On a busy machine the moment that is waited may be over before the last answer has come.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const finish = createFinishTogether(deps, () => true)
    const done: Promise<void>[] = []
    for (const answer of answers) {
      done.push(finish(answer))
      await new Promise(setImmediate)
    }
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
    await Promise.all(done)
    expect(await statesOf(caller)).toEqual({ COMPLETED: MEMBERS })
    expect(writes()).toBe(1)
  })

  it('wait for nothing once there are as many as are written together', async () => {
    const caller = await service.newCaller()
    const answers = await answeredChecks(caller, TOGETHER_MAX)
    // The time for which answers are gathered never comes to its end.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const finish = createFinishTogether(service.deps, () => true)
    await Promise.all(answers.map((answer) => finish(answer)))
    expect(await statesOf(caller)).toEqual({ COMPLETED: TOGETHER_MAX })
  })

  it('wait for nothing when one of them is so large that it is written alone', async () => {
    const caller = await service.newCaller()
    const [large] = (await answeredChecks(caller, 1)) as [Answered]
    Object.assign(large.outcome, { rawResponse: `${large.outcome.rawResponse}${' '.repeat(600_000)}` })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await createFinishTogether(service.deps, () => true)(large)
    expect(await statesOf(caller)).toEqual({ COMPLETED: 1 })
  })
})
