// Pages that are requested again while nothing that they show has changed. decisions/0188-pages-that-did-not-change.md
import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Actor, AuditContext } from '../contract/actor.ts'
import type { Vault } from '../platform/crypto/encryption.ts'
import type { Database } from '../platform/database/database.ts'
import { LONG_BYTES, takeTurn } from '../platform/event-loop.ts'

interface Needs {
  database: Database
  vault: Pick<Vault, 'keyId'>
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

export interface PageCache {
  /**
   * The kept page, if it is still what `read` would return; otherwise the one that `read` returns. Calls of an operation with equal queries have
   * equal answers while the records of the organization are the same.
   */
  read(deps: Needs, actor: Actor, query: object, read: () => Promise<ReadPage>): Promise<string | Readable>
}

/** When a page was requested, before it was read. */
interface Moment {
  /** What `stateOf` returned. */
  state: string
  /** In milliseconds since 1970. */
  from: number
}

/** A page that is being read for a caller. Others who request it at the same state wait for it. */
interface Reading {
  state: string
  page: Promise<Kept | undefined>
}

interface Kept extends Moment {
  answer: string
  until: number
  shown: string[] | undefined
  shownMrns: string[] | undefined
}

/** A page that was requested once is not kept: most are not requested again, and to know the state before is one more statement. */
const REQUESTED = 'requested'

/** A kept page contains data of patients in clear text: it is removed when it was not requested for this long. */
const KEPT_MS = 60_000
const LONGEST_CHARACTERS = 1024 * 1024
const LONGEST_KEY = 4096
/** The approximate size of an entry without its texts. */
const ENTRY_BYTES = 500

/** @param megabytes how much memory kept pages may take; with 0 none are kept. */
export function createPageCache(megabytes: number): PageCache {
  if (megabytes === 0) return { read: async (_deps, _actor, _query, read) => (await read()).answer }
  const cache = new LRUCache<string, Kept | typeof REQUESTED>({
    maxSize: megabytes * 1024 * 1024,
    sizeCalculation: (entry, key) => ENTRY_BYTES + key.length + (entry === REQUESTED ? 0 : sizeOf(entry)),
    ttl: KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  })

  const readings = new Map<string, Reading>()

  /** Reads a page, and keeps it where it can be sent again. */
  async function readAndKeep(
    { auditContext }: Actor,
    key: string,
    { state, from }: Moment,
    read: () => Promise<ReadPage>,
  ): Promise<ReadPage & { kept?: Kept }> {
    const { answer, until = Number.POSITIVE_INFINITY } = await read()
    if (typeof answer !== 'string' || answer.length > LONGEST_CHARACTERS || !(until >= from)) return { answer }
    const shown = auditContext?.shown && [...auditContext.shown]
    const shownMrns = auditContext?.shownMrns && [...auditContext.shownMrns]
    const kept = { state, answer, from, until, shown, shownMrns }
    cache.set(key, kept)
    return { answer, kept }
  }

  /** Reads a page for its caller, and for those who request it at the same state meanwhile. */
  async function readTogether(
    actor: Actor,
    key: string,
    moment: Moment,
    read: () => Promise<ReadPage>,
  ): Promise<ReadPage['answer']> {
    const reading = readAndKeep(actor, key, moment, read)
    // If it fails, or its caller leaves, the others read the page themselves.
    const page = reading.then(
      ({ kept }) => kept,
      () => undefined,
    )
    readings.set(key, { state: moment.state, page })
    try {
      return (await reading).answer
    } finally {
      if (readings.get(key)?.page === page) readings.delete(key)
    }
  }

  return {
    async read(deps, actor, query, read) {
      const { organizationId, auditContext } = actor
      // What a page shows is audited: without a context it would not be known for the next caller.
      if (!auditContext) return (await read()).answer
      const key = JSON.stringify([organizationId, auditContext.operation, query])
      if (key.length > LONGEST_KEY) return (await read()).answer
      if (!cache.has(key)) {
        cache.set(key, REQUESTED)
        return (await read()).answer
      }
      const from = deps.now().getTime()
      const state = await stateOf(deps, organizationId)
      const entry = cache.get(key) ?? REQUESTED
      const other = readings.get(key)
      // Awaits only a page that another caller reads: otherwise two callers who learn the state at the same moment would both begin.
      const known = entry !== REQUESTED && entry.state === state ? entry : other?.state === state && (await other.page)
      if (known && from >= known.from && from <= known.until) return show(known, organizationId, auditContext)
      return readTogether(actor, key, { state, from }, read)
    },
  }
}

/** What a kept page shows is audited for each of its callers. */
async function show(
  { answer, shown, shownMrns }: Kept,
  organizationId: string,
  auditContext: AuditContext,
): Promise<string> {
  // Many callers continue at the same moment: when the state has been read, or the page that they wait for.
  if (answer.length > LONG_BYTES) await takeTurn(organizationId)
  if (shown) auditContext.shown = new Set(shown)
  if (shownMrns) auditContext.shownMrns = [...shownMrns]
  return answer
}

/** A character may take two bytes. */
const sizeOf = ({ answer, shown = [], shownMrns = [] }: Kept) =>
  2 * answer.length + 100 * (shown.length + shownMrns.length)

/**
 * What every page depends on: the clocks that each write of a record advances (decisions/0004), the time zone of the organization, and the key of
 * the page tokens. It is read before the page, so that a write that commits in between is in the page, or changes the state, or both.
 */
async function stateOf({ database, vault }: Needs, organizationId: string): Promise<string> {
  const row = await database.rowByKey(stateStatement, [organizationId])
  return `${vault.keyId} ${row?.[0]}`
}

/** The types of the records that lists and visits show, and by which they find them. page-cache.test.ts reads them from the statements of the pages. */
export const SHOWN_RECORDS = ['patient', 'coverage', 'appointment', 'patient_merge']

const stateStatement = {
  name: 'page_state',
  text: `select concat_ws(' ', time_zone, (
      select string_agg(concat_ws(' ', record_type, at, total, live), ',' order by record_type) from change_clock
      where organization_id = $1 and record_type in (${SHOWN_RECORDS.map((name) => `'${name}'`).join(', ')})
    )) from organization where id = $1`,
}
