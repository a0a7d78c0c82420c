import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'
import { holdLocks } from '../../../test/support/gate.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

const organization = '0198a1f2-0000-7000-8000-000000000001'

const GATE = 3

/** Takes a lock, waits for the gate, and takes another; releases them at its end. */
const lockingStatement = (first: number, second: number) => ({
  text: `select $1::uuid, pg_advisory_xact_lock(${first}), pg_advisory_xact_lock_shared(${GATE}), pg_advisory_xact_lock(${second})`,
})

it('a statement that PostgreSQL cancelled to resolve a deadlock is retried, so that no caller gets an error', async () => {
  const { database } = clone
  const openGate = await holdLocks(database.systemDatabase, `select pg_advisory_xact_lock(${GATE})`)
  const crossing = [lockingStatement(1, 2), lockingStatement(2, 1)].map((statement) =>
    database.rows(statement, [organization]),
  )
  // Each has its first lock, however late it was sent.
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(() => database.systemDatabase.rows(waiting)).toHaveLength(2)
  await openGate()
  const answers = await Promise.all(crossing)
  expect(answers.map((rows) => rows.length)).toEqual([1, 1])
  // There was a deadlock: PostgreSQL counts it a moment later.
  await expect
    .poll(() =>
      database.systemDatabase.row('select deadlocks from pg_stat_database where datname = current_database()'),
    )
    .toEqual(['1'])
})
