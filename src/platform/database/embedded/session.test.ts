import { expect, it } from 'vitest'
import { asStartupError } from './session.ts'

it('a start says what to do about a data folder whose disk became read-only or full', () => {
  const says = (code: string, path?: string) =>
    asStartupError(Object.assign(new Error(`${code}: of the system`), { code, path })).message
  expect(says('EROFS', '/data/postgresql.log')).toBe(
    'The embedded PostgreSQL cannot be used: /data/postgresql.log cannot be written: its disk is mounted read-only: mount it for writing',
  )
  expect(says('ENOSPC', '/data/postgresql.log')).toContain('its disk is full: free some space')
  const log = 'could not write to log file "000000010000000000000001" at offset 5611520, length 2506752'
  expect(asStartupError(new Error(`${log}: No space left on device`)).message).toBe(
    `The embedded PostgreSQL cannot be used: ${log}: No space left on device. The disk is full: make room, and try again`,
  )
  expect(says('EPIPE')).toBe('The embedded PostgreSQL cannot be used: EPIPE: of the system')
})
