/** SQL that formats a timestamp as the interface does: `2026-03-01T09:30:00.000Z`. Connections run in UTC. */
export function instant(expression: string): string {
  return `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Where the fraction of a second begins in the text of a timestamp, and the length of the zone at its end. */
const [FRACTION, ZONE] = [20, 3]

/**
 * The same for a column as PostgreSQL writes it, `2026-03-01 09:30:00+00` with up to six decimals of the second: `to_char` takes PostgreSQL
 * 2 µs. For years with four digits.
 */
export function instantOf(timestamp: string): string {
  const decimals = timestamp.slice(FRACTION, Math.min(FRACTION + 3, timestamp.length - ZONE))
  return `${timestamp.slice(0, 10)}T${timestamp.slice(11, FRACTION - 1)}.${decimals.padEnd(3, '0')}Z`
}

/**
 * SQL for a timestamp moved by an interval, without the operators that depend on the session's time zone: Citus accepts only immutable
 * ones where an insert changes an existing row. decisions/0076-statements-that-citus-runs.md
 */
export function moved(timestamp: string, by: string): string {
  return `(${timestamp} at time zone 'UTC' + ${by}) at time zone 'UTC'`
}

/**
 * A write and what it returns of the written row, which is `as` in `shown`: RETURNING itself names columns alone, because Citus accepts
 * only immutable functions there.
 */
export function showing(write: string, { as, columns, shown }: { as: string; columns: string; shown: string }): string {
  return `with ${as} as (${write} returning ${columns}) select ${shown} from ${as}`
}

/**
 * Ends an insert of the rows of a query whose result nobody reads: without RETURNING or ON CONFLICT, Citus would send the rows to a worker by
 * COPY, which row-level security refuses.
 */
export const AS_ROWS = 'returning 1'
