import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { type DatabasePool, openDatabase } from '../database-pool.ts'
import { createReadsByKey } from './reads-by-key.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: DatabasePool
let operator: Client
beforeAll(async () => {
  clone = await cloneDatabase('anteroom_empty')
  database = openDatabase({ connectionString: clone.url }, { onError: () => {}, statementTimeoutMs: 120_000 })
  operator = new Client({ connectionString: clone.url })
  await operator.connect()
  await database.systemDatabase.rows('create table locked (id int); create table free (id int)')
  await database.systemDatabase.rows('grant select on locked, free to public')
})
afterAll(async () => {
  await operator.end()
  await database.close()
  await clone.drop()
})

/** One more than there are shared connections, so that on one of them two wait; no more than are sent elsewhere at once, with the later one. */
const READERS = 3
const OTHERS = 20
const reads = (table: 'locked' | 'free', name?: string) =>
  database.rowByKey({ ...(name && { name }), text: `select count(*), $1::text from ${table}` }, [randomUUID()])

it.each([['prepared'], [undefined]])(
  'a table that an operator has locked delays its own readers, and no reader of another one (%s)',
  async (name) => {
    const settled: unknown[] = []
    await operator.query('begin')
    await operator.query('lock table locked in access exclusive mode')
    const waiting = Array.from({ length: READERS }, () => reads('locked', name))
    for (const each of waiting)
      each.then(
        (row) => settled.push(row),
        (error) => settled.push(error),
      )
    const others = await Promise.all(Array.from({ length: OTHERS }, () => reads('free')))
    expect(others.map((row) => row?.[0])).toEqual(Array(OTHERS).fill('0'))
    // Nor later ones, while readers of the table come again and again.
    waiting.push(reads('locked', name))
    expect((await reads('free'))?.[0]).toBe('0')
    expect(settled).toEqual([])
    await operator.query('delete from locked; insert into locked values (1)')
    await operator.query('commit')
    expect((await Promise.all(waiting)).map((row) => row?.[0])).toEqual(Array(READERS + 1).fill('1'))
  },
)

it.each([
  ['again on its connection: it does not wait for a lock itself', 1, []],
  ['elsewhere when that is cancelled, too', 2, ['elsewhere']],
])('a read that is hit by a late cancellation is sent %s', async (_, cancellations, expected) => {
  const cancelled = Object.assign(new Error('canceling statement due to user request'), { code: '57014' })
  const sent: string[] = []
  let asked = 0
  const byKey = createReadsByKey<undefined>(
    { client: () => ({}) as Client },
    {
      ask: async () => (asked++ < cancellations ? Promise.reject(cancelled) : [['answered']]),
      async elsewhere() {
        sent.push('elsewhere')
        return [['answered']]
      },
      sharerOf: () => '',
    },
  )
  expect(await byKey.read(([row]) => row?.[0], { text: 'select' }, [], undefined)).toBe('answered')
  expect(sent).toEqual(expected)
})

it.each(['clients', 'sessions', 'limits'])(
  'a locked table that only the authentication of %s uses delays no other one',
  async (name) => {
    const { authenticationDatabase, sessionDatabase, limitDatabase } = database
    const all = { clients: authenticationDatabase, sessions: sessionDatabase, limits: limitDatabase }
    const others = Object.entries(all).flatMap(([other, of]) => (other === name ? [] : [of]))
    const own = all[name as keyof typeof all]
    await operator.query('begin')
    await operator.query('lock table locked in access exclusive mode')
    const text = 'select count(*) from locked'
    const waiting = [
      ...Array.from({ length: 5 }, () => own.rowByKey({ name: 'auth_locked', text }, [])),
      ...Array.from({ length: 5 }, () => own.row({ name: 'auth_locked', text })),
      ...Array.from({ length: 5 }, () => own.transaction((transaction) => transaction.row(text))),
    ].map((each) => each.catch((error: unknown) => error))
    for (const of of others) {
      expect((await of.rowByKey({ name: 'auth_free', text: 'select count(*) from free' }, []))?.[0]).toBe('0')
      expect((await of.row('select count(*) from free'))?.[0]).toBe('0')
    }
    await operator.query('commit')
    await Promise.all(waiting)
  },
)
