// Rows of a table as jobs that any number of processes share (decisions/0034-leases.md). A process takes a row for a
// short lease and renews the lease while it works; when it is killed, another process soon takes the row. Each taking
// raises `attempt`, so that a former holder cannot change the row when it resumes. Only this file writes `attempt`,
// `due_at`, `held` and `faults` of an existing row.
import type { SystemDatabase } from './database.ts'
import { isConnectionFailure, isTransientDatabaseError } from './errors.ts'

/** How long a taken row is hidden from other processes unless its holder renews the lease. */
export const LEASE_MS = 20_000
const RENEW_EVERY_MS = LEASE_MS / 4

interface Needs {
  systemDatabase: SystemDatabase
}

/** A row that a process holds. */
export interface Hold {
  organizationId: string
  id: string
  /** Counted from 1; a higher value in the row means that this holder has lost it. */
  attempt: number
}

/** A table whose rows are jobs. */
export interface JobTable {
  table: string
  /** The key column of the row besides `organization_id`. */
  key: string
  /** The condition that the row `j` is still waiting for work. */
  isOpen: string
}

export interface Leases {
  /**
   * Assignments of the statement that takes the row `j`: `faults` counts consecutive holders that failed or were
   * killed.
   */
  taking: string
  /**
   * Assignments of the statement with which the holder of the row `j` writes its result; the row is next due after this
   * many milliseconds (SQL).
   */
  releasing(delayMs: string): string
  /** The condition that the row `j` is held by the holder in $1, $2 and $3: organization, key and attempt. */
  isHeldBy: string
  /**
   * Extends the leases of these rows. A row that was released or taken by another process meanwhile stays unchanged.
   */
  renew(deps: Needs, holds: readonly Hold[]): Promise<void>
  /** Releases rows: they are next due after the delay. `faults` is set when given. */
  release(deps: Needs, holds: readonly Hold[], next: { delayMs: number; faults?: number }): Promise<void>
}

/** SQL for the end of a lease that starts now. */
export const LEASE_END = `now() + ${LEASE_MS} * interval '1 millisecond'`

export function leasesOf({ table, key, isOpen }: JobTable): Leases {
  // Locked in the order of their keys (decisions/0021-lock-order.md).
  const stillHeld = (lock: string) => `still_held as materialized (
      select j.organization_id, j.${key} from ${table} j
        join unnest($1::uuid[], $2::uuid[], $3::integer[]) as mine (organization_id, id, attempt)
          on j.organization_id = mine.organization_id and j.${key} = mine.id
      where j.attempt = mine.attempt and j.held and ${isOpen}
      order by j.organization_id, j.${key} for update of j ${lock}
    )`
  const ofHeld = `from still_held where j.organization_id = still_held.organization_id and j.${key} = still_held.${key}`
  // A row that is being written at this moment needs no longer lease.
  const renewStatement = {
    name: `${table}_renew`,
    text: `with ${stillHeld('skip locked')} update ${table} j set due_at = ${LEASE_END} ${ofHeld}`,
  }
  const releaseStatement = {
    name: `${table}_release`,
    text: `with ${stillHeld('')} update ${table} j set held = false, faults = coalesce($5, j.faults),
      due_at = now() + $4 * interval '1 millisecond' ${ofHeld}`,
  }
  return {
    taking: `attempt = j.attempt + 1, held = true, faults = j.faults + j.held::integer, due_at = ${LEASE_END}`,
    releasing: (delayMs) => `held = false, faults = 0, due_at = now() + ${delayMs} * interval '1 millisecond'`,
    isHeldBy: `j.organization_id = $1 and j.${key} = $2 and j.attempt = $3 and j.held`,
    async renew({ systemDatabase }, holds) {
      if (holds.length > 0) await systemDatabase.rows(renewStatement, keysOf(holds))
    },
    async release({ systemDatabase }, holds, { delayMs, faults }) {
      if (holds.length > 0)
        await systemDatabase.rows(releaseStatement, [...keysOf(holds), Math.round(delayMs), faults ?? null])
    },
  }
}

/** Renews the leases of `held()` periodically until the returned function is called. */
export function keepLeases(
  leases: Leases,
  deps: Needs,
  { held, onFailure }: { held(): readonly Hold[]; onFailure(error: Error): void },
): () => void {
  const renewing = setInterval(() => {
    leases.renew(deps, held()).catch(onFailure)
  }, RENEW_EVERY_MS)
  return () => clearInterval(renewing)
}

const keysOf = (holds: readonly Hold[]): unknown[] => [
  holds.map(({ organizationId }) => organizationId),
  holds.map(({ id }) => id),
  holds.map(({ attempt }) => attempt),
]

/** The count of consecutive faults, plus one. An unavailable database says nothing about the row. */
export function withFault({ faults }: { faults: number }, error: Error): number {
  return isConnectionFailure(error) || isTransientDatabaseError(error) ? faults : faults + 1
}
