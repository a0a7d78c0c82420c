import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { testService } from '../../test/support/service.ts'
import { recordId } from '../contract/common.schema.ts'
import { FILTER_OPERATORS, FILTER_VALUES_MAX, parseFilters } from '../platform/http/filters.ts'
import { readConditions } from './conditions.ts'
import { type Path, pathsOf } from './paths.ts'
import { defineRecord } from './record.ts'
import { sortBy } from './sort.ts'

const colors = ['RED', 'GREEN', 'BLUE']

const thing = defineRecord({
  name: 'note',
  label: 'Thing',
  mutable: Type.Object({
    name: Type.String(),
    color: Type.Optional(Type.Enum(colors)),
    owner_id: Type.String({ format: 'uuid' }),
    how_many: Type.Optional(Type.Integer()),
    is_open: Type.Boolean(),
    made_on: Type.Optional(Type.String({ format: 'date' })),
    seen_at: Type.Optional(Type.String({ format: 'date-time' })),
    secret: Type.Optional(Type.String()),
    tag_ids: Type.Optional(Type.Array(Type.String())),
    links: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
    note_ids: Type.Optional(Type.Array(recordId())),
    parts: Type.Array(
      Type.Object({ name: Type.String(), weight: Type.Optional(Type.Number()), colors: Type.Array(Type.Enum(colors)) }),
    ),
    place: Type.Optional(Type.Object({ city: Type.String(), address_1: Type.Optional(Type.String()) })),
    anything: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  example: { name: '', owner_id: '', is_open: true, parts: [] },
  pathVersions: {},
  patients: 'none',
  encrypts: ['secret'],
})
const paths = pathsOf({ record: thing, key: 'thing', table: 'thing' })

const ORGANIZATION = 'organization'
/** The SQL conditions of filters that need no calendar. */
async function conditionsOf(text: string, values: unknown[] = [ORGANIZATION]): Promise<string[]> {
  const noDatabase = { database: undefined as never }
  return (await readConditions(noDatabase, ORGANIZATION, parseFilters(text), paths, values)).map(({ sql }) => sql)
}

describe('the paths of a record', () => {
  it('are all fields of its schema in camelCase, except encrypted and free-form ones', () => {
    expect([...paths.keys()].filter((path) => !/[a-z]\.(id|version|deactivated|.*At|.*Id)$/.test(path))).toEqual([
      'thing.name',
      'thing.color',
      'thing.howMany',
      'thing.isOpen',
      'thing.madeOn',
      'thing.tagIds',
      'thing.links',
      'thing.noteIds',
      'thing.parts.name',
      'thing.parts.weight',
      'thing.parts.colors',
      'thing.place.city',
      'thing.place.address1',
    ])
    expect(paths.has('thing.updatedAt') && paths.has('thing.id') && paths.has('thing.seenAt')).toBe(true)
  })

  it('are marked as always set only where the schema requires every key of the path', () => {
    const isAlwaysSet = (path: string) => paths.get(path)?.isAlwaysSet
    expect(['thing.id', 'thing.name', 'thing.color', 'thing.place.city'].map((path) => isAlwaysSet(path))).toEqual([
      true,
      true,
      false,
      false,
    ])
    const joined = pathsOf({ record: thing, key: 'thing', table: 'thing', isOptional: true })
    expect([...joined.values()].some((path) => path.isAlwaysSet)).toBe(false)
  })
})

describe('sortBy', () => {
  it('accepts every path to a single value and refuses others with the nearest paths, without repeating the input', () => {
    for (const [name, path] of paths) {
      if (path.elements) expect(() => sortBy(paths, { field: name })).toThrow('must be a path that leads to one value')
      else expect(sortBy(paths, { field: name, direction: 'desc' })).toMatchObject({ direction: 'desc' })
    }
    expect(() => sortBy(paths, { field: 'thing.nmae' })).toThrow('the nearest are thing.name')
    expect(() => sortBy(paths, { field: 'thing.secret' })).toThrow('the nearest are')
    expect(() => sortBy(paths, { field: "CANARY'; drop table" })).toThrow('paths begin with thing')
    for (const field of ['CANARY', "CANARY'; drop table"]) {
      expect(() => sortBy(paths, { field })).not.toThrow('CANARY')
    }
  })
})

describe('readConditions', () => {
  it('yields to other work between filters with thousands of values', async () => {
    const filter = `thing.name|in|${Array.from({ length: FILTER_VALUES_MAX }, (_, index) => `é${index}`).join(';')}`
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    await conditionsOf(Array.from({ length: 100 }, () => filter).join())
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(1)
  })

  it('binds every value and puts none into the SQL text', async () => {
    const value = fc.string({ maxLength: 30 }).filter((text) => !text.includes(','))
    const path = fc.constantFrom('thing.name', 'thing.tagIds', 'thing.parts.name', 'thing.place.city')
    await fc.assert(
      fc.asyncProperty(value, path, fc.constantFrom(...FILTER_OPERATORS), async (text, name, operator) => {
        const values: unknown[] = [ORGANIZATION]
        const [sql] = await conditionsOf(`${name}|${operator}|QX${text}`, values)
        expect(sql).not.toContain('QX')
        expect(values).toHaveLength(2)
        expect(JSON.stringify(values[1])).toContain('QX')
      }),
    )
  })

  it('refuses an unknown path by name and suggests the nearest paths', async () => {
    await expect(conditionsOf('thing.nmae|eq|CANARY')).rejects.toThrow(
      /^filters: unknown path thing\.nmae; the nearest are thing\.name,/,
    )
    for (const path of ['toString', '__proto__', 'thing', 'thing.secret', 'thing.anything', 'thing.anything.x']) {
      await expect(conditionsOf(`${path}|eq|x`)).rejects.toThrow(/unknown path|does not name a path/)
    }
  })

  it('searches no similar path for a spelling of 99 letters, and says how paths begin', async () => {
    const long = `thing.${'n'.repeat(93)}`
    await expect(conditionsOf(`${long}|eq|x`)).rejects.toThrow(`filters: unknown path ${long}; paths begin with thing`)
    expect(() => sortBy(paths, { field: long })).toThrow('paths begin with thing')
  })

  it('accepts as many ids in one filter as fit into a URL, and at most 2,000 values', async () => {
    const listed = (count: number) => Array.from({ length: count }, () => randomUUID()).join(';')
    const values: unknown[] = [ORGANIZATION]
    await conditionsOf(`thing.name|in|${listed(1000)}`, values)
    expect(values[1]).toHaveLength(1000)
    await conditionsOf(`thing.name|in|${listed(FILTER_VALUES_MAX)}`)
    await expect(conditionsOf(`thing.name|in|${listed(FILTER_VALUES_MAX + 1)}`)).rejects.toThrow(
      'filters: thing.name must not have more than 2000 values',
    )
  })

  it('does not repeat input that cannot be a path', async () => {
    await expect(conditionsOf('Ana Rivera 1984|eq|x')).rejects.toThrow(
      'filters[0] does not name a path; paths begin with thing',
    )
  })

  it.each([
    ['thing.isOpen|gt|true', 'filters: thing.isOpen takes the operators eq, in'],
    ['thing.howMany|contains|1', 'filters: thing.howMany takes the operators eq, gt, lt, in'],
    ['thing.color|gt|RED', 'filters: thing.color takes the operators eq, contains, ieq, in'],
    ['thing.madeOn|contains|2024', 'filters: thing.madeOn takes the operators eq, gt, lt, in'],
    ['thing.howMany|eq|CANARY', 'filters: the value of thing.howMany must be a number'],
    ['thing.howMany|in|1;CANARY', 'filters: the value of thing.howMany must be a number'],
    ['thing.isOpen|eq|CANARY', 'filters: the value of thing.isOpen must be true or false'],
    ['thing.color|eq|CANARY', 'filters: the value of thing.color must be one of RED, GREEN, BLUE'],
    ['thing.color|eq|red', 'filters: the value of thing.color must be one of RED, GREEN, BLUE'],
    ['thing.parts.colors|contains|CANARY', 'filters: the value of thing.parts.colors must be one of RED, GREEN, BLUE'],
    ['thing.madeOn|gt|2024-02-30', 'filters: the value of thing.madeOn must be a date'],
    ['thing.seenAt|eq|2024-02-30', 'filters: the value of thing.seenAt must be a date'],
    ['thing.updatedAt|gt|2024-01-01T00:00:00', 'filters: the value of thing.updatedAt must be a date'],
  ])('refuses %s, names the path and never repeats the value', async (text, message) => {
    await expect(conditionsOf(text)).rejects.toThrow(message)
    await expect(conditionsOf(text)).rejects.not.toThrow('CANARY')
  })
})

describe('a filter', () => {
  const service = testService()

  /** The names of the bodies that pass the filter, for an organization of this time zone. */
  async function passing(filters: string, bodies: object[], timeZone = 'UTC'): Promise<unknown[]> {
    const { organizationId } = await service.newCaller({ timeZone })
    const values: unknown[] = [organizationId, JSON.stringify(bodies)]
    const conditions = await readConditions(service.deps, organizationId, parseFilters(filters), paths, values)
    const rows = await service.database.rows(
      `select body ->> 'name' from (select body from jsonb_array_elements($2::jsonb) body) thing
      where $1::uuid is not null and ${conditions.map(({ sql }) => sql).join(' and ')}`,
      values,
    )
    return rows.map(([name]) => name)
  }

  const instants = [
    '2024-12-08T04:59:59.999Z',
    '2024-12-08T05:00:00.000Z',
    '2024-12-09T04:59:59.999Z',
    '2024-12-09T05:00:00.000Z',
  ].map((at) => ({ name: at, seen_at: at }))
  const names = instants.map(({ name }) => name)

  it('compares a date without a time by the calendar day of the organization', async () => {
    const inNewYork = (filters: string) => passing(filters, instants, 'America/New_York')
    expect(await inNewYork('thing.seenAt|eq|2024-12-08')).toEqual(names.slice(1, 3))
    expect(await inNewYork('thing.seenAt|gt|2024-12-08')).toEqual(names.slice(3))
    expect(await inNewYork('thing.seenAt|lt|2024-12-08')).toEqual(names.slice(0, 1))
    expect(await inNewYork('thing.seenAt|in|2024-12-07;2024-12-09')).toEqual([names[0], names[3]])
    expect(await passing('thing.seenAt|eq|2024-12-08', instants)).toEqual(names.slice(0, 2))
  })

  it('finds the same records for many days and instants at once as for each of them', async () => {
    const others = Array.from({ length: 30 }, (_, index) => new Date(Date.UTC(1990, 0, 1 + 2 * index)).toISOString())
    const days = others.map((each) => each.slice(0, 10))
    const inNewYork = (values: string[]) => passing(`thing.seenAt|in|${values.join(';')}`, instants, 'America/New_York')
    expect(await inNewYork([...days, '2024-12-08'])).toEqual(names.slice(1, 3))
    expect(await inNewYork(['2024-12-09', ...days, '2024-12-07', '2024-12-07'])).toEqual([names[0], names[3]])
    expect(await inNewYork([...days, '2024-12-08', '2024-12-08T23:59:59.999-05:00'])).toEqual(names.slice(1, 3))
    expect(await inNewYork([...others, '2024-12-08T00:00:00-05:00'])).toEqual([names[1]])
    expect(await inNewYork([...days, '0001-01-01', '9999-12-31'])).toEqual([])
  })

  it('compares a date-time as an instant', async () => {
    const inNewYork = (filters: string) => passing(filters, instants, 'America/New_York')
    expect(await inNewYork('thing.seenAt|eq|2024-12-08T00:00:00-05:00')).toEqual([names[1]])
    expect(await inNewYork('thing.seenAt|gt|2024-12-08T05:00:00Z,thing.seenAt|lt|2024-12-09T05:00:00Z')).toEqual([
      names[2],
    ])
    expect(await inNewYork('thing.seenAt|gt|2024-12-08T05:00Z,thing.seenAt|lt|2024-12-09T00:00-05:00')).toEqual([
      names[2],
    ])
  })

  it('accepts the first and the last representable day', async () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(await passing('thing.seenAt|gt|0001-01-01,thing.seenAt|lt|9999-12-31', instants, timeZone)).toEqual(names)
      expect(await passing('thing.seenAt|gt|9999-12-31', instants, timeZone)).toEqual([])
    }
  })

  const things = [
    {
      name: 'Ana_%',
      color: 'RED',
      how_many: 10,
      tag_ids: ['t1', 'T2'],
      parts: [{ name: 'lid', weight: 2.5, colors: [] }],
    },
    { name: 'ÉVA', color: null, how_many: 9, tag_ids: [], parts: [{ name: 'Box', colors: ['RED', 'BLUE'] }] },
    {
      name: 'éva\\',
      parts: [],
      links: ['0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55'],
      note_ids: ['0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55'],
      place: { city: 'Albany' },
    },
  ]

  it.each([
    ['thing.name|contains|_%', ['Ana_%']],
    ['thing.name|contains|\\', ['éva\\']],
    ['thing.name|contains|éV', ['ÉVA', 'éva\\']],
    ['thing.name|contains|', ['Ana_%', 'ÉVA', 'éva\\']],
    ['thing.name|ieq|éva', ['ÉVA']],
    ['thing.name|ieq| éva ', ['ÉVA']],
    ['thing.name|in|ÉVA;x', ['ÉVA']],
    ['thing.color|ieq|red', ['Ana_%']],
    ['thing.howMany|gt|9', ['Ana_%']],
    ['thing.howMany|lt|99999999999999999999', ['Ana_%', 'ÉVA']],
    ['thing.howMany|eq|1e1', ['Ana_%']],
    ['thing.howMany|in|9;10.0', ['Ana_%', 'ÉVA']],
    ['thing.tagIds|contains|t1', ['Ana_%']],
    ['thing.tagIds|contains|t', []],
    ['thing.tagIds|eq|t2', []],
    ['thing.tagIds|ieq|t2', ['Ana_%']],
    ['thing.color|contains|eD', ['Ana_%']],
    ['thing.color|contains|CANARY', []],
    ['thing.color|contains|', ['Ana_%']],
    ['thing.tagIds|in|T2;x', ['Ana_%']],
    ['thing.tagIds|in|x; T2', ['Ana_%']],
    ['thing.tagIds|contains| t1', ['Ana_%']],
    ['thing.links|contains|0197A2C4-5B1E-7C3A-9D42-6F0E8B1A7C55', ['éva\\']],
    ['thing.noteIds|contains|0197A2C4-5B1E-7C3A-9D42-6F0E8B1A7C55', ['éva\\']],
    ['thing.noteIds|in|x;0197a2c4-5b1e-7c3a-9D42-6f0e8b1a7c55', ['éva\\']],
    ['thing.noteIds|ieq|0197A2C4-5B1E-7C3A-9D42-6F0E8B1A7C55', ['éva\\']],
    ['thing.parts.name|contains|i', ['Ana_%']],
    ['thing.parts.name|ieq|box', ['ÉVA']],
    ['thing.parts.weight|gt|2', ['Ana_%']],
    ['thing.parts.colors|contains|BLUE', ['ÉVA']],
    ['thing.parts.colors|in|GREEN;RED', ['ÉVA']],
    ['thing.place.city|gt|Alb,thing.name|contains|v', ['éva\\']],
  ])('%s matches the expected records, and never one that lacks the field', async (filters, expected) => {
    expect(await passing(filters, things)).toEqual(expected)
  })
})

describe('a filter on a column', () => {
  it("binds the value in the column's type", async () => {
    const values: unknown[] = []
    await conditionsOf('thing.id|eq|0197A2C4-5B1E-7C3A-9D42-6F0E8B1A7C55', values)
    await conditionsOf('thing.updatedAt|gt|2024-01-01T00:00:00+02:00', values)
    expect(values).toEqual(['0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55', '2023-12-31T22:00:00.000Z'])
    const types = ['thing.id', 'thing.updatedAt'].map((path) => (paths.get(path) as Path).type)
    expect(types).toEqual(['uuid', 'timestamptz'])
  })
})
