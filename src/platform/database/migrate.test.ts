import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { Database } from './database.ts'
import { isDeadlock } from './errors.ts'
import { changeSchema } from './migrate.ts'

const service = testService()

/** Resolves once another transaction waits for this table. */
async function isWantedByOthers(table: string): Promise<void> {
  const sql = 'select 1 from pg_locks where not granted and relation = $1::regclass'
  while (!(await service.database.row(sql, [table]))) await delay(5)
}

/** A reader that locks tables in another order than a migration; returns how often the migration was started. */
async function meetReader(): Promise<number> {
  let attempts = 0
  let change: Promise<void> | undefined
  const read = service.database.transaction(async (reader) => {
    await reader.rows('lock table tag in access share mode')
    change = changeSchema(service.database, async (migration) => {
      attempts++
      await migration.rows('lock table note in access exclusive mode')
      await migration.rows('lock table tag in access exclusive mode')
    })
    await isWantedByOthers('tag')
    await reader.rows('lock table note in access share mode')
  })
  await read.catch((error) => {
    if (!isDeadlock(error)) throw error
  })
  await change
  return attempts
}

it('yields in a deadlock with other transactions, and succeeds once they are done', async () => {
  // PostgreSQL cancels the transaction that waited first; that is the migration unless this process was just delayed
  // for a second.
  while ((await meetReader()) !== 2);
})

it('is not retried after another error', async () => {
  let attempts = 0
  const change = changeSchema(service.database, async (migration) => {
    attempts++
    await migration.rows('select 1 from nowhere')
  })
  await expect(change).rejects.toThrow('nowhere')
  expect(attempts).toBe(1)
})

/** Like a login whose statements may take almost no time: reaches a timeout of 30 s sooner. */
const impatient = (database: Database): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction(async (transaction) => {
      await transaction.rows('set local statement_timeout = 20')
      await transaction.rows('set local lock_timeout = 20')
      return work(transaction)
    }),
})

it("waits for another process's migration as long as necessary, and reports this from time to time", async () => {
  const waits: number[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  // The other process must be first: if it waited itself, its wait would never end.
  let other: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    other = changeSchema(service.database, () => {
      resolve()
      return released
    })
  })
  const turn = changeSchema(
    impatient(service.database),
    async () => 'its turn',
    (seconds) => {
      waits.push(seconds)
      if (waits.length === 3) release()
    },
    50,
  )
  expect(await turn).toBe('its turn')
  await other
  expect(waits.length).toBeGreaterThanOrEqual(3)
})

it('has no time limit', async () => {
  const slow = changeSchema(impatient(service.database), (transaction) => transaction.rows('select pg_sleep(0.2)'))
  await expect(slow).resolves.toHaveLength(1)
})
