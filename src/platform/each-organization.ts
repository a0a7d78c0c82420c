// Work that is due in every organization from time to time, such as deletion by age. decisions/0234-background-work-of-each-organization.md
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { isConnectionFailure, isDatabaseUnable } from './database/errors.ts'
import { describeFailure } from './known-failure.ts'
import type { BackgroundWork, Metrics } from './metrics/metrics.ts'

/** A pause lets callers have the database and its disk; a piece takes much less, unless the machine is busy. */
const LONGEST_PAUSE_MS = 2_000
/** Each organization is logged once in this time, and so many of them: a fault of the program affects all. */
const LOGGED_EVERY_MS = 60_000
const LOGGED_MAX = 10

interface Run {
  /** A piece of bounded size. Resolves to how much it has done, and whether more is left. */
  piece(organizationId: string): Promise<{ done: number; isMoreLeft: boolean }>
  /** What fails, as a label of metrics. */
  work: BackgroundWork
  /** What is logged when it fails in an organization. */
  failure: string
}

interface Needs {
  metrics: Pick<Metrics, 'organizationFailures'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Does the work of these organizations a piece at a time, in turns, so that none waits for all that another one has. Where it fails, that
 * organization is left out of this run; the others go on. Returns how much was done.
 * @throws when the database is unavailable or unable, which concerns all of them.
 */
export async function forEachOrganization(organizationIds: readonly string[], run: Run, needs: Needs): Promise<number> {
  const noteFailure = failuresOf(run, needs)
  let done = 0
  let waiting = organizationIds
  while (waiting.length > 0) {
    const next: string[] = []
    for (const organizationId of waiting) {
      const begunAt = performance.now()
      try {
        const piece = await run.piece(organizationId)
        done += piece.done
        if (piece.isMoreLeft) next.push(organizationId)
        if (piece.done > 0)
          await delay(Math.min(performance.now() - begunAt, LONGEST_PAUSE_MS), undefined, { ref: false })
      } catch (error) {
        noteFailure(error, organizationId)
      }
    }
    waiting = next
  }
  return done
}

/** Notes that work failed in an organization, in metrics and in the log. @throws an error that concerns all organizations. */
export type NoteFailure = (error: unknown, organizationId: string) => void

/** For work of one organization. */
export const rethrow: NoteFailure = (error) => {
  throw error
}

export function failuresOf({ work, failure }: Omit<Run, 'piece'>, { metrics, log }: Needs): NoteFailure {
  const loggedAt = new Map<string, number>()
  const isToBeLogged = (organizationId: string) => {
    const now = performance.now()
    for (const [id, at] of loggedAt) if (now - at >= LOGGED_EVERY_MS) loggedAt.delete(id)
    if (loggedAt.has(organizationId) || loggedAt.size >= LOGGED_MAX) return false
    loggedAt.set(organizationId, now)
    return true
  }
  return (error, organizationId) => {
    if (isConnectionFailure(error) || isDatabaseUnable(error)) throw error
    metrics.organizationFailures.inc({ work })
    if (!isToBeLogged(organizationId)) return
    const type = error instanceof Error ? error.name : typeof error
    log.error({ organization: organizationId, type, ...describeFailure(error) }, failure)
  }
}
