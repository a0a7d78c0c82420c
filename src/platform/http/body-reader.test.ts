import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import Fastify from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { takeTurn } from '../event-loop.ts'
import { BODY_LIMIT_BYTES, parseBody, parseItem, readItems, readJsonBodies, readText } from './body-reader.ts'

const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}"[{"${']}'.repeat(levels / 2)}`

describe('a JSON body', () => {
  it('is accepted with 30 levels and refused with 50, also under a key that no schema knows', () => {
    expect(parseBody(`{"free":${nested(30)}}`)).toEqual({ free: JSON.parse(nested(30)) })
    expect(() => parseBody(`{"value":"fine","unknown":${nested(50)}}`)).toThrow('the body is nested too deeply')
    expect(() => parseBody('['.repeat(100_000))).toThrow('the body is nested too deeply')
  })

  it('may have 32 levels, and no more', () => {
    const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseBody(`{"free":${lists(31)}}`)).toEqual({ free: JSON.parse(lists(31)) })
    expect(() => parseBody(`{"free":${lists(32)}}`)).toThrow('the body is nested too deeply')
  })

  it('may hold any number of brackets and quotes in its strings', () => {
    const text = JSON.stringify({ value: '[{"\\"'.repeat(100), other: '\\' })
    expect(parseBody(text)).toEqual(JSON.parse(text))
  })

  it('that is not JSON is refused without being quoted', () => {
    expect(() => parseBody('{"value": secret}')).toThrow(/^the body is not valid JSON$/)
  })

  it('with a key twice in one object is refused, at any depth and in any spelling, because readers differ in which value counts', () => {
    const twice = ['{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061":2}}]', '{"x":{"__proto__":1,"__proto__":2}}', '{"":1,"":1}']
    for (const text of twice) expect(() => parseBody(text)).toThrow('an object in the body has the same key twice')
    expect(parseBody('[{"a":":,\\":","A":1},{"a":{"a":[{"a":1}]}}]')).toHaveLength(2)
    expect(parseBody('{"a":1,"__proto__":{"b":1}}')).toEqual({ a: 1 })
  })

  it('is accepted as JSON.stringify writes it, with any keys and values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(() => parseBody(JSON.stringify(value))).not.toThrow()
      }),
    )
  })

  it('is refused before it is parsed when it contains more values than any record, regardless of its length', () => {
    expect(() => parseBody(`{"unknown":[${'[],'.repeat(60_000)}1`)).toThrow(
      'must not contain more than 50000 values and keys',
    )
    expect(() => parseBody(`{${'"a":1,'.repeat(60_000)}`)).toThrow('must not contain more than 50000 values and keys')
    expect(parseBody(`["${'[],:{'.repeat(60_000)}"]`)).toHaveLength(1)
  })
})

describe('bodies that arrive together', () => {
  /** How many calls with a body of this length are handled in each turn of the event loop; each takes 2 ms. */
  async function handledTogether(length: number): Promise<number> {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const app = Fastify()
    readJsonBodies(app)
    const inEachTurn = [0]
    app.post('/', async () => {
      now += 2
      inEachTurn[inEachTurn.length - 1]!++
      return {}
    })
    try {
      await app.ready()
      const payload = { value: 'x'.repeat(length) }
      const asked = Array.from({ length: 12 }, () => app.inject({ method: 'POST', url: '/', payload }))
      for (; inEachTurn.reduce((sum, count) => sum + count) < 12; inEachTurn.push(0)) await setImmediate()
      await Promise.all(asked)
      return Math.max(...inEachTurn)
    } finally {
      clock.mockRestore()
      await app.close()
    }
  }

  it('are parsed and handled in turns, also where each is short: an organization may send hundreds in the same moment', async () => {
    expect(await handledTogether(1000)).toBeLessThanOrEqual(3)
  })

  it('are handled at once where they hold next to nothing', async () => {
    expect(await handledTogether(10)).toBe(12)
  })
})

describe('a body that arrives', () => {
  /** All of it at once, as from a network that was faster than we. */
  function arrived(text: string): IncomingMessage {
    const stream = new PassThrough({ highWaterMark: 4 * BODY_LIMIT_BYTES })
    for (let from = 0; from < text.length; from += 40_000) stream.write(text.slice(from, from + 40_000))
    stream.end()
    return stream as unknown as IncomingMessage
  }

  it.each([10, 40_000, 200_001])('is read to the end, also while it waits for its turn: %s bytes', async (length) => {
    const text = 'é'.repeat(length / 2).padEnd(length / 2 + (length % 2), '.')
    takeTurn.occupy()
    expect(await readText(arrived(text), BODY_LIMIT_BYTES)).toBe(text)
  })

  it('and is as long as the limit is read, and one that is longer by a byte is refused', async () => {
    const text = 'x'.repeat(100_000)
    expect(await readText(arrived(text), 100_000)).toBe(text)
    await expect(readText(arrived('x'.repeat(100_001)), 100_000)).rejects.toMatchObject({ status: 413 })
  })

  it.each(['before', 'while'])('from a caller who leaves %s it is read is given up at once', async (when) => {
    const stream = new PassThrough()
    stream.write('half')
    if (when === 'before') stream.destroy()
    const reading = readText(stream as unknown as IncomingMessage, BODY_LIMIT_BYTES)
    if (when === 'while') stream.destroy(new Error('aborted'))
    await expect(reading).rejects.toThrow('the request ended before its body did')
  })
})

describe('a long array', () => {
  /** The text as it may arrive from the network: cut anywhere, also within a letter. */
  function incoming(text: string, pieceBytes: number): IncomingMessage {
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
      bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
    )
    return Readable.from(pieces) as IncomingMessage
  }
  const read = async (text: string, pieceBytes = 1000) =>
    (await readItems(incoming(text, pieceBytes), 20 * BODY_LIMIT_BYTES))?.map(parseItem)

  it('gives the same items as the complete array, for any formatting and any split', async () => {
    const indent = fc.constantFrom(undefined, 1, '\t')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        indent,
        fc.integer({ min: 1, max: 50 }),
        async (list, space, cut) => {
          const text = ` ${JSON.stringify(list, null, space)}\r\n`
          // Dropped from items, kept by JSON.parse.
          fc.pre(!text.includes('__proto__'))
          expect(await read(text, cut)).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  it.each([
    '{}',
    '"[1]"',
    '1',
    'null',
    '[',
    '[1',
    '1]',
    '{"a":[1]}',
    '[1],',
    '[1]x',
    'x[1]',
    '[1,]',
    '[,1]',
    '[,]',
    '[1][2]',
    '[1 2]',
    '[{]}',
  ])('that is not an array is refused: %s', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ status: 400 })
  })

  it('may be long, while each of its items has the limits of any other body', async () => {
    expect(await read(`[${'[1,2,3],'.repeat(60_000)}1]`, 65_536)).toHaveLength(60_001)
    await expect(read(`[1,[${'[],'.repeat(60_000)}1]]`, 65_536)).rejects.toThrow(
      'must not contain more than 50000 values',
    )
    await expect(read(`[1,${'['.repeat(40)}${']'.repeat(40)}]`)).rejects.toThrow('nested too deeply')
    await expect(read(`["${'a'.repeat(BODY_LIMIT_BYTES)}"]`, 65_536)).rejects.toMatchObject({ status: 413 })
  })

  it('with too many items is refused before any of them is parsed', async () => {
    await expect(read(`[${'1,'.repeat(200_000)}1]`, 65_536)).rejects.toThrow('must not have more than 100000 items')
  })
})
