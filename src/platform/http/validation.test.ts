import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileBody, compileParameters } from './validation.ts'

const Body = Type.Object({
  name: Type.String(),
  born: Type.Optional(Type.String({ format: 'date' })),
  seen: Type.Optional(Type.String({ format: 'date-time' })),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  color: Type.Optional(Type.Enum(['RED', 'BLUE'])),
  homes: Type.Optional(Type.Array(Type.Object({ city: Type.String(), rooms: Type.Optional(Type.Integer()) }))),
  owner: Type.Optional(
    Type.Union([
      Type.Object({ npi: Type.String(), family: Type.Optional(Type.String()) }),
      Type.Object({ npi: Type.String(), company: Type.Optional(Type.String()) }),
    ]),
  ),
})
const faultOf = compileBody(Body)

const faultOfTagged = compileBody(
  Type.Object({
    choice: Type.Union([
      Type.Object({ type: Type.Literal('COLOR'), payload: Type.Object({ color: Type.String() }) }),
      Type.Object({ type: Type.Literal('SIZE'), payload: Type.Object({ size: Type.Integer() }) }),
      Type.Object({ type: Type.Literal('ANYTHING'), payload: Type.Optional(Type.Unknown()) }),
    ]),
  }),
)

describe('validating a body', () => {
  it.each([
    [{}, 'name', 'name is required'],
    [{ name: 5 }, 'name', 'name must be string'],
    [{ name: 'a', homes: [{ city: 'x' }, {}] }, 'homes[1].city', 'homes[1].city is required'],
    [{ name: 'a', homes: [{ city: 'x', rooms: 1.5 }] }, 'homes[0].rooms', 'homes[0].rooms must be integer'],
    [{ name: 'a', color: 'GREEN' }, 'color', 'color must be one of RED, BLUE'],
    [{ name: 'a', born: '2025-02-30' }, 'born', 'born must be a date that exists (YYYY-MM-DD)'],
    [{ name: 'a', id: 'x' }, 'id', 'id must be a UUID'],
    [{ name: 'a', owner: {} }, 'owner.npi', 'owner.npi is required'],
    [{ name: 'a', owner: { npi: 5 } }, 'owner.npi', 'owner.npi must be string'],
    [[], 'body', 'body must be object'],
    [null, 'body', 'body must be object'],
    [undefined, 'body', 'body must be object'],
  ])('names the field of %j', (body, field, message) => {
    expect(faultOf(body)).toEqual({ field, message })
  })

  it('names the unknown key of a closed object', () => {
    const Closed = Type.Object({ usage: Type.Optional(Type.String()) }, { additionalProperties: false })
    const message = 'settings has the unknown key "usge"'
    expect(compileBody(Type.Object({ settings: Closed }))({ settings: { usge: 'T' } })).toEqual({
      field: 'settings',
      message,
    })
  })

  it.each([
    [{ type: 'SIZE', payload: { size: 'x' } }, 'choice.payload.size', 'choice.payload.size must be integer'],
    [{ type: 'SIZE', payload: {} }, 'choice.payload.size', 'choice.payload.size is required'],
    [{ type: 'SIZE' }, 'choice.payload', 'choice.payload is required'],
    [{ type: 'COLOR', payload: 5 }, 'choice.payload', 'choice.payload must be object'],
    [{ type: 'SHAPE', payload: {} }, 'choice.type', 'choice.type must be one of COLOR, SIZE, ANYTHING'],
    [{ type: 5, payload: {} }, 'choice.type', 'choice.type must be string'],
    [{ payload: {} }, 'choice.type', 'choice.type is required'],
  ])('names the field of the member that the tag of a union points to: %j', (choice, field, message) => {
    expect(faultOfTagged({ choice })).toEqual({ field, message })
  })

  it('never repeats the input', () => {
    for (const key of Object.keys(Body.properties)) {
      for (const value of ['secret', ['secret'], { secret: 'secret' }]) {
        expect(faultOf({ name: 'a', [key]: value })?.message ?? '').not.toContain('secret')
      }
    }
  })

  it('accepts valid values, and does not convert types', () => {
    expect(faultOf({ name: 'a', owner: { npi: '1', family: 'b' } })).toBeUndefined()
    expect(faultOf({ name: 'a', homes: [{ city: 'c', rooms: '2' }] })).toBeDefined()
  })

  it('validates every key of a union, also one of another member', () => {
    expect(faultOf({ name: 'a', owner: { npi: '1', family: 'b', company: 'c' } })).toBeUndefined()
    expect(faultOf({ name: 'a', owner: { npi: '1', company: 'c', family: true } })).toEqual({
      field: 'owner.family',
      message: 'owner.family must be string',
    })
  })
})

describe('validating parameters', () => {
  const Query = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    all: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
  })
  const check = compileParameters(Query)

  it('converts text to the types of the schema', () => {
    const query = { limit: '7', all: 'true', tags: 'one' }
    expect(check(query)).toBeUndefined()
    expect(query).toEqual({ limit: 7, all: true, tags: ['one'] })
  })

  it.each([
    { limit: '' },
    { limit: '1.5' },
    { limit: '11' },
    { limit: 'x' },
    { limit: ['1', '2'] },
    { all: 'maybe' },
    { all: '' },
  ])('refuses %j by name', (query) => {
    expect(check({ ...query })?.field).toBe(Object.keys(query)[0])
  })
})
