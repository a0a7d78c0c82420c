import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerParser, readInTurns } from './answer-parser.ts'
import { Agent, keptIn, request } from './undici.ts'

describe('an answer that has arrived while others were read for long enough', () => {
  /** A connection whose bytes have arrived, and the turns that were asked for. */
  async function arrived(bytes: number, running = 1) {
    const turns: (() => void)[] = []
    const pieces: number[] = []
    const prototype = {
      readMore() {},
      execute(chunk: Buffer) {
        pieces.push(chunk.length)
      },
    }
    readInTurns(prototype, { readMs: 0, inTurn: () => new Promise((begin) => turns.push(begin)) })
    const socket = new PassThrough({ highWaterMark: bytes + 1 })
    socket.write(Buffer.alloc(bytes))
    const own = { socket, client: { stats: { running } }, ptr: 1, paused: false }
    const parser = Object.assign(Object.create(prototype) as AnswerParser, own)
    const giveTurn = async () => {
      turns.shift()?.()
      await new Promise(setImmediate)
    }
    return { parser, socket, turns, pieces, giveTurn }
  }

  it('is read in pieces, each in a turn', async () => {
    const { parser, turns, pieces, giveTurn } = await arrived(100_000)
    parser.readMore()
    // As when more arrives meanwhile.
    parser.readMore()
    expect([pieces, turns.length]).toEqual([[], 1])
    await giveTurn()
    expect([pieces, turns.length]).toEqual([[16_384], 1])
    while (turns.length > 0) await giveTurn()
    expect(Math.max(...pieces)).toBe(16_384)
    expect(pieces.reduce((sum, each) => sum + each)).toBe(100_000)
  })

  it('is not read any more when the connection is ended meanwhile', async () => {
    const { parser, socket, turns, pieces, giveTurn } = await arrived(100_000)
    parser.readMore()
    socket.destroy()
    while (turns.length > 0) await giveTurn()
    expect(pieces).toEqual([])
  })

  it('is read at once where nothing was asked: the connection must not take an inquiry before', async () => {
    const { parser, turns, pieces } = await arrived(20_000, 0)
    parser.readMore()
    expect([pieces, turns]).toEqual([[16_384, 3616], []])
  })
})

describe('a partner that sends headers or trailers without end', () => {
  const fields = 'a: b\r\n'.repeat(40_000)
  const answers: Record<string, string> = {
    '/headers': `HTTP/1.1 200 OK\r\n${fields}`,
    '/interim': `HTTP/1.1 103 Early Hints\r\n${fields}`,
    '/trailers': `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${fields}`,
    '/100': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100)}content-length: 0\r\n\r\n`,
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (asked) => socket.write(answers[String(asked).split(' ')[1] ?? ''] ?? ''))
  })
  const agent = new Agent()
  let kept = 0
  let url = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    agent.once('connect', (_, targets) => {
      const prototype = Object.getPrototypeOf(keptIn(keptIn(targets.at(-1), 'socket'), 'parser')) as AnswerParser
      const { trackHeader } = prototype
      prototype.trackHeader = function (length) {
        kept++
        return trackHeader.call(this, length)
      }
    })
    await (await request(`${url}/100`, { dispatcher: agent })).body.dump()
  })
  afterAll(async () => {
    await agent.destroy()
    server.close()
  })

  it.each(['/headers', '/interim', '/trailers'])('is left after the first thousand: %s', async (path) => {
    kept = 0
    const answer = request(url + path, { dispatcher: agent }).then(({ body }) => body.dump())
    await answer.catch(({ code }) => expect(code).toBe('UND_ERR_HEADERS_OVERFLOW'))
    await new Promise(setImmediate)
    expect(kept).toBeGreaterThan(100)
    expect(kept).toBeLessThan(2000)
  })

  it('is read where it sends a hundred', async () => {
    expect((await request(`${url}/100`, { dispatcher: agent })).headers.a).toHaveLength(100)
  })
})

describe('a partner that sends no end of what is neither a header nor the body', () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  const beginnings: Record<string, string> = { '/status': 'HTTP/1.1 200 ', '/extension': `${head}1;`, '/size': head }
  const block = { '/status': 'O', '/extension': 'e', '/size': '0' }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (asked) => {
      const path = String(asked).split(' ')[1] as keyof typeof block
      const bytes = Buffer.alloc(65_536, block[path])
      const goOn = () => {
        while (socket.writable && socket.write(bytes));
      }
      socket.write(beginnings[path] ?? '')
      socket.on('drain', goOn)
      goOn()
    })
  })
  const agent = new Agent()
  let url = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await agent.destroy()
    server.close()
  })

  it.each(Object.keys(block))('is left after some of it: %s', async (path) => {
    const answer = request(url + path, { dispatcher: agent }).then(({ body }) => body.text())
    await expect(answer).rejects.toMatchObject({
      code: expect.stringMatching(/UND_ERR_RES_EXCEEDED_MAX_SIZE|HPE_INVALID_CHUNK_SIZE/),
    })
  })
})

describe('a body of 4 MB', () => {
  it.each([200, 20_000])('in chunks of %i bytes with extensions is read, however its reader pauses', async (size) => {
    const bytes = Buffer.alloc(size, 'x')
    const chunk = Buffer.concat([Buffer.from(`${size.toString(16)};a=b\r\n`), bytes, Buffer.from('\r\n')])
    const count = 4_000_000 / size
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        for (let sent = 0; sent < count; sent++) socket.write(chunk)
        socket.end('0\r\n\r\n')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const agent = new Agent()
    const { port } = server.address() as AddressInfo
    const { body } = await request(`http://127.0.0.1:${port}/`, { dispatcher: agent, highWaterMark: 1024 })
    let received = 0
    for await (const piece of body) {
      received += piece.length
      if (received % 1024 < 200) await new Promise(setImmediate)
    }
    expect(received).toBe(4_000_000)
    await agent.destroy()
    server.close()
  })
})
