// What only a real connection shows: a refusal that reaches a client which is still sending.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/main/app.ts'
import { testService } from '../support/service.ts'

const MEGABYTE = 1024 * 1024
const service = testService()
let port = 0

beforeAll(async () => {
  const app = buildApp(service.deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  port = Number(new URL(url).port)
  return () => app.close()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: { errorName: string; content: { message: string } }
}

/** Sends the chunks one after the other, all of them, and reads the answer when it comes. */
function send(path: string, headers: Record<string, string>, chunks: Buffer[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString())
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    for (const chunk of chunks) request.write(chunk)
    request.end()
  })
}

describe('a body of 10 MB', () => {
  const chunks = Array.from({ length: 10 }, () => Buffer.alloc(MEGABYTE, 'x'))
  const length = { 'content-length': String(10 * MEGABYTE) }
  const json = { 'content-type': 'application/json' }
  const authorized = async () => ({ authorization: `Bearer ${(await service.newCaller()).token}` })

  it('is answered 413 in the envelope, readable by the client, with a length and in chunks', async () => {
    for (const framing of [length, { 'transfer-encoding': 'chunked' }]) {
      const { status, headers, body } = await send(
        '/notes/v1',
        { ...json, ...framing, ...(await authorized()) },
        chunks,
      )
      expect([status, body.errorName]).toEqual([413, 'BadRequestError'])
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(body.content.message).toContain(String(MEGABYTE))
    }
  })

  it.each([
    ['without a token', 401, '/notes/v1', json, false],
    ['of another content type', 415, '/notes/v1', { 'content-type': 'text/plain' }, true],
    ['to the token operation', 413, '/api/auth/v2/token', json, false],
    [
      'as a form to the token operation',
      413,
      '/api/auth/v2/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      false,
    ],
  ] as const)('%s is answered %i, readable by the client', async (_what, expected, path, type, withToken) => {
    const headers: Record<string, string> = { ...type, ...length, ...(withToken && (await authorized())) }
    const { status, body } = await send(path, headers, chunks)
    expect(status).toBe(expected)
    expect(body.errorName).toMatch(/Error$/)
  })

  it('does no harm to the next request', async () => {
    const caller = await service.newCaller()
    const headers = { ...json, authorization: `Bearer ${caller.token}` }
    const { status } = await send('/notes/v1', headers, [Buffer.from('{"value":"x"}')])
    expect(status).toBe(200)
  })
})
