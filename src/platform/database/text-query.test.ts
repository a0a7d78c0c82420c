import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'

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

  it('that fails names the code that waits for it', async () => {
    const waiting = async () =>
      clone.database.rowByKey({ name: 'fails', text: 'select 1 / 0, $1::uuid' }, [organization])
    await expect(waiting()).rejects.toMatchObject({ stack: expect.stringContaining('text-query.test.ts') })
  })
})
