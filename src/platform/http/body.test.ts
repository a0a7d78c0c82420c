import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { recordId } from '../../contract/common.schema.ts'
import { WireError } from '../../contract/errors.ts'
import { cleanInput } from './body.ts'

const Pet = Type.Union([
  Type.Object({ kind: Type.Literal('cat'), lives: Type.Optional(Type.Integer()) }),
  Type.Object({ kind: Type.Literal('dog'), tricks: Type.Optional(Type.Array(Type.String())) }),
])
const Person = Type.Object({
  name: Type.String(),
  nick: Type.Optional(Type.String()),
  born: Type.Optional(Type.String({ format: 'date-time' })),
  homes: Type.Optional(Type.Array(Type.Object({ city: Type.String(), note: Type.Optional(Type.String()) }))),
  pet: Type.Optional(Pet),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const clean = (value: unknown) => cleanInput(Person, value)

function refusal(value: unknown): string {
  try {
    clean(value)
  } catch (error) {
    expect(error).toBeInstanceOf(WireError)
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('cleaning a body', () => {
  it('drops unknown keys at every level', () => {
    const sent = { name: 'a', x: 1, homes: [{ city: 'c', x: 1 }], pet: { kind: 'cat', lives: 9, tricks: [] } }
    expect(clean(sent)).toEqual({ name: 'a', homes: [{ city: 'c' }], pet: { kind: 'cat', lives: 9 } })
  })

  it('keeps the unknown keys of a closed object, so that validation names them', () => {
    const Closed = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false })
    const Body = Type.Object({ closed: Closed, open: Type.Optional(Type.Object({})) })
    expect(cleanInput(Body, { closed: { a: null, b: null }, open: { b: 1 }, c: 1 })).toEqual({
      closed: { b: null },
      open: {},
    })
    expect(cleanInput(Body, { closed: { a: ' x' } })).toEqual({ closed: { a: ' x' } })
  })

  it('treats null for an optional field as absent, and leaves a required one to validation', () => {
    expect(clean({ name: null, nick: null, homes: [{ city: 'c', note: null }] })).toEqual({
      name: null,
      homes: [{ city: 'c' }],
    })
  })

  it('reads {} as false where a boolean is required, as the published client of Ruby writes it', () => {
    const Flags = Type.Object({
      verified: Type.Boolean(),
      orcon: Type.Optional(Type.Boolean()),
      free: Type.Optional(Type.Unknown()),
    })
    expect(cleanInput(Flags, { verified: {}, free: {} })).toEqual({ verified: false, free: {} })
    for (const wrong of [{ verified: { a: 1 } }, { verified: [] }, { verified: '{}' }, { verified: true, orcon: {} }]) {
      expect(cleanInput(Flags, wrong)).toEqual(wrong)
    }
  })

  it('keeps null in free-form data and in lists', () => {
    expect(clean({ name: 'a', free: { x: null, y: [null] } })).toEqual({ name: 'a', free: { x: null, y: [null] } })
  })

  it('converts instants to UTC with milliseconds, and leaves invalid ones to validation', () => {
    expect(clean({ name: 'a', born: '2026-01-15T09:30:00+01:00' })).toEqual({
      name: 'a',
      born: '2026-01-15T08:30:00.000Z',
    })
    expect(clean({ name: 'a', born: 'soon' })).toEqual({ name: 'a', born: 'soon' })
  })

  it('writes ids in lower case, and no other text that has their form', () => {
    const Ids = Type.Object({
      group: Type.String({ format: 'uuid' }),
      tags: Type.Array(recordId()),
      external: Type.String(),
    })
    const id = '0197A2C4-5B1E-7C3A-9D42-6F0E8B1A7C55'
    expect(cleanInput(Ids, { group: id, tags: [id, 'Not-An-Id'], external: id })).toEqual({
      group: id.toLowerCase(),
      tags: [id.toLowerCase(), 'Not-An-Id'],
      external: id,
    })
  })

  it('names the field that contains a NUL or a lone surrogate, and does not repeat its text', () => {
    expect(refusal({ name: 'secret\0' })).toBe('name holds a NUL character')
    expect(refusal({ name: 'a', homes: [{ city: 'c' }, { city: 'secret\ud800' }] })).toBe(
      'homes[1].city holds half of a surrogate pair',
    )
    expect(refusal({ name: 'a', free: { secret: { deep: ['\udc00'] } } })).not.toContain('\udc00')
    expect(refusal({ name: 'a', free: { 'secret\0': 1 } })).toBe('free holds a NUL character')
    expect(refusal('\0')).toBe('the body holds a NUL character')
  })

  it('refuses a letter with more combining marks than any language uses, because composing takes quadratic time', () => {
    const marks = '\u0315\u0300'.repeat(15)
    expect(clean({ name: `a${marks}b${marks}` })).toEqual({ name: `a${marks}b${marks}`.normalize('NFC') })
    expect(refusal({ name: `a${marks}\u0300` })).toBe('name holds more than 30 combining marks in a row')
    expect(refusal({ name: 'a', free: { [`x${marks.repeat(20_000)}`]: 1 } })).toContain('combining marks')
  })

  it('removes invisible characters and keeps those that change letters, line breaks, free-form data and secrets', () => {
    const unseen = '\u0001\u007f\u0092\u00ad\u034f\u200b\u200e\u202e\u2060\u2066\ufeff\ufff0\u{e0041}'
    expect(clean({ name: `${unseen}O${unseen}ro${unseen}` })).toEqual({ name: 'Oro' })
    const kept = 'می\u200cخواهم 👩\u200d⚕\ufe0f 葛\u{e0100} \u1160ᆫ a\tb\r\nc\u0085d'
    expect(clean({ name: kept, free: { key: unseen } })).toEqual({ name: kept, free: { key: unseen } })
    expect(cleanInput(Type.Object({ password: Type.String({ 'x-secret': true }) }), { password: unseen })).toEqual({
      password: unseen,
    })
    expect(refusal({ name: `a${'\u0300\u200b'.repeat(31)}` })).toBe('name holds more than 30 combining marks in a row')
  })

  it('accepts complete surrogate pairs', () => {
    expect(clean({ name: '💩' })).toEqual({ name: '💩' })
  })

  it('treats keys of Object.prototype like any unknown key', () => {
    const sent = JSON.parse('{"name":"a","__proto__":{"nick":"x"},"constructor":{"nick":"x"},"toString":1}')
    expect(clean(sent)).toEqual({ name: 'a' })
    const inherited = Object.create({ nick: 'inherited' }, { name: { value: 'a', enumerable: true } })
    expect(clean(inherited)).toEqual({ name: 'a' })
  })

  it('does not read values that validation refuses anyway: a wrong type, a list that is too long', () => {
    const untouchable = (value: object) =>
      new Proxy(value, {
        get: () => expect.unreachable('a value was read'),
        ownKeys: () => expect.unreachable('the keys were read'),
      })
    const [list, map] = [untouchable([]), untouchable({})]
    const wrong: [TSchema, unknown][] = [
      [Type.String(), list],
      [Type.String(), map],
      [Type.Enum(['a']), map],
      [Type.Array(Type.String()), map],
      [Type.Record(Type.String(), Type.Unknown()), list],
      [Person, list],
      [Pet, list],
    ]
    for (const [schema, value] of wrong) expect(cleanInput(schema, value) === value).toBe(true)
    const few = Type.Array(Person, { maxItems: 2 })
    const many = [map, map, map]
    expect(cleanInput(few, many) === many).toBe(true)
  })

  it('is idempotent, and never changes its input', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const sent = { name: 'a', free: { value }, homes: value, pet: value }
        const before = structuredClone(sent)
        const once = clean(sent)
        expect(clean(once)).toEqual(once)
        expect(sent).toEqual(before)
      }),
    )
  })
})
