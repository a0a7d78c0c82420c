// Rows of a table as jobs that any number of processes share (decisions/0034-leases.md). Whoever takes a row has it for a short lease
// and renews that while it works; a holder that dies is replaced soon. Each taking raises `attempt`, so that one who was given up
// changes nothing when it comes back. This file alone writes `attempt`, `due_at`, `held` and `faults` of a row that exists.
import type { SystemDatabase } from './database.ts'
import { isConnectionFailure, isTransientDatabaseError } from './errors.ts'

/** How long a taken row stays out of the others' sight unless its holder says that it is still at work. */
export const LEASE_MS = 20_000
const RENEW_EVERY_MS = LEASE_MS / 4

interface Needs {
  systemDatabase: SystemDatabase
}

/** A row in the hands of whoever has this. */
export interface Hold {
  organizationId: string
  id: string
  /** Counted from 1; a later one means that this holder was given up. */
  attempt: number
}

/** A table whose rows are jobs. */
export interface JobTable {
  table: string
  /** The column that is the row's key beside `organization_id`. */
  key: string
  /** The condition that the row `j` still waits for work. */
  isOpen: string
}

export interface Leases {
  /** Assignments of the statement that takes the row `j`: `faults` counts the holders in a row that failed or died. */
  taking: string
  /** Assignments of the statement with which the holder of the row `j` writes what came of it, for so many milliseconds (SQL). */
  lettingGo(delayMs: string): string
  /** The condition that the row `j` is in the hands of whom $1, $2 and $3 say: organization, key and attempt. */
  isHeldBy: string
  /** Keeps rows in their holder's hands. One that it has let go meanwhile, or that was taken from it, stays as it is. */
  renew(deps: Needs, holds: readonly Hold[]): Promise<void>
  /** Lets rows go: they are next due after the delay. `faults` is set where it is given. */
  release(deps: Needs, holds: readonly Hold[], next: { delayMs: number; faults?: number }): Promise<void>
}

/** The SQL of an instant at which a lease that is taken now ends. */
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
  // What somebody is writing at this moment needs no longer lease.
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
    lettingGo: (delayMs) => `held = false, faults = 0, due_at = now() + ${delayMs} * interval '1 millisecond'`,
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

/** Renews what `held` gives, again and again until the function that it returns is called. */
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

/** The faults of a row in a row, with one more. A database that is away says nothing of the row. */
export function withFault({ faults }: { faults: number }, error: Error): number {
  return isConnectionFailure(error) || isTransientDatabaseError(error) ? faults : faults + 1
}
