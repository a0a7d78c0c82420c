/** SQL that formats a timestamp as the interface does: `2026-03-01T09:30:00.000Z`. Connections run in UTC. */
export function instant(expression: string): string {
  return `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
