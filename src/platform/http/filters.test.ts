import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FILTER_OPERATORS, parseFilters, valuesOf } from './filters.ts'
import { NEAREST_LENGTH_MAX, nearestTo } from './nearest.ts'

const word = fc.stringMatching(/^[A-Za-z][A-Za-z.]{0,20}$/)
const value = fc.string({ maxLength: 30 }).filter((text) => !/[,\\]/.test(text))
const filter = fc.record({ path: word, operator: fc.constantFrom(...FILTER_OPERATORS), value })

describe('parseFilters', () => {
  it('parses filters written as path|operator|value joined by commas, including pipes in values', () => {
    fc.assert(
      fc.property(fc.array(filter, { minLength: 1, maxLength: 100 }), (filters) => {
        const text = filters.map((each) => `${each.path}|${each.operator}|${each.value}`).join(',')
        expect(parseFilters(text)).toEqual(filters)
      }),
    )
  })

  it('reads an escaped comma, semicolon or backslash as part of the value, and any other backslash literally', () => {
    const escaped = (text: string) => text.replaceAll(/[\\,;]/g, '\\$&')
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 9 }), { minLength: 1 }), { minLength: 1, maxLength: 9 }),
        (lists) => {
          const text = lists.map((list) => `path|in|${list.map(escaped).join(';')}`).join(',')
          expect(parseFilters(text).map(valuesOf)).toEqual(lists)
        },
      ),
    )
    expect(parseFilters('a|eq|Smith\\, Jane;x,b|eq|c:\\d').map(valuesOf)).toEqual([['Smith, Jane;x'], ['c:\\d']])
  })

  it('accepts blanks around paths and operators, as clients write them', () => {
    expect(parseFilters('a | eq |x, b|in |y')).toEqual([
      { path: 'a', operator: 'eq', value: 'x' },
      { path: 'b', operator: 'in', value: 'y' },
    ])
  })

  it('returns no filters for an empty text', () => {
    expect([parseFilters(undefined), parseFilters('')]).toEqual([[], []])
  })

  it.each(['name', 'name|eq', 'name:eq:x', ',', 'name|eq|x,', 'name|eq|a,b'])(
    'refuses %s, which lacks a part',
    (text) => {
      expect(() => parseFilters(text)).toThrow(/^filters\[\d\] must read path\|operator\|value$/)
    },
  )

  it('refuses an unknown operator, naming the path and the valid operators', () => {
    for (const operator of ['ne', 'gte', 'EQ', '', 'toString']) {
      expect(() => parseFilters(`name|${operator}|x`)).toThrow(
        'filters[0] (name) must have one of the operators eq, gt, lt, contains, ieq, in',
      )
    }
  })

  it('refuses more than 100 filters', () => {
    expect(() => parseFilters(Array.from({ length: 101 }, () => 'a|eq|b').join(','))).toThrow('at most 100 filters')
  })

  it('returns filters or a BadRequestError for any text', () => {
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

  it('does not compare a text that is too long to be a name', () => {
    const known = new Proxy(['name', 'version'], {
      get: (target, key) => {
        if (key === Symbol.iterator) throw new Error('the names were read')
        return Reflect.get(target, key)
      },
    })
    expect(nearestTo('n'.repeat(NEAREST_LENGTH_MAX + 1), known)).toEqual([])
    expect(() => nearestTo('n'.repeat(NEAREST_LENGTH_MAX), known)).toThrow('the names were read')
  })

  it('finds the same names although it compares most of them only in part', () => {
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { minLength: 4 }), (name, known) => {
        expect(nearestTo(name, known)).toEqual(nearestTo(name, known, known.length).slice(0, 3))
      }),
    )
  })
})
