import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { isTransientDatabaseError } from '../errors.ts'
import { queryText } from './text-query.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

const organization = '0198a1f2-0000-7000-8000-000000000003'

describe('a statement', () => {
  it('gets every kind of value, and every column of its rows as text', async () => {
    const text = `select $1::uuid, $2::int + 1, $3::boolean, $4::text is null, encode($5::bytea, 'hex'), ($6::text[])[2],
      $7::timestamptz, $8::jsonb ->> 'é'`
    const values = [
      organization,
      41,
      true,
      null,
      Buffer.from([0, 255]),
      ['a', 'b"\\,'],
      '2026-03-01T09:30:00Z',
      '{"é":"ü"}',
    ]
    for (const name of [undefined, 'every_kind', 'every_kind']) {
      const row = await clone.database.row({ ...(name && { name }), text }, values)
      expect(row).toEqual([organization, '42', 't', 't', '00ff', 'b"\\,', '2026-03-01 09:30:00+00', 'ü'])
    }
  })

  it('keeps the rows that begin within its limit, and says that others were left out', async () => {
    const statement = { name: 'cut', text: `select repeat('x', 1000) from generate_series(1, 10), (select $1::uuid) o` }
    const cut = await clone.database.rows({ ...statement, maxBytes: 1500 }, [organization])
    const all = await clone.database.rows({ ...statement, maxBytes: 100_000 }, [organization])
    expect([cut.length, cut.isCut, all.length, all.isCut]).toEqual([2, true, 10, undefined])
  })

  it('fails alone: those that were sent with it are answered, and it can be sent again', async () => {
    const failing = { name: 'divide', text: 'select 1 / $2::int, $1::uuid' }
    const statement = { name: 'beside', text: 'select $2::text, $1::uuid' }
    const answers = await Promise.allSettled([
      clone.database.rowByKey(statement, [organization, 'before']),
      clone.database.rowByKey(failing, [organization, 0]),
      clone.database.rowByKey(failing, [organization, 'no number']),
      clone.database.rowByKey({ name: 'wrong', text: 'select nothing, $1::uuid' }, [organization]),
      clone.database.rowByKey({ name: 'beside', text: 'select 3' }, []),
      clone.database.rowByKey(statement, [organization, { toString: null }]),
      clone.database.rowByKey(statement, [organization, 'after']),
    ])
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value?.[0] : answer.reason.code))).toEqual([
      'before',
      '22012',
      '22P02',
      '42703',
      undefined,
      '{"toString":null}',
      'after',
    ])
    expect(await clone.database.rowByKey(failing, [organization, 1])).toEqual(['1', organization])
  })

  it('that cannot be prepared fails for its own reason each time, and not because another one has not prepared it', async () => {
    const wrong = { name: 'cannot_be_prepared', text: 'select nothing, $1::uuid' }
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => clone.database.rowByKey(wrong, [organization])),
    )
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.code)).toEqual(Array(5).fill('42703'))
  })

  it('is prepared again after a migration has changed its columns', async () => {
    const { systemDatabase, authenticationDatabase } = clone.database
    await systemDatabase.rows('create table changed (n int); insert into changed values (1)')
    const statement = { name: 'of_changed', text: 'select n, $1::uuid from changed' }
    const byKey = () => authenticationDatabase.rowByKey(statement, [organization])
    const alone = () => systemDatabase.row(statement, [organization])
    expect([await byKey(), await alone()]).toEqual(Array(2).fill(['1', organization]))
    await systemDatabase.rows('alter table changed alter n type text using n::text')
    const answers = await Promise.allSettled([byKey(), byKey()])
    expect(answers.map((answer) => answer.status === 'rejected' && isTransientDatabaseError(answer.reason))).toEqual([
      true,
      true,
    ])
    const again = await Promise.all([byKey(), byKey(), alone(), alone()])
    expect(again).toEqual(Array(4).fill(['1', organization]))
  })

  it('takes as many values as PostgreSQL does', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `$${index + 1}::text`).join(', ')
    const asked = (count: number) =>
      clone.database.row(`select array_length(array[${list(count)}], 1)`, Array(count).fill('x'))
    expect(await asked(65_535)).toEqual(['65535'])
    await expect(asked(65_536)).rejects.toThrow('out of range')
    expect(await asked(1)).toEqual(['1'])
  })

  it('that fails names the code that waits for it', async () => {
    const waiting = async () =>
      clone.database.rowByKey({ name: 'fails', text: 'select 1 / 0, $1::uuid' }, [organization])
    await expect(waiting()).rejects.toMatchObject({ stack: expect.stringContaining('text-query.test.ts') })
  })
})

/** How many of the callers whose answers of this many bytes arrive together go on in each turn of the event loop; each works for 2 ms. */
async function goingOnTogether(bytes: number): Promise<number[]> {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    type Query = { handleDataRow(row: object): void; handleReadyForQuery(): void }
    const sent: Query[] = []
    const client = { query: (query: Query) => sent.push(query) } as unknown as pg.ClientBase
    const inEachTurn = [0]
    const work = async () => {
      await queryText(client, { text: 'select' }, [organization])
      now += 2
      inEachTurn[inEachTurn.length - 1]!++
    }
    const working = Array.from({ length: 12 }, work)
    for (const query of sent) {
      query.handleDataRow({ fields: ['x'], length: bytes })
      query.handleReadyForQuery()
    }
    for (; inEachTurn.length < 12; inEachTurn.push(0)) await setImmediate()
    await Promise.all(working)
    return inEachTurn.filter((count) => count > 0)
  } finally {
    clock.mockRestore()
  }
}

describe('answers that arrive together', () => {
  it('are handed on in turns where they are long, because their callers render them then', async () => {
    expect(await goingOnTogether(900_000)).toEqual([3, 3, 3, 3])
  })

  it('are handed on at once where they are short', async () => {
    expect(await goingOnTogether(1_000)).toEqual([12])
  })
})
