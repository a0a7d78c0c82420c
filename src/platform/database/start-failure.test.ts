import { describe, expect, it } from 'vitest'
import { explainEnded } from './connections/no-connection.ts'
import { NotConnected } from './errors.ts'
import { initdbFailure, startAdvice, startFailure } from './start-failure.ts'

const at = (text: string) => `2026-11-23 07:42:05.043 UTC [16778] ${text}`

it('the reason for a failed start is the fatal error with its cause, without the lines about the shutdown and early connections', () => {
  const log = [
    at('LOG:  redo starts at 0/1407580'),
    at('FATAL:  the database system is not yet accepting connections'),
    at('FATAL:  could not create file "base/16387/18322": File exists'),
    at('LOG:  startup process (PID 16778) exited with exit code 1'),
    at('LOG:  shutting down due to startup process failure'),
    at('LOG:  database system is shut down'),
  ].join('\n')
  expect(startFailure(log)).toBe(
    'LOG:  redo starts at 0/1407580; FATAL:  could not create file "base/16387/18322": File exists',
  )
})

it('the reason for a failed start is the last line if none is fatal', () => {
  expect(startFailure(`a\nb\nc\n${at('LOG:  d')}\n`)).toBe('b; c; LOG:  d')
  expect(startFailure('')).toBe('it left no message')
})

it.each([
  [
    'too few open files',
    [
      'creating configuration files ... ok',
      `running bootstrap script ... ${at('FATAL:  insufficient file descriptors available to start server process')}`,
      'child process exited with exit code 1',
      'initdb: removing contents of data directory "/data"',
    ],
    'FATAL:  insufficient file descriptors available to start server process',
  ],
  [
    'too few processes, which it takes for a missing program',
    [
      'sh: 1: Cannot fork',
      'no data was returned by command ""/bin/postgres" -V"',
      'initdb: error: program "postgres" is needed by initdb but was not found in the same directory as "/bin/initdb"',
    ],
    'sh: 1: Cannot fork; initdb: error: program "postgres" is needed by initdb but was not found in the same directory as "/bin/initdb"',
  ],
])('the reason for a database that was not made is what was complained about: %s', (_, output, reason) => {
  expect(initdbFailure(output.join('\n'))).toBe(reason)
})

it.each([
  [
    'shared memory',
    'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 1048576 bytes: No space left on device',
    /--shm-size/,
  ],
  [
    'a disk',
    'FATAL:  could not create lock file "postmaster.pid": No space left on device',
    /^The disk is full: make room/,
  ],
  ['open files', 'FATAL:  insufficient file descriptors available to start server process', /ulimit -n/],
  ['processes', 'FATAL:  could not fork process: Resource temporarily unavailable', /ulimit -u/],
  ['memory', 'FATAL:  could not map anonymous shared memory: Cannot allocate memory', /--memory/],
  ['a file', 'FATAL:  could not open file "base/1/2": No such file or directory', /^Restore$/],
])(
  'the advice for a start that fails for %s names what to mend, and not a restore where nothing is damaged',
  (_, reason, advice) => {
    expect(startAdvice(reason, 'Restore')).toMatch(advice)
  },
)

describe('an embedded PostgreSQL that ends during a start', () => {
  const embedded = { host: '/data/postgresql/socket' }
  const lost = new NotConnected(new Error('connect ENOENT'))
  const began = at('LOG:  starting PostgreSQL 18.4')
  const full = at('PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device')

  it('is explained from its log', () => {
    const log = [began, at('LOG:  database system is ready to accept connections'), full, at('LOG:  shut down')].join(
      '\n',
    )
    expect(explainEnded(lost, embedded, log)).toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /^the embedded PostgreSQL has ended: .*PANIC: .*No space left on device\. The disk is full/,
      ),
    })
  })

  it('is not explained by what ended it before', () => {
    expect(explainEnded(lost, embedded, [began, full, began].join('\n'))).toMatchObject({
      message: 'the embedded PostgreSQL cannot be reached: connect ENOENT',
    })
  })
})
