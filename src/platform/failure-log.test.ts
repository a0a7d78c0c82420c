import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFailureLog, onceAMinute } from './failure-log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('an outage is logged once a minute: the first failure at once, then the latest', () => {
  const said: string[] = []
  const say = onceAMinute((message) => said.push(message))
  for (let n = 0; n < 300; n++) {
    say(`${n}`)
    vi.advanceTimersByTime(500)
  }
  expect(said).toEqual(['0', '119', '239'])
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['0', '119', '239', '299'])
})

it('a line states how many failures it stands for, if there were several', () => {
  const said: object[] = []
  const say = onceAMinute((message, fields) => said.push({ message, ...fields }))
  say('first', { type: 'Error' })
  say('second', { type: 'Error' })
  say('third', { type: 'Error' })
  vi.advanceTimersByTime(60_000)
  say('alone', { type: 'Error' })
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([
    { message: 'first', type: 'Error' },
    { message: 'third', type: 'Error', times: 2 },
    { message: 'alone', type: 'Error' },
  ])
})

it('background work says why it failed and what to do, and never the text of PostgreSQL', () => {
  const said: object[] = []
  const log = createFailureLog({
    warn: (fields: object, message: string) => said.push({ ...fields, message }),
  } as never)
  const full = new pg.DatabaseError('could not extend file "base/5/1": No space left on device', 0, 'error')
  log('the audit trail could not be written', Object.assign(full, { code: '53100' }))
  const advice = 'The disk is full: make room, and try again'
  expect(said).toEqual([{ type: 'error', code: '53100', advice, message: 'the audit trail could not be written' }])
})
