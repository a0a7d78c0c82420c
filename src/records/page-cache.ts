// Pages that are requested again while nothing that they show has changed. decisions/0188-pages-that-did-not-change.md
import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../contract/actor.ts'
import type { Database } from '../platform/database/database.ts'

interface Needs {
  database: Database
  now(): Date
}

/** A page that was read. */
export interface ReadPage {
  answer: string | Readable
  /**
   * The last instant, in milliseconds since 1970, at which the same records make the same page; absent where the page does not depend on
   * the time. `NEVER_AGAIN` for one that depends on it in another way.
   */
  until?: number
}

export const NEVER_AGAIN = Number.NEGATIVE_INFINITY

/** The request for a page: equal ones of an organization have equal answers while its records are the same. */
interface PageOf {
  operation: string
  query: object
}

export interface PageCache {
  /** The kept page, if it is still what `read` would return; otherwise the one that `read` returns. */
  read(deps: Needs, actor: Actor, page: PageOf, read: () => Promise<ReadPage>): Promise<string | Readable>
}

interface Kept {
  /** What `stateOf` returned before the page was read. */
  state: string
  answer: string
  from: number
  until: number
  shown: string[] | undefined
  shownMrns: string[] | undefined
}

/** A page that was requested once is not kept: most are not requested again, and to know the state before is one more statement. */
const REQUESTED = 'requested'

/** A kept page contains data of patients in clear: it is removed when it was not requested for this long. */
const KEPT_MS = 60_000
const LONGEST_CHARACTERS = 1024 * 1024
const LONGEST_KEY = 4096
/** What an entry takes besides its texts, about. */
const ENTRY_BYTES = 500

/** @param megabytes how much memory kept pages may take; with 0 none are kept. */
export function createPageCache(megabytes: number): PageCache {
  if (megabytes === 0) return { read: async (_deps, _actor, _page, read) => (await read()).answer }
  const cache = new LRUCache<string, Kept | typeof REQUESTED>({
    maxSize: megabytes * 1024 * 1024,
    sizeCalculation: (entry, key) => ENTRY_BYTES + key.length + (entry === REQUESTED ? 0 : sizeOf(entry)),
    ttl: KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  })

  return {
    async read(deps, actor, { operation, query }, read) {
      const { organizationId, auditContext } = actor
      const key = JSON.stringify([organizationId, operation, query])
      // What a page shows is audited: without a context it would not be known for the next caller.
      if (!auditContext || key.length > LONGEST_KEY) return (await read()).answer
      const entry = cache.get(key)
      if (entry === undefined) {
        cache.set(key, REQUESTED)
        return (await read()).answer
      }
      const from = deps.now().getTime()
      const state = await stateOf(deps, organizationId)
      if (entry !== REQUESTED && entry.state === state && from >= entry.from && from <= entry.until) {
        if (entry.shown) auditContext.shown = new Set(entry.shown)
        if (entry.shownMrns) auditContext.shownMrns = [...entry.shownMrns]
        return entry.answer
      }
      const { answer, until = Number.POSITIVE_INFINITY } = await read()
      if (typeof answer !== 'string' || answer.length > LONGEST_CHARACTERS || !(until >= from)) return answer
      const shown = auditContext.shown && [...auditContext.shown]
      cache.set(key, { state, answer, from, until, shown, shownMrns: auditContext.shownMrns })
      return answer
    },
  }
}

/** A character may take two bytes. */
const sizeOf = ({ answer, shown = [], shownMrns = [] }: Kept) =>
  2 * answer.length + 100 * (shown.length + shownMrns.length)

/**
 * What every page depends on: the clocks that each write of a record advances (0004), and the time zone of the organization. Read before the page: a write
 * that commits meanwhile is then in the page or changes the state, or both.
 */
async function stateOf({ database }: Needs, organizationId: string): Promise<string> {
  const row = await database.rowByKey(stateStatement, [organizationId])
  return row?.[0] ?? ''
}

/** The types of the records that lists and visits show, and by which they find them. */
const SHOWN_RECORDS = ['patient', 'coverage', 'appointment', 'patient_merge']

const stateStatement = {
  name: 'page_state',
  text: `select concat_ws(' ', (select time_zone from organization where id = $1),
      (select string_agg(concat_ws(' ', record_type, at, total, live), ',' order by record_type)
        from change_clock where organization_id = $1
        and record_type in (${SHOWN_RECORDS.map((name) => `'${name}'`).join(', ')})))`,
}
