import { describe, expect, it } from 'vitest'
import { testService } from '../../../../test/support/service.ts'
import { binaryArray } from './binary-array.ts'

const service = testService()

describe.each(['text', 'json'] as const)('an array of %s', (type) => {
  const read = async (elements: (string | null)[]) => {
    const sql = `select each from unnest($1::${type}[]) with ordinality as list (each, place) order by place`
    return (await service.database.rows(sql, [binaryArray(type, elements)])).map(([element]) => element)
  }

  it('arrives as it was sent: quotes, backslashes, letters of several bytes, empty texts and null', async () => {
    const elements = ['"{a,b}\\\\"', null, '"Łódź 😀"', '"NULL"', '""']
    expect(await read(elements)).toEqual(elements)
  })

  it('may be empty, contain only nulls, or contain a long text', async () => {
    expect(await read([])).toEqual([])
    expect(await read([null, null])).toEqual([null, null])
    const long = `"${'x'.repeat(3_000_000)}"`
    expect(await read([long, '1'])).toEqual([long, '1'])
  })
})
