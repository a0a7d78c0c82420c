// Background work while the database is unavailable: it keeps retrying, and does not flood the log.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { cloneDatabase } from '../../test/support/database.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import type { DatabasePool } from '../platform/database/database-pool.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { assembleDeps } from './assemble-deps.ts'
import { startWorker } from './worker.ts'

const MINUTES = 10
const link = { isAway: false }

afterEach(() => {
  vi.useRealTimers()
})

it('each background job logs a database outage once a minute, regardless of how often it retries', async () => {
  const clone = await cloneDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-away-'))
  const lines: { msg: string; type?: string }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const config = readConfig({ DATA_DIR: folder })
  let asked = 0
  const deps = await assembleDeps(
    config,
    leavable(clone.database, () => (asked += 1)),
    undefined,
    log,
  )
  vi.useFakeTimers()
  link.isAway = true
  const worker = startWorker(deps, log, new AbortController().signal)
  deps.audit.startSweeping()
  for (let second = 0; second < MINUTES * 60; second++) {
    deps.audit.note(undefined, { event: { at: new Date().toISOString(), operation: `x${second}` } })
    await vi.advanceTimersByTimeAsync(1000)
  }
  const times = new Map<string, number>()
  for (const { msg } of lines) times.set(msg, (times.get(msg) ?? 0) + 1)
  // Hourly work, a minute after the start.
  for (const hourly of ['old events could not be deleted', 'old messages of checks could not be deleted']) {
    expect(times.get(hourly), hourly).toBe(1)
    times.delete(hourly)
  }
  expect([...times.keys()].toSorted()).toEqual([
    'the audit trail could not be written and will be retried',
    'the check queue could not be read',
    'the clock of the database could not be read',
    'the new entries of indexes could not be merged',
    'the visits to verify could not be read',
    'the webhooks that are due could not be read',
  ])
  for (const [message, count] of times) {
    expect(count, message).toBeGreaterThan(MINUTES / 2)
    expect(count, message).toBeLessThanOrEqual(MINUTES + 1)
  }
  expect(asked, 'it kept retrying').toBeGreaterThan(MINUTES * 60)
  link.isAway = false
  vi.useRealTimers()
  await worker.close()
  await deps.audit.close()
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

it('every failure of a single check is logged, unless the database is unavailable', () => {
  const lines: { msg: string; checkId?: string; level: number }[] = []
  const logFailure = createFailureLog(pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }))
  for (const checkId of ['one', 'two']) logFailure('a check failed', new Error('of its own'), { checkId })
  for (const checkId of ['three', 'four']) logFailure('a check failed', away(), { checkId })
  expect(lines.map(({ checkId, level }) => [checkId, level])).toEqual([
    ['one', 50],
    ['two', 50],
    [undefined, 40],
  ])
})

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** The same database, until it becomes unavailable. */
function leavable(pool: DatabasePool, whenAsked: () => void): DatabasePool {
  const over = <T extends Database>(database: T): T =>
    new Proxy(database, {
      get(target, name) {
        const found = Reflect.get(target, name)
        if (name === 'systemDatabase' || name === 'authenticationDatabase') return over(found as Database)
        if (typeof found !== 'function') return found
        return (...values: unknown[]) => {
          if (!link.isAway) return found.apply(target, values)
          whenAsked()
          return Promise.reject(away())
        }
      },
    })
  return over(pool)
}
