// The one source of live events in a process: one statement looks for news of all listeners' organizations, and each
// event is read and serialized once. Without listeners nothing is queried.
import type { Database, SystemDatabase } from '../platform/database/database.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { beginLog, collectEvents, hasNews } from './collect.ts'
import { eventJson, type LogEnds, readEnds, readEvents } from './event-log.ts'
import type { EventTypes } from './event-types.ts'

/** An event as every listener of its organization receives it. */
export interface LiveEvent {
  number: number
  type: string
  /** Its JSON text. */
  json: string
}

export interface EventSource {
  readonly types: EventTypes
  /** Collects pending changes and returns the first and last number of the log; the first call starts the log. */
  ends(organizationId: string): Promise<LogEnds>
  /** At most one page of events after a number; a page that another listener has just read is reused. */
  read(organizationId: string, after: number): Promise<LiveEvent[]>
  /** Calls `wake` whenever this organization has new events, until the returned function is called. */
  listen(organizationId: string, wake: () => void): () => void
  /**
   * Reserves a place for a listener and returns the function that releases it; undefined when this organization has no
   * free place.
   */
  admit(organizationId: string): (() => void) | undefined
  /** The number of listeners. */
  listeners(): number
  /** Calls `end` of every listener and stops querying. */
  close(): void
  onClose(end: () => void): () => void
}

const LOOK_EVERY_MS = 200
/** The events read at once, and the number kept for other listeners of the organization. */
const EVENTS_A_PAGE = 500

/** An open stream takes about 30 kB; the number of connections is limited as well (connection-limits.ts). */
const LISTENERS_MAX = 4_000

interface Listened {
  wakes: Set<() => void>
  last: number
  /** The latest page, for listeners whose position is before or within it. */
  recent: LiveEvent[]
  /** Reads in progress, by the number that they start after. */
  reading: Map<number, Promise<LiveEvent[]>>
  isCollecting: boolean
}

interface Needs {
  database: Database
  /** Queries the news of all listened organizations at once. */
  systemDatabase: SystemDatabase
  types: EventTypes
  baseUrl?: string | undefined
  onError(error: Error): void
}

const newlyListened = (): Listened => ({
  wakes: new Set(),
  last: 0,
  recent: [],
  reading: new Map(),
  isCollecting: false,
})

const newEventsStatement = {
  name: 'event_look',
  text: `select l.organization_id, l.last_number,
      ${hasNews('$2')}
    from event_log l where l.organization_id = any($1::uuid[])`,
}

export function openEventSource(deps: Needs): EventSource {
  const { database, systemDatabase, types } = deps
  const feeds = types.subjects.flatMap(({ name, record }) => (record ? [name] : []))
  const listened = new Map<string, Listened>()
  const ends = new Set<() => void>()
  const places = createFairShare({ places: LISTENERS_MAX })
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  async function look(): Promise<void> {
    const rows = await systemDatabase.rows(newEventsStatement, [[...listened.keys()], feeds])
    for (const [organizationId = '', last, hasMore] of rows) {
      const known = listened.get(organizationId)
      if (!known) continue
      reach(known, Number(last))
      // Not awaited: a slow collection for one organization delays no other.
      if (hasMore === 't' && !known.isCollecting) collectFor(known, organizationId).catch(deps.onError)
    }
  }

  async function collectFor(known: Listened, organizationId: string): Promise<void> {
    known.isCollecting = true
    try {
      reach(known, (await collectEvents(database, types, organizationId)) ?? 0)
    } finally {
      known.isCollecting = false
    }
  }

  function reach(known: Listened, last: number): void {
    if (last <= known.last) return
    known.last = last
    for (const wake of known.wakes) wake()
  }

  function lookNow(): void {
    if (isLooking || listened.size === 0) return
    isLooking = true
    look()
      .catch(deps.onError)
      .finally(() => {
        isLooking = false
      })
  }

  function follow(): void {
    if (listened.size > 0) timer ??= setInterval(lookNow, LOOK_EVERY_MS).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
  }

  async function readPage(organizationId: string, after: number): Promise<LiveEvent[]> {
    const events = await readEvents(database, organizationId, after, EVENTS_A_PAGE)
    return events.map((event) => ({
      number: event.number,
      type: event.type,
      json: JSON.stringify(eventJson(types, organizationId, event, deps.baseUrl)),
    }))
  }

  /** Listeners at the same position share one statement. */
  function readFor(known: Listened, organizationId: string, after: number): Promise<LiveEvent[]> {
    const begun = known.reading.get(after)
    if (begun) return begun
    const reading = readPage(organizationId, after)
      .then((read) => {
        if ((read.at(-1)?.number ?? 0) > (known.recent.at(-1)?.number ?? 0)) known.recent = read
        return read
      })
      .finally(() => known.reading.delete(after))
    known.reading.set(after, reading)
    return reading
  }

  return {
    types,
    async ends(organizationId) {
      await beginLog(database, organizationId)
      await collectEvents(database, types, organizationId)
      return (await readEnds(database, organizationId)) ?? { last: 0, pruned: 0 }
    },
    async read(organizationId, after) {
      const known = listened.get(organizationId)
      if (!known) return readPage(organizationId, after)
      const at = known.recent.findIndex(({ number }) => number === after + 1)
      return at >= 0 ? known.recent.slice(at) : readFor(known, organizationId, after)
    },
    listen(organizationId, wake) {
      const known = listened.get(organizationId) ?? newlyListened()
      listened.set(organizationId, known)
      known.wakes.add(wake)
      follow()
      return () => {
        known.wakes.delete(wake)
        if (known.wakes.size === 0) listened.delete(organizationId)
        follow()
      }
    },
    admit(organizationId) {
      return places.tryEnter(organizationId) ? () => places.leave(organizationId) : undefined
    },
    listeners: () => [...listened.values()].reduce((sum, { wakes }) => sum + wakes.size, 0),
    close() {
      for (const end of [...ends]) end()
      listened.clear()
      follow()
    },
    onClose(end) {
      ends.add(end)
      return () => ends.delete(end)
    },
  }
}
