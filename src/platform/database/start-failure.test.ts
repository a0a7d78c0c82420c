import { expect, it } from 'vitest'
import { startAdvice, startFailure } from './start-failure.ts'

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
    'shared memory',
    'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 1048576 bytes: No space left on device',
    /--shm-size/,
  ],
  [
    'a disk',
    'FATAL:  could not create lock file "postmaster.pid": No space left on device',
    /^The disk is full: make room/,
  ],
  ['a file', 'FATAL:  could not open file "base/1/2": No such file or directory', /^Restore$/],
])(
  'the advice for a start that fails for %s names what to mend, and not a restore where nothing is damaged',
  (_, reason, advice) => {
    expect(startAdvice(reason, 'Restore')).toMatch(advice)
  },
)
