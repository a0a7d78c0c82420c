import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { Database } from './database.ts'
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
  await read
  await change
  return attempts
}

it('yields to a transaction that locks tables in another order, which never fails, and succeeds afterwards', async () => {
  expect(await meetReader()).toBeGreaterThan(1)
})

it('lets callers use a table again and again while another transaction keeps it from the migration', async () => {
  let isChanged = false
  let change: Promise<unknown> | undefined
  await service.database.transaction(async (backup) => {
    await backup.rows('lock table note in access share mode')
    change = changeSchema(service.database, async (migration) => {
      await migration.rows('lock table note in access exclusive mode')
      isChanged = true
    })
    for (let turn = 0; turn < 5; turn++) {
      await isWantedByOthers('note')
      await service.database.rows('select count(*) from note where organization_id is null')
    }
    expect(isChanged).toBe(false)
  })
  await change
  expect(isChanged).toBe(true)
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
