// The cost of work on a few checks does not depend on the size of the table. decisions/0064-few-rows-by-key.md
import { describe, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../../test/support/bodies.ts'
import { ACTIVE, scriptedPayer } from '../../../test/support/scripted-payer.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import type { Database, SystemDatabase } from '../../platform/database/database.ts'
import { runCheck } from '../inquiries/run-check.ts'
import { checkLeases, type TakenCheck, takeChecks } from './check-queue.ts'
import type { Answered } from './check-store.ts'
import { finishChecks } from './finish-check.ts'

const payer = scriptedPayer()
const service = testService(() => ({ clearinghouses: payer.clearinghouses }))

const WITH_COPAY = `${ACTIVE}EB*B*IND*98***27*30*****Y~`
/** The number of executions after which PostgreSQL keeps a generic plan of a statement. */
const ROUNDS = 7
const FEW = 3
const GROWN = 3_000

async function postBatch(caller: Caller, size: number): Promise<void> {
  const items = Array.from({ length: size }, (_, index) => {
    const member = `${caller.organizationId} ${index}`
    payer.answers.set(member, WITH_COPAY)
    return eligibilityRequestBody({ subscriber: { member_id: member, first_name: 'ANA', last_name: 'RIVERA' } })
  })
  const { status } = await caller.call('POST', '/eligibility-checks/v1/batch', items)
  expect(status).toBe(200)
}

/** Rows that were read by going through a whole table while `work` ran in one transaction; the organizations are gone through by design. */
async function rowsReadThrough(
  database: Database,
  work: (transaction: Database) => Promise<unknown>,
): Promise<Record<string, number>> {
  const read = {
    text: `select relname, seq_tup_read from pg_stat_xact_user_tables
      where seq_tup_read > ${GROWN / 2} and $1::uuid is not null order by relname`,
  }
  return database.transaction(async (transaction) => {
    await work(transaction)
    const rows = await transaction.rows(read, [service.deps.newId()])
    return Object.fromEntries(rows.map(([table = '', count]) => [table, Number(count)]))
  })
}

const insideOf = (transaction: Database): Pick<Deps, 'database' | 'systemDatabase'> => {
  const inside = { ...transaction, transaction: <T>(work: (database: Database) => Promise<T>) => work(transaction) }
  return { database: inside, systemDatabase: { ...inside, reach: 'every organization' } as SystemDatabase }
}

type Read = Record<'taking' | 'renewing' | 'letting go' | 'storing', Record<string, number>>

/** Takes a few checks, renews their leases, lets one go and stores the answers to the others. */
async function workOnFew({ organizationId }: Caller): Promise<Read> {
  const { systemDatabase, database } = service.deps
  const { clearinghouse } = await payer.clearinghouses.standard(organizationId)
  let taken: TakenCheck[] = []
  const taking = await rowsReadThrough(systemDatabase, async (transaction) => {
    taken = await takeChecks({ ...service.deps, ...insideOf(transaction) }, FEW)
  })
  expect(taken).toHaveLength(FEW)
  const renewing = await rowsReadThrough(systemDatabase, (transaction) =>
    checkLeases.renew(insideOf(transaction), taken),
  )
  const [first, ...others] = taken
  const lettingGo = await rowsReadThrough(systemDatabase, (transaction) =>
    checkLeases.release(insideOf(transaction), [first!], { delayMs: 0 }),
  )
  const answers: Answered[] = []
  for (const check of others) {
    const options = {
      organizationId: check.organizationId,
      checkId: check.id,
      controlNumber: check.controlNumber,
      at: new Date(),
    }
    const outcome = await runCheck(clearinghouse, check.asked, options)
    expect(outcome.errors).toEqual([])
    answers.push({ check, outcome })
  }
  const storing = await rowsReadThrough(database, async (transaction) => {
    const stored = await finishChecks({ ...service.deps, ...insideOf(transaction) }, organizationId, answers)
    expect(stored).toHaveLength(others.length)
  })
  return { taking, renewing, 'letting go': lettingGo, storing }
}

/** As many finished checks with what follows from them as a batch leaves, faster than a batch does. */
async function grow({ organizationId }: Caller): Promise<void> {
  await service.database.rows(
    `insert into eligibility_check (organization_id, id, initiated_at, user_id, status, request, request_key, date_of_service, completed_at)
      select organization_id, gen_random_uuid(), initiated_at, user_id, 'COMPLETED', request, request_key, date_of_service, now()
      from (select * from eligibility_check where organization_id = $1 limit 1) c, generate_series(1, ${GROWN})`,
    [organizationId],
  )
  for (const table of ['eligibility_recommendation', 'eligibility_recommendation_history']) {
    await service.database.rows(
      `insert into ${table} (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
        select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at, body
        from (select * from eligibility_recommendation where organization_id = $1 limit 1) r, generate_series(1, ${GROWN})`,
      [organizationId],
    )
  }
  await service.database.rows(
    `insert into coverage (organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body)
      select organization_id, gen_random_uuid(), 1, false, updated_at, updating_user_id, created_at,
        jsonb_build_object('patient', gen_random_uuid())
      from (select * from eligibility_recommendation where organization_id = $1 limit 1) r, generate_series(1, ${GROWN})`,
    [organizationId],
  )
}

describe('a worker that has a few checks in hand', () => {
  it('reads no whole table, even if a batch made it large after its statements were planned', async () => {
    const caller = await service.newCaller()
    await postBatch(caller, 2 * ROUNDS * FEW)
    for (let round = 0; round < ROUNDS; round++) await workOnFew(caller)
    await grow(caller)
    for (let round = 0; round < ROUNDS; round++) {
      expect(await workOnFew(caller)).toEqual({ taking: {}, renewing: {}, 'letting go': {}, storing: {} })
    }
  })
})
