// Rows of a table as jobs that any number of processes share (decisions/0034-leases.md). A process takes a row for a
// short lease and renews the lease while it works; when it is killed, another process soon takes the row. Each taking
// raises `attempt`, so that a former holder cannot change the row when it resumes. Only this file writes `attempt`,
// `due_at`, `held` and `faults` of an existing row.
import type { SystemDatabase } from '../database.ts'
import { isConnectionFailure, isTransientDatabaseError } from '../errors.ts'
import { type LateWork, lateWorkOf } from './late-work.ts'

/** How long a taken row is hidden from other processes unless its holder renews the lease. */
export const LEASE_MS = 15_000
export const RENEW_EVERY_MS = LEASE_MS / 4

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
interface JobTable {
  table: string
  /** The key column of the row besides `organization_id`. */
  key: string
  /** The condition that the row `j` is still waiting for work. */
  isOpen: string
  /** The same as the condition of a partial index, for statements that look for all such rows. */
  isOpenByIndex?: string
}

interface Leases {
  /**
   * Assignments of the statement that takes the row `j`: `faults` counts consecutive holders that failed or were
   * killed. `leaseEnd` is SQL, by default that of a lease that starts now.
   */
  taking(leaseEnd?: string): string
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
  /** Rows that wait for too long; one that a process may hold is due when a lease of this length ends, by default one that is renewed. */
  late(longestLeaseMs?: number): LateWork
}

/** SQL for the end of a lease that starts now. */
export const LEASE_END = `now() + ${LEASE_MS} * interval '1 millisecond'`

/** The leases of a table with the columns `organization_id`, `attempt`, `due_at`, `held` and `faults`. */
export function leasesOf({ table, key, isOpen, isOpenByIndex = isOpen }: JobTable): Leases {
  const mine = (values: string) => `(${values})[array_position($2::uuid[], j.${key})]`
  // Locked in the order of their keys (decisions/0021-lock-order.md). Without a join each key is looked up, even if the statistics of a
  // table that grew by thousands of rows are outdated (decisions/0064-few-rows-by-key.md).
  const stillHeld = (lock: string) => `still_held as materialized (
      select j.${key} from ${table} j
      where j.organization_id = $1 and j.${key} = any($2::uuid[]) and j.attempt = ${mine('$3::integer[]')} and j.held and ${isOpen}
      order by j.${key} for update ${lock}
    )`
  const ofHeld = `where j.organization_id = $1 and j.${key} = any((select array_agg(${key}) from still_held)::uuid[])`
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
    late: (leaseMs = LEASE_MS) =>
      lateWorkOf({
        table,
        key: [key],
        isLate: `${isOpenByIndex} and j.due_at > case when j.held then moment.just_taken_end else moment.late end`,
        changes: { due_at: 'case when j.held then moment.lease_end else moment.at end' },
        leaseMs,
      }),
    taking: (leaseEnd = LEASE_END) =>
      `attempt = j.attempt + 1, held = true, faults = j.faults + j.held::integer, due_at = ${leaseEnd}`,
    releasing: (delayMs) => `held = false, faults = 0, due_at = now() + ${delayMs} * interval '1 millisecond'`,
    isHeldBy: `j.organization_id = $1 and j.${key} = $2 and j.attempt = $3 and j.held`,
    async renew({ systemDatabase }, holds) {
      await forEach(keysByOrganization(holds), (keys) => systemDatabase.rows(renewStatement, keys))
    },
    async release({ systemDatabase }, holds, { delayMs, faults }) {
      await forEach(keysByOrganization(holds), (keys) =>
        systemDatabase.rows(releaseStatement, [...keys, Math.round(delayMs), faults ?? null]),
      )
    },
  }
}

/** One after another, each also where it failed for another organization: its inquiries would be sent twice. @throws the first failure. */
async function forEach(organizations: unknown[][], change: (keys: unknown[]) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const keys of organizations) await change(keys).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
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

/** For each organization the values $1 to $3: itself, keys, attempts. If a row is held twice, only the later attempt counts. */
function keysByOrganization(holds: readonly Hold[]): unknown[][] {
  const attempts = new Map<string, Map<string, number>>()
  for (const { organizationId, id, attempt } of holds) {
    const known = attempts.get(organizationId) ?? new Map<string, number>()
    attempts.set(organizationId, known.set(id, Math.max(attempt, known.get(id) ?? 0)))
  }
  return [...attempts].map(([organizationId, known]) => [organizationId, [...known.keys()], [...known.values()]])
}

/** The count of consecutive faults, plus one. An unavailable database says nothing about the row. */
export function withFault({ faults }: { faults: number }, error: unknown): number {
  return isConnectionFailure(error) || isTransientDatabaseError(error) ? faults : faults + 1
}
