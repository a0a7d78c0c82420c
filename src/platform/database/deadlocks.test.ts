import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

const organization = '0198a1f2-0000-7000-8000-000000000001'

/** Takes two locks with a pause in between, and releases them at its end. */
const lockingStatement = (first: number, second: number) => ({
  text: `select $1::uuid, pg_advisory_xact_lock(${first}), pg_sleep(0.3), pg_advisory_xact_lock(${second})`,
})

it('a statement that PostgreSQL cancelled to resolve a deadlock is retried, so that no caller gets an error', async () => {
  const { database } = clone
  const crossing = [lockingStatement(1, 2), lockingStatement(2, 1)]
  const answers = await Promise.all(crossing.map((statement) => database.rows(statement, [organization])))
  expect(answers.map((rows) => rows.length)).toEqual([1, 1])
  // There was a deadlock: PostgreSQL counts it a moment later.
  await expect
    .poll(() =>
      database.systemDatabase.row('select deadlocks from pg_stat_database where datname = current_database()'),
    )
    .toEqual(['1'])
})
