// The one source of events in a process: whoever listens, one statement looks for all of them, and each event is read and written as
// text once. With no listener nothing is asked.
import type { Database, SystemDatabase } from '../platform/database/database.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { beginLog, collectEvents, hasNews } from './collect.ts'
import { eventJson, type LogEnds, readEnds, readEvents } from './event-log.ts'
import type { EventTypes } from './event-types.ts'

/** An event as every listener of its organization gets it. */
export interface LiveEvent {
  number: number
  type: string
  /** Its JSON text. */
  json: string
}

export interface EventSource {
  readonly types: EventTypes
  /** Collects what has happened, and returns where the log begins and ends; the first call begins the log. */
  ends(organizationId: string): Promise<LogEnds>
  /** Events after a number, at most a page of them; what was just read by another listener is at hand. */
  read(organizationId: string, after: number): Promise<LiveEvent[]>
  /** Calls `wake` whenever there are new events of this organization, until it is told to stop. */
  listen(organizationId: string, wake: () => void): () => void
  /** Takes a place for a listener, and returns what gives it back; undefined when there is none for this organization. */
  admit(organizationId: string): (() => void) | undefined
  /** How many there are. */
  listeners(): number
  /** Calls `end` of every listener, and asks for nothing any more. */
  close(): void
  onClose(end: () => void): () => void
}

const LOOK_EVERY_MS = 200
/** Events read at once, and as many are kept for other listeners of the organization. */
export const EVENTS_A_PAGE = 500

/** An open stream takes about 30 kB; connections are bounded as well (connection-limits.ts). */
const LISTENERS_MAX = 4_000

interface Listened {
  wakes: Set<() => void>
  last: number
  /** The latest page, for listeners that stand before it or within it. */
  recent: LiveEvent[]
  /** What is being read, by where it begins. */
  reading: Map<number, Promise<LiveEvent[]>>
  isCollecting: boolean
}

interface Needs {
  database: Database
  /** To look for all organizations that are listened to at once. */
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

export const newEventsStatement = {
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
      // Not waited for: what takes long for one organization delays none of the others.
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

  /** Listeners that stand at the same place share one statement. */
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
