// The database's clock decides when stored work is due. When it is set back, or a standby whose clock is behind takes over, everything that
// is due after the former present would wait until the clock has caught up. decisions/0092-clocks-that-are-set-back.md
import type { FastifyBaseLogger } from 'fastify'
import { forEachOrganization } from '../../each-organization.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { repeat } from '../../repeat.ts'
import { thoseOrAll } from '../all-organizations.ts'
import { readClock } from '../clock.ts'
import type { SystemDatabase } from '../database.ts'
import type { LateWork } from './late-work.ts'

/** No wait is longer: a Retry-After is believed for 24 hours at most. Whatever is due later was stored by a clock that was ahead. */
const LONGEST_WAIT_MS = 25 * 3_600_000
/** More than a clock that is being slewed differs in a minute. */
const SET_BACK_MS = 5_000
/** A clock that was ahead for a shorter time is not noticed when it is set back. */
const LOOK_EVERY_MS = 1_000
/** How often what no clock can have meant is made due: costs a pass over all waiting work. */
const BRING_EVERY_MS = 60_000

interface Needs {
  systemDatabase: SystemDatabase
  metrics: Pick<Metrics, 'organizationFailures'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** A look at the clock of the database; resolves to whether it was set back since the last look. `monotonicMs` is never set. */
export function clockLook(
  needs: Needs,
  all: readonly LateWork[],
  monotonicMs: () => number = () => performance.now(),
): () => Promise<boolean> {
  const { systemDatabase } = needs
  /** The earliest that the database's clock can have been when `monotonicMs` was zero. */
  let base: number | undefined
  let broughtAt = Number.NEGATIVE_INFINITY
  /** Where it failed after the clock was set back. */
  const left = new Map(all.map((work) => [work, new Set<string>()]))

  const withLate = (work: LateWork, laterThanMs: number) =>
    thoseOrAll(systemDatabase, () => work.organizations(systemDatabase, laterThanMs))

  async function bringForward(work: LateWork, organizationIds: readonly string[], laterThanMs: number): Promise<void> {
    const failed = new Set<string>()
    const piece = (organizationId: string) =>
      work.bringForward(systemDatabase, organizationId, laterThanMs).catch((error: unknown) => {
        failed.add(organizationId)
        throw error
      })
    await forEachOrganization(organizationIds, { piece, work: 'clock', failure: FAILURE }, needs)
    if (laterThanMs === 0) left.set(work, failed)
  }

  return async () => {
    const before = monotonicMs()
    const present = await readClock(systemDatabase)
    // The clock was read between these two; a busy database may take half a minute to answer.
    const after = monotonicMs()
    const isSetBack = base !== undefined && present - before < base - SET_BACK_MS
    // Before the first look, and between two looks, the clock may have been ahead for a while: it is only known that no wait is longer.
    const isDue = before - broughtAt >= BRING_EVERY_MS
    for (const work of all) {
      if (isSetBack) await bringForward(work, await withLate(work, 0), 0)
      else {
        await bringForward(work, [...(left.get(work) ?? [])], 0)
        if (isDue) await bringForward(work, await withLate(work, LONGEST_WAIT_MS), LONGEST_WAIT_MS)
      }
    }
    if (isSetBack || isDue) broughtAt = before
    base = present - after
    return isSetBack
  }
}

const FAILURE = 'waiting work of an organization could not be made due'

/** Looks every second, once at a time. Any number of processes may do so: what is due already is not changed again. */
export function watchClock(
  needs: Omit<Needs, 'log'>,
  all: readonly LateWork[],
  log: FastifyBaseLogger,
): { stop(): void } {
  const look = clockLook({ ...needs, log }, all)
  const warn = async () => {
    if (await look()) log.warn('the clock of the database was set back: waiting work is due now')
  }
  const looking = repeat(warn, { everyMs: LOOK_EVERY_MS, failure: 'the clock of the database could not be read', log })
  void looking.now()
  return looking
}
