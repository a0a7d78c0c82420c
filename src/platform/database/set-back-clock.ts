// The database's clock decides when stored work is due. When it is set back, or a standby whose clock is behind takes over, everything that
// is due after the former present would wait until the clock has caught up. decisions/0092-clocks-that-are-set-back.md
import type { FastifyBaseLogger } from 'fastify'
import { repeat } from '../repeat.ts'
import type { SystemDatabase } from './database.ts'

/**
 * Makes work due that is due later than this many milliseconds from now. A lease that a process may hold is kept for its full time, and never
 * ends later than that.
 */
export type BringForward = (database: SystemDatabase, laterThanMs: number) => Promise<void>

/** No wait is longer: a Retry-After is believed for 24 hours at most. Whatever is due later was stored by a clock that was ahead. */
const LONGEST_WAIT_MS = 25 * 3_600_000
/** More than a clock that is being slewed differs in a minute. */
const SET_BACK_MS = 5_000
/** A clock that was ahead for a shorter time is not noticed when it is set back. */
const LOOK_EVERY_MS = 1_000
/** How often what no clock can have meant is made due: costs a pass over all waiting work. */
const BRING_EVERY_MS = 60_000

const clockStatement = { name: 'clock_read', text: 'select extract(epoch from clock_timestamp()) * 1000' }

/** A look at the clock of the database; resolves to whether it was set back since the last look. `monotonicMs` is never set. */
export function clockLook(
  database: SystemDatabase,
  all: readonly BringForward[],
  monotonicMs: () => number = () => performance.now(),
): () => Promise<boolean> {
  /** The earliest that the database's clock can have been when `monotonicMs` was zero. */
  let base: number | undefined
  let broughtAt = Number.NEGATIVE_INFINITY
  return async () => {
    const before = monotonicMs()
    const present = Number((await database.row(clockStatement, []))?.[0])
    // The clock was read between these two; a busy database may take half a minute to answer.
    const after = monotonicMs()
    const isSetBack = base !== undefined && present - before < base - SET_BACK_MS
    // Before the first look, and between two looks, the clock may have been ahead for a while: it is only known that no wait is longer.
    if (isSetBack || before - broughtAt >= BRING_EVERY_MS) {
      for (const bringForward of all) await bringForward(database, isSetBack ? 0 : LONGEST_WAIT_MS)
      broughtAt = before
    }
    base = present - after
    return isSetBack
  }
}

/** Looks every second, once at a time. Any number of processes may do so: what is due already is not changed again. */
export function watchClock(
  database: SystemDatabase,
  all: readonly BringForward[],
  log: FastifyBaseLogger,
): { stop(): void } {
  const look = clockLook(database, all)
  const warn = async () => {
    if (await look()) log.warn('the clock of the database was set back: waiting work is due now')
  }
  const looking = repeat(warn, { everyMs: LOOK_EVERY_MS, failure: 'the clock of the database could not be read', log })
  void looking.now()
  return looking
}
