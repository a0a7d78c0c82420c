/** SQL that formats a timestamp as the interface does: `2026-03-01T09:30:00.000Z`. Connections run in UTC. */
export function instant(expression: string): string {
  return `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
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
