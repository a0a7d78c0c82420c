import { Writable } from 'node:stream'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { unavailable } from '../../contract/errors.ts'
import { renderErrors } from './error-handler.ts'

/** The status of a call that fails with `error`, and the lines of the log about it. */
async function fail(error: Error) {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const loggerInstance: FastifyBaseLogger = pino({ base: null }, stream)
  const app = Fastify({ loggerInstance })
  renderErrors(app)
  app.get('/', () => {
    throw error
  })
  const { statusCode } = await app.inject('/')
  await app.close()
  // Fastify itself logs each call.
  return { status: statusCode, lines: lines.filter(({ level }) => Number(level) > 30) }
}

const ofPostgres = (code: string) => Object.assign(new pg.DatabaseError('a text', 0, 'error'), { code })

it('a database or a storage that cannot answer now is a warning in the log, which says so', async () => {
  const unable = [
    new Error('Query read timeout'),
    ofPostgres('57014'),
    ofPostgres('57P01'),
    ofPostgres('53100'),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    unavailable('the image storage cannot be reached right now', new Error('the bucket answered 503')),
  ]
  for (const error of unable) {
    const { status, lines } = await fail(error)
    expect(status, error.message).toBe(503)
    expect(lines, error.message).toMatchObject([{ level: 40, msg: expect.stringMatching(/^the (database|image)/) }])
  }
})

it('a defect of the program is an error in the log', async () => {
  const { status, lines } = await fail(new TypeError('a value of a patient'))
  expect(status).toBe(500)
  expect(lines).toMatchObject([{ level: 50, error: { type: 'TypeError' } }])
  expect(JSON.stringify(lines)).not.toContain('a value of a patient')
})

it('a refusal for lack of room is not logged, because there may be very many', async () => {
  expect(await fail(unavailable('the server is overloaded: try again later'))).toEqual({ status: 503, lines: [] })
})
