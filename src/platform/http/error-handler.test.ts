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

const ofSystem = (code: string, message: string, more: object) =>
  Object.assign(new Error(`${code}: ${message}`), { code, ...more })

it.each([
  [ofSystem('ENOENT', 'no such file or directory', { syscall: 'open', path: '/opt/docs/a.md' }), undefined],
  [
    ofSystem('EROFS', 'read-only file system, open', { syscall: 'open', path: '/data/images/1' }),
    /mount it for writing/,
  ],
  [ofSystem('ENOSPC', 'no space left on device, write', { syscall: 'write' }), /make room/],
  [ofSystem('ERR_MODULE_NOT_FOUND', 'Cannot find module /opt/dist/guide.js', {}), /restart the service/],
])(
  'a file that cannot be used is not taken for the database, and the log says what to do: %s',
  async (error, advice) => {
    const { status, lines } = await fail(error)
    expect(status).toBe(503)
    const logged = { code: error.code, ...(advice && { advice: expect.stringMatching(advice) }) }
    expect(lines).toMatchObject([{ level: 40, msg: expect.stringMatching(/^a file of the service/), error: logged }])
    expect(JSON.stringify(lines)).not.toContain('/opt')
  },
)

it.each([
  ['53100', 'could not extend file "base/5/1259": No space left on device', /make room/],
  ['58030', 'could not write to file "base/5/1259": Input/output error', /dmesg/],
  ['58P01', 'could not access file "$libdir/plpgsql": No such file or directory', /restart the service/],
])(
  'the log of a running service says what to do where PostgreSQL fails for its machine: %s',
  async (code, message, advice) => {
    const { lines } = await fail(Object.assign(new pg.DatabaseError(message, 0, 'error'), { code }))
    expect(lines).toMatchObject([{ level: 40, error: { code, advice: expect.stringMatching(advice) } }])
    expect(JSON.stringify(lines)).not.toContain(message)
  },
)

it('a defect of the program is an error in the log', async () => {
  const { status, lines } = await fail(new TypeError('a value of a patient'))
  expect(status).toBe(500)
  expect(lines).toMatchObject([{ level: 50, error: { type: 'TypeError' } }])
  expect(JSON.stringify(lines)).not.toContain('a value of a patient')
})

it('a refusal for lack of room is not logged, because there may be very many', async () => {
  expect(await fail(unavailable('the server is overloaded: try again later'))).toEqual({ status: 503, lines: [] })
})
