import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { FILTER_OPERATORS, type FilterField, parseFilters, toConditions } from './filters.ts'
import { nearestTo } from './nearest.ts'

const word = fc.stringMatching(/^[A-Za-z][A-Za-z.]{0,20}$/)
const value = fc.string({ maxLength: 30 }).filter((text) => !text.includes(','))
const filter = fc.record({ path: word, operator: fc.constantFrom(...FILTER_OPERATORS), value })

describe('parseFilters', () => {
  it('reads whatever was written as path|operator|value joined by commas, pipes in values included', () => {
    fc.assert(
      fc.property(fc.array(filter, { minLength: 1, maxLength: 100 }), (filters) => {
        const text = filters.map((each) => `${each.path}|${each.operator}|${each.value}`).join(',')
        expect(parseFilters(text)).toEqual(filters)
      }),
    )
  })

  it('reads no filters from nothing', () => {
    expect([parseFilters(undefined), parseFilters('')]).toEqual([[], []])
  })

  it.each(['name', 'name|eq', 'name:eq:x', ',', 'name|eq|x,', 'name|eq|a,b'])(
    'refuses %s, which lacks a part',
    (text) => {
      expect(() => parseFilters(text)).toThrow(/^filters\[\d\] must read path\|operator\|value$/)
    },
  )

  it('refuses an unknown operator by the path, with the operators there are', () => {
    for (const operator of ['ne', 'gte', 'EQ', '', 'toString']) {
      expect(() => parseFilters(`name|${operator}|x`)).toThrow(
        'filters[0] (name) must have one of the operators eq, gt, lt, contains, ieq, in',
      )
    }
  })

  it('refuses more filters than anybody needs', () => {
    expect(() => parseFilters(Array.from({ length: 101 }, () => 'a|eq|b').join(','))).toThrow('not be more than 100')
  })

  it('never breaks, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseFilters(text)
        } catch (error) {
          expect(error).toMatchObject({ status: 400, errorName: 'BadRequestError' })
        }
      }),
    )
  })
})

const fields: Record<string, FilterField> = {
  'thing.name': { sql: 'name', type: 'text' },
  'thing.id': { sql: 'id', type: 'uuid' },
  'thing.count': { sql: 'count', type: 'number' },
  'thing.isOpen': { sql: 'is_open', type: 'boolean' },
  'thing.at': { sql: 'at', type: 'instant' },
}
const conditionsOf = (text: string) => toConditions(parseFilters(text), fields, ['organization'])

describe('toConditions', () => {
  it('binds every value and writes none into the SQL', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(...FILTER_OPERATORS), (text, operator) => {
        const marked = `QX${text}`
        const values: unknown[] = ['organization']
        const [sql] = toConditions([{ path: 'thing.name', operator, value: marked }], fields, values)
        expect(sql).not.toContain('QX')
        expect(values.slice(1)).toEqual([operator === 'in' ? marked.split(';') : marked])
      }),
    )
  })

  it('refuses an unknown path by its name, with the nearest ones', () => {
    expect(() => conditionsOf('thing.nmae|eq|CANARY')).toThrow(
      /^filters: there is no path thing\.nmae; the nearest are thing\.name,/,
    )
    for (const path of ['toString', '__proto__', 'thing']) {
      expect(() => conditionsOf(`${path}|eq|x`)).toThrow(/path/)
    }
  })

  it('does not repeat what cannot be a path', () => {
    expect(() => conditionsOf('Ana Rivera 1984|eq|x')).toThrow('filters[0] names no path; there are thing.name')
  })

  it.each([
    ['thing.isOpen|gt|true', 'filters: thing.isOpen takes the operators eq'],
    ['thing.count|contains|1', 'filters: thing.count takes the operators eq, gt, lt, in'],
    ['thing.count|eq|CANARY', 'filters: the value of thing.count must be a number'],
    ['thing.count|in|1;CANARY', 'filters: the value of thing.count must be a number'],
    ['thing.isOpen|eq|CANARY', 'filters: the value of thing.isOpen must be true or false'],
    ['thing.id|eq|CANARY', 'filters: the value of thing.id must be a UUID'],
    ['thing.at|eq|2024-02-30', 'filters: the value of thing.at must be a date'],
    ['thing.at|gt|2024-01-01T00:00:00', 'filters: the value of thing.at must be a date'],
  ])('refuses %s by its path and never repeats the value', (text, message) => {
    expect(() => conditionsOf(text)).toThrow(message)
    expect(() => conditionsOf(text)).not.toThrow('CANARY')
  })
})

describe('a filter on a time', () => {
  const service = testService()

  /** Which of the instants pass the filter for an organization of this time zone. */
  async function passing(timeZone: string, filters: string, instants: string[]): Promise<string[]> {
    const { organizationId } = await service.newCaller({ timeZone })
    const values: unknown[] = [organizationId, instants]
    const conditions = toConditions(parseFilters(filters), fields, values)
    const rows = await service.database.rows(
      `select instant from unnest($2::text[]) instant, lateral (select instant::timestamptz as at) as each
      where $1::uuid is not null and ${conditions.join(' and ')} order by 1`,
      values,
    )
    return rows.map(([instant]) => instant ?? '')
  }

  const instants = [
    '2024-12-08T04:59:59.999Z',
    '2024-12-08T05:00:00.000Z',
    '2024-12-09T04:59:59.999Z',
    '2024-12-09T05:00:00.000Z',
  ]

  it('compares a date alone by the calendar day of the organization', async () => {
    const inNewYork = (filters: string) => passing('America/New_York', filters, instants)
    expect(await inNewYork('thing.at|eq|2024-12-08')).toEqual(instants.slice(1, 3))
    expect(await inNewYork('thing.at|gt|2024-12-08')).toEqual(instants.slice(3))
    expect(await inNewYork('thing.at|lt|2024-12-08')).toEqual(instants.slice(0, 1))
    expect(await inNewYork('thing.at|in|2024-12-07;2024-12-09')).toEqual([instants[0], instants[3]])
    expect(await passing('UTC', 'thing.at|eq|2024-12-08', instants)).toEqual(instants.slice(0, 2))
  })

  it('compares a date-time as an instant', async () => {
    const inNewYork = (filters: string) => passing('America/New_York', filters, instants)
    expect(await inNewYork('thing.at|eq|2024-12-08T00:00:00-05:00')).toEqual([instants[1]])
    expect(await inNewYork('thing.at|gt|2024-12-08T05:00:00Z,thing.at|lt|2024-12-09T05:00:00Z')).toEqual([instants[2]])
  })
})

describe('nearestTo', () => {
  it('puts the name that needs the fewest changes first', () => {
    expect(nearestTo('Nmae', ['version', 'name', 'id'], 1)).toEqual(['name'])
    expect(nearestTo('', ['b', 'aa'])).toEqual(['b', 'aa'])
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1 }),
        (known) =>
          nearestTo(known[0] ?? '', known)[0] === known.find((each) => each.toLowerCase() === known[0]?.toLowerCase()),
      ),
    )
  })
})
