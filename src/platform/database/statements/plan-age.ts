// How long a connection keeps the plans of its named statements. decisions/0104-plans-are-renewed.md
import type pg from 'pg'

/**
 * A plan depends on the sizes of tables, and one from when a table was small may read the whole of it. PostgreSQL itself makes a plan
 * again only when the table is analyzed, which may be minutes after an import.
 */
const LONGEST_MS = 30_000
/** A new connection renews its plans sooner, since a new database grows fastest: each time when its age has doubled. */
const SHORTEST_MS = 1_000

interface Plans {
  connectedAt: number
  renewAt: number
}

const plansOf = new WeakMap<pg.ClientBase, Plans>()

/** Called before each named statement: discards the plans of this connection when they are too old, in the packet of the statement. */
export function renewPlans(client: pg.ClientBase, nowMs = performance.now()): void {
  const plans = plansOf.get(client)
  if (plans === undefined) {
    plansOf.set(client, { connectedAt: nowMs, renewAt: nowMs + SHORTEST_MS })
    return
  }
  if (nowMs < plans.renewAt) return
  plans.renewAt = nowMs + Math.min(Math.max(nowMs - plans.connectedAt, SHORTEST_MS), LONGEST_MS)
  // Of a connection that has failed, the statement itself reports it.
  client.query('discard plans').catch(() => {})
}
