import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { Database } from './database.ts'
import { isDeadlock } from './errors.ts'
import { changeSchema } from './migrate.ts'

const service = testService()

/** Until somebody waits for this table. */
async function isWantedByOthers(table: string): Promise<void> {
  const sql = 'select 1 from pg_locks where not granted and relation = $1::regclass'
  while (!(await service.database.row(sql, [table]))) await delay(5)
}

/** Somebody who reads in another order than a migration changes; how often the migration was begun. */
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

it('gives way where others hold what it changes and want what it holds, and goes through once they are done', async () => {
  // Who gives way is who waited first, and that is the migration unless this process was held up for a second just then.
  while ((await meetReader()) !== 2);
})

it('does nothing again after another fault', async () => {
  let attempts = 0
  const change = changeSchema(service.database, async (migration) => {
    attempts++
    await migration.rows('select 1 from nowhere')
  })
  await expect(change).rejects.toThrow('nowhere')
  expect(attempts).toBe(1)
})

/** As a login on which statements may take no time: what a wait of 30 s meets, sooner. */
const impatient = (database: Database): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction(async (transaction) => {
      await transaction.rows('set local statement_timeout = 20')
      await transaction.rows('set local lock_timeout = 20')
      return work(transaction)
    }),
})

it('waits for the migration of another process as long as that takes, and says so now and then', async () => {
  const waits: number[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  // The other process has to be first: if it waited itself, nobody would end its wait.
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

it('gives a long migration the time that it takes', async () => {
  const slow = changeSchema(impatient(service.database), (transaction) => transaction.rows('select pg_sleep(0.2)'))
  await expect(slow).resolves.toHaveLength(1)
})
