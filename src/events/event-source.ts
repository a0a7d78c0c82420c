// The one source of live events in a process: one statement looks for news of all listeners' organizations, and each
// event is read and serialized once. Without listeners nothing is queried.

import { togetherUnlessOneFails } from '../platform/database/all-organizations.ts'
import type { Database, SystemDatabase } from '../platform/database/database.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { gatheredByKey } from '../platform/gathered.ts'
import { beginLog, collectEvents, hasNews } from './collect.ts'
import { eventJson, type LogEnds, readEnds, readEvents } from './event-log.ts'
import type { EventTypes } from './event-types.ts'
import { ListenedLog, type LiveEvent } from './listened-log.ts'

export interface EventSource {
  readonly types: EventTypes
  /**
   * Collects pending changes and returns the first and last number of the log; the first call starts the log. Calls of an organization that come
   * together share one.
   */
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
/** The events read at once. The latest page of an organization is kept for its other listeners. */
const EVENTS_A_PAGE = 500

/** An open stream takes about 30 kB; the number of connections is limited as well (connection-limits.ts). */
const LISTENERS_MAX = 4_000

interface Needs {
  database: Database
  /** Queries the news of all listened organizations at once. */
  systemDatabase: SystemDatabase
  types: EventTypes
  baseUrl?: string | undefined
  onError(error: Error): void
}

const newEventsStatement = {
  name: 'event_look',
  text: `select l.organization_id, l.last_number,
      ${hasNews('$2')}
    from event_log l where l.organization_id = any($1::uuid[])`,
}

/** Queries nothing until somebody listens. Failures of the queries are passed to `onError` and the next look repeats them. */
export function openEventSource(deps: Needs): EventSource {
  const { database, types } = deps
  const logs = new ListenedLogs(deps)
  const listeners = new Set<() => void>()
  const places = createFairShare({ places: LISTENERS_MAX })

  // Thousands of listeners may come in the same moment, as after a restart.
  const ends = gatheredByKey(async (organizationId) => {
    await beginLog(database, organizationId)
    await collectEvents(database, types, organizationId)
    return (await readEnds(database, organizationId)) ?? { last: 0, pruned: 0 }
  })

  return {
    types,
    ends,
    read: (organizationId, after) => logs.read(organizationId, after),
    listen: (organizationId, wake) => logs.listen(organizationId, wake),
    admit(organizationId) {
      return places.tryEnter(organizationId) ? () => places.leave(organizationId) : undefined
    },
    listeners: () => logs.listeners,
    close() {
      for (const end of [...listeners]) end()
      logs.close()
    },
    onClose(end) {
      listeners.add(end)
      return () => listeners.delete(end)
    },
  }
}

/** The logs of the organizations that have listeners, looked at every LOOK_EVERY_MS. */
class ListenedLogs {
  readonly #deps: Needs
  readonly #logs = new Map<string, ListenedLog>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(deps: Needs) {
    this.#deps = deps
  }

  get listeners(): number {
    return [...this.#logs.values()].reduce((sum, log) => sum + log.listeners, 0)
  }

  async read(organizationId: string, after: number): Promise<LiveEvent[]> {
    return this.#logs.get(organizationId)?.read(after) ?? this.#readPage(organizationId, after)
  }

  listen(organizationId: string, wake: () => void): () => void {
    const log = this.#logs.get(organizationId) ?? new ListenedLog((after) => this.#readPage(organizationId, after))
    this.#logs.set(organizationId, log)
    log.add(wake)
    this.#follow()
    return () => {
      log.remove(wake)
      if (log.listeners === 0) this.#logs.delete(organizationId)
      this.#follow()
    }
  }

  close(): void {
    this.#logs.clear()
    this.#follow()
  }

  /** Looks from time to time while there are listeners. */
  #follow(): void {
    if (this.#logs.size > 0) this.#timer ??= setInterval(() => this.#lookNow(), LOOK_EVERY_MS).unref()
    else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #lookNow(): void {
    if (this.#isLooking || this.#logs.size === 0) return
    this.#isLooking = true
    this.#look()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #look(): Promise<void> {
    const { systemDatabase, types, onError } = this.#deps
    const listened = [...this.#logs.keys()]
    const readNews = (ids: string[]) => systemDatabase.rows(newEventsStatement, [ids, types.feeds])
    const rows = await togetherUnlessOneFails({
      together: () => readNews(listened),
      organizations: async () => listened,
      each: (id) => readNews([id]),
      onFailure: (error) => onError(error as Error),
    })
    for (const [organizationId = '', last, hasMore] of rows) {
      const log = this.#logs.get(organizationId)
      if (!log) continue
      log.reach(Number(last))
      // Not awaited: a slow collection for one organization delays no other.
      if (hasMore === 't' && !log.isCollecting) this.#collect(log, organizationId).catch(onError)
    }
  }

  async #collect(log: ListenedLog, organizationId: string): Promise<void> {
    log.isCollecting = true
    try {
      log.reach((await collectEvents(this.#deps.database, this.#deps.types, organizationId)) ?? 0)
    } finally {
      log.isCollecting = false
    }
  }

  async #readPage(organizationId: string, after: number): Promise<LiveEvent[]> {
    const { database, types, baseUrl } = this.#deps
    const events = await readEvents(database, organizationId, after, EVENTS_A_PAGE)
    return events.map((event) => ({
      number: event.number,
      type: event.type,
      json: JSON.stringify(eventJson(types, organizationId, event, baseUrl)),
    }))
  }
}
