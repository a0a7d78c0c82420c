import { expect, it } from 'vitest'
import { asStartupError } from './session.ts'

it('a start says what to do about a data folder whose disk became read-only or full', () => {
  const says = (code: string, path?: string) =>
    asStartupError(Object.assign(new Error(`${code}: of the system`), { code, path })).message
  expect(says('EROFS', '/data/postgresql.log')).toBe(
    'The embedded PostgreSQL cannot be used: /data/postgresql.log cannot be written: its disk is mounted read-only: mount it for writing',
  )
  expect(says('ENOSPC', '/data/postgresql.log')).toContain('its disk is full: free some space')
  expect(says('EPIPE')).toBe('The embedded PostgreSQL cannot be used: EPIPE: of the system')
})
