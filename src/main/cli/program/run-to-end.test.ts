import { afterEach, expect, it, vi } from 'vitest'
import { unavailable } from '../../../contract/errors.ts'
import { NotConnected } from '../../../platform/database/errors.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import { reportFailure } from './run-to-end.ts'

const { exitCode } = process
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields)

it.each([
  ['a lost connection', failure('write EPIPE', { code: 'EPIPE' }), 'anteroom: a connection was lost: write EPIPE\n'],
  [
    'a database that is stopped',
    failure('terminating connection due to administrator command', { code: '57P01' }),
    'anteroom: a connection was lost: terminating connection due to administrator command\n',
  ],
  [
    'a database to which no second connection can be opened',
    new NotConnected(new Error('sorry, too many clients already')),
    'anteroom: no connection to the database was opened: sorry, too many clients already\n',
  ],
  [
    'a reason that quotes the driver',
    new StartupError('the database of DATABASE_URL cannot be reached: Connection terminated unexpectedly'),
    'anteroom: the database of DATABASE_URL cannot be reached: Connection terminated unexpectedly\n',
  ],
  [
    'a full disk of the database',
    failure('could not extend file', { code: '53100' }),
    'anteroom: the database cannot be used at the moment: could not extend file (53100)\n',
  ],
  [
    'a bucket that cannot be reached',
    unavailable('the image storage cannot be reached right now', failure('', { code: 'ECONNREFUSED' })),
    'anteroom: the image storage cannot be reached right now: ECONNREFUSED\n',
  ],
  [
    'a bucket that refuses',
    unavailable('the image storage cannot be reached right now', new Error('the bucket answered 403 (AccessDenied)')),
    'anteroom: the image storage cannot be reached right now: the bucket answered 403 (AccessDenied)\n',
  ],
  [
    'too few file descriptors for its own modules',
    failure("EMFILE: too many open files, open '/dist/main/chunk-X.js'", {
      code: 'EMFILE',
      path: '/dist/main/chunk-X.js',
    }),
    expect.stringMatching(/^anteroom: too many open files: allow this process more \(ulimit -n.*\n$/),
  ],
])('a command that ends with %s says so in one line', (_what, error, line) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  reportFailure(error)
  expect(write.mock.calls.map(([text]) => text).join('')).toEqual(line)
  expect(process.exitCode).toBe(1)
})

it('a command that ends with an error of the program, or of a file, says where', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const error of [new TypeError('wrong'), failure('no such file', { code: 'ENOENT', path: '/nowhere' })]) {
    reportFailure(error)
    expect(write.mock.calls.at(-1)?.[0]).toContain('run-to-end.test.ts')
  }
})
