import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { enclosed, listStream, sendLongTextsAsBytes, streamToReader } from './answer-stream.ts'

async function* chunksOf(...chunks: string[][]) {
  for (const texts of chunks) yield texts
}

async function read(stream: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part
  return text
}

it.each([
  [[], '[]'],
  [['1'], '[1]'],
  [['1', '2', '3'], '[1,2,3]'],
])('is one text of all items between its ends: %j', (texts, whole) => {
  const before = [...texts]
  expect(enclosed('[', texts, ']')).toBe(whole)
  expect(texts).toEqual(before)
})

it('arrives byte for byte, whether it is long or short, and is sent as bytes where it is long', async () => {
  const app = Fastify()
  sendLongTextsAsBytes(app)
  const sent: string[] = []
  app.addHook('onSend', (_request, _reply, payload, done) => {
    sent.push(payload instanceof Buffer ? 'bytes' : typeof payload)
    done()
  })
  const texts: Record<string, string> = { short: '"Zoë 王"', long: `"${'Zoë 王 '.repeat(20_000)}"` }
  app.get('/:name', async (request, reply) =>
    reply.type('application/json').send(texts[(request.params as { name: string }).name]),
  )
  for (const [name, text] of Object.entries(texts)) {
    const answer = await app.inject({ url: `/${name}` })
    expect(answer.body).toBe(text)
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)))
  }
  expect(sent).toEqual(['string', 'bytes'])
  await app.close()
})

describe('an array that is streamed', () => {
  it.each([
    [[], [], '[]'],
    [['1'], [['2', '3'], [], ['4']], '[1,2,3,4]'],
    [[], [[], ['1']], '[1]'],
  ])('is one array for any chunks: %j %j', async (first, rest, whole) => {
    expect(await read(listStream([first], chunksOf(...rest)))).toBe(whole)
  })

  it('is never closed when a chunk cannot be read, so that no client mistakes a part for the whole', async () => {
    async function* breaking() {
      yield ['2']
      throw new Error('no database')
    }
    let text = ''
    const reading = (async () => {
      for await (const part of listStream([['1']], breaking())) text += part
    })()
    await expect(reading).rejects.toThrow('no database')
    expect(text).toBe('[1,2')
  })

  it('ends when its reader stops, closes its source, and reads at most a few parts ahead', async () => {
    let made = 0
    let isReleased = false
    async function* endless() {
      try {
        for (;;) yield `${made++}`
      } finally {
        isReleased = true
      }
    }
    const stream = streamToReader(endless(), 20)
    stream.once('readable', () => stream.read())
    const [error] = (await once(stream, 'error')) as [Error]
    expect(error.message).toBe('the reader of an answer has stopped reading')
    while (!isReleased) await setImmediate()
    expect(made).toBeLessThan(10)
  })

  it('closes its source when its reader disconnects', async () => {
    let isReleased = false
    async function* endless() {
      try {
        for (;;) yield 'x'
      } finally {
        isReleased = true
      }
    }
    const stream = streamToReader(endless())
    stream.once('readable', () => stream.destroy())
    await once(stream, 'close')
    while (!isReleased) await setImmediate()
    expect(isReleased).toBe(true)
  })
})
