// Statements whose text is built for a request, such as pages of lists: those that are sent often are prepared by name.
// decisions/0093-prepared-pages.md
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Statement } from './database.ts'

/** The most forms that are prepared. Each takes memory in each connection: about 0.1 MB. */
export const FORMS_MAX = 40
/** A form is prepared from this sending on, so that what is asked once or twice takes no place. */
export const SENDINGS_BEFORE = 5
const COUNTED_FORMS_MAX = 500
/**
 * A plan is at most this old: it depends on the sizes of tables, and one from when a table was small may read the whole of it. PostgreSQL
 * itself makes a plan anew only when the table is analyzed, which may be minutes after an import.
 */
const PLAN_AGE_MS = 30_000

export interface PreparedForms {
  /** The statement as it is to be sent next on this connection. */
  prepared(client: pg.ClientBase, statement: Statement | string): Statement | string
}

/** The first forms that are sent often are prepared on each connection that sends them, and stay so; others are not. */
export function createPreparedForms(monotonicMs = () => performance.now()): PreparedForms {
  const names = new Map<string, string>()
  const sendings = new LRUCache<string, number>({ max: COUNTED_FORMS_MAX })
  const plannedAt = new WeakMap<pg.ClientBase, number>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size === FORMS_MAX) return known
    const count = (sendings.get(text) ?? 0) + 1
    if (count < SENDINGS_BEFORE) {
      sendings.set(text, count)
      return undefined
    }
    sendings.delete(text)
    const name = `form_${names.size + 1}`
    names.set(text, name)
    return name
  }

  function renewPlans(client: pg.ClientBase): void {
    const now = monotonicMs()
    const last = plannedAt.get(client)
    if (last !== undefined && now - last < PLAN_AGE_MS) return
    plannedAt.set(client, now)
    // Of a connection that has failed, the statement itself reports it.
    if (last !== undefined) client.query('discard plans').catch(() => {})
  }

  return {
    prepared(client, statement) {
      if (typeof statement === 'string' || !statement.hasOnePlan) return statement
      const name = nameOf(statement.text)
      if (name === undefined) return statement
      renewPlans(client)
      return { ...statement, name }
    },
  }
}
