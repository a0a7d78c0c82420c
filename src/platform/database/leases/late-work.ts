// Stored work that is due later than it can have been meant to be, because a clock was ahead. It is found for all organizations at once, and made
// due for each by itself. decisions/0248-one-organization-keeps-no-other-waiting.md
import type { SystemDatabase } from '../database.ts'
import { lookUpStatement } from '../statements/few-rows.ts'

/** A lease that was taken while the statement ran may end later than its own would by so much. */
const JUST_TAKEN = `interval '5 seconds'`

/** The late rows of one table. */
export interface LateWork {
  /** The organizations that have some. */
  organizations(database: SystemDatabase, laterThanMs: number): Promise<string[]>
  /**
   * Makes a bounded number of an organization's rows due that are due later than this many milliseconds from now. A lease that a process may hold
   * is kept for its full time, and never ends later than that.
   * @throws when a row stays locked for `LOCK_WAIT_MS`.
   */
  bringForward(
    database: SystemDatabase,
    organizationId: string,
    laterThanMs: number,
  ): Promise<{ done: number; isMoreLeft: boolean }>
}

interface LateRows {
  table: string
  /** The columns of its key besides `organization_id`. */
  key: readonly string[]
  /** The condition that the row `j` is late. `moment` has the present as `at`, the end of a full lease as `lease_end`, that of one just taken, and `late`. */
  isLate: string
  /** By column: its value once the row `j` is due. */
  changes: Readonly<Record<string, string>>
  /** A full lease. */
  leaseMs: number
}

/** How many rows one statement locks. */
const ROWS_AT_A_TIME = 1_000
/** Whoever works on a row holds it for milliseconds. Longer than `deadlock_timeout` (1 s), as that of a trail (0239). */
const LOCK_WAIT_MS = 2_000

const momentOf = (laterThanMs: string, leaseMs: string) =>
  `(select now() as at, now() + ${leaseMs} * interval '1 millisecond' as lease_end,
      now() + ${leaseMs} * interval '1 millisecond' + ${JUST_TAKEN} as just_taken_end, now() + ${laterThanMs} * interval '1 millisecond' as late) moment`

const lockWaitStatement = {
  name: 'late_work_lock_wait',
  text: `select set_config('lock_timeout', '${LOCK_WAIT_MS}', true)`,
}

export function lateWorkOf({ table, key, isLate, changes, leaseMs }: LateRows): LateWork {
  const columns = key.map((column) => `j.${column}`).join(', ')
  const organizationsStatement = {
    name: `${table}_late_organizations`,
    text: `select distinct j.organization_id from ${table} j, ${momentOf('$1', '$2')} where ${isLate}`,
  }
  const changed = Object.keys(changes)
  const values = Object.entries(changes).map(([column, value]) => `${value} as new_${column}`)
  // Found by an index of waiting rows, and locked in the order of their keys (decisions/0021-lock-order.md): one step would read the whole key.
  const bringForwardStatement = {
    name: `${table}_bring_forward`,
    text: `with found as materialized (
        select ${columns} from ${table} j, ${momentOf('$2', '$3')} where j.organization_id = $1 and ${isLate} limit ${ROWS_AT_A_TIME}
      ),
      late as materialized (
        select ${columns}, ${values.join(', ')} from ${table} j, ${momentOf('$2', '$3')}
        where j.organization_id = $1 and (${columns}) in (select ${key.join(', ')} from found) and ${isLate}
        order by ${columns} for no key update of j
      )
      update ${table} j set ${changed.map((column) => `${column} = late.new_${column}`).join(', ')} from late
      where j.organization_id = $1 and ${key.map((column) => `j.${column} = late.${column}`).join(' and ')} returning j.organization_id`,
  }
  return {
    async organizations(database, laterThanMs) {
      return (await database.rows(organizationsStatement, [laterThanMs, leaseMs])).map(([id = '']) => id)
    },
    bringForward: (database, organizationId, laterThanMs) =>
      database.transaction(async (transaction) => {
        const [, , rows] = await Promise.all([
          transaction.rows(lockWaitStatement),
          transaction.rows(lookUpStatement),
          transaction.rows(bringForwardStatement, [organizationId, laterThanMs, leaseMs]),
        ])
        // Some of those found may have been changed before they were locked.
        return { done: rows.length, isMoreLeft: rows.length > ROWS_AT_A_TIME / 2 }
      }),
  }
}
