// Long reads of one organization beside the calls of others. decisions/0091-heavy-reads.md
import { DatabaseBusy } from '../errors.ts'

/** A read that takes PostgreSQL longer than this is a long one. Most take less than ten milliseconds. */
const LONG_MS = 50
/** How long an organization counts as one with long reads after the last of them. */
const REMEMBERED_MS = 2_000
/** How long after its last statement another organization still counts as one that needs the database: a person pauses between two clicks. */
const OTHERS_MS = 10_000
/** A read that waits for so long is refused. A connection is waited for 5 s; these wait for statements that are known to be long. */
const WAIT_LIMIT_MS = 15_000

/** The reads of all organizations in one pool of connections. */
export interface HeavyReads {
  /** A statement of any kind of the organization: others are not alone. */
  note(organization: string): void
  /**
   * Runs a read of the organization. While it has long reads and others use the database, only its part of the reads runs at once.
   * `work` calls `sent` when the statement is sent, so that waiting for a connection does not count.
   * @throws the reason of `gone`, DatabaseBusy when its turn does not come.
   */
  pass<T>(organization: string, gone: AbortSignal, work: (sent: () => void) => Promise<T>): Promise<T>
}

interface Read {
  /** Undefined while it waits for a connection. */
  sentAt?: number
}

interface Reader {
  running: Set<Read>
  /**
   * In their order, those of calls that have had rows first: a call whose answer is on its way to the caller ends before others begin, and one that
   * waits too long is refused before its answer has begun, instead of being cut in the middle.
   */
  waiting: { continued: Set<() => void>; fresh: Set<() => void> }
  /** When the last long read ended. */
  lastLongAt: number
}

/**
 * @param atOnce how many long reads run at once while several organizations use the database: about one for each processor of it. They
 * are divided among the organizations with long reads, each of which has at least one.
 */
export function createHeavyReads(atOnce: number, now: () => number = () => performance.now()): HeavyReads {
  const readers = new Map<string, Reader>()
  const users = new LatestUsers()
  /** The calls that have had rows while their organization had long reads. */
  const begun = new WeakSet<AbortSignal>()

  const hasLongReads = ({ running, lastLongAt }: Reader) =>
    lastLongAt > now() - REMEMBERED_MS ||
    [...running].some(({ sentAt }) => sentAt !== undefined && sentAt < now() - LONG_MS)

  function mayRun(organization: string, reader: Reader): boolean {
    if (reader.running.size === 0 || users.isAlone(organization, now()) || !hasLongReads(reader)) return true
    return reader.running.size < Math.ceil(atOnce / countOfSharing())
  }

  /** The organizations that have a long read running now; drops those that have none left. */
  function countOfSharing(): number {
    let count = 0
    for (const [organization, reader] of readers) {
      const isLong = hasLongReads(reader)
      if (isLong && reader.running.size > 0) count++
      else if (!isLong && reader.running.size === 0) readers.delete(organization)
    }
    return count
  }

  function readerOf(organization: string): Reader {
    const reader = readers.get(organization) ?? {
      running: new Set(),
      waiting: { continued: new Set(), fresh: new Set() },
      lastLongAt: -Infinity,
    }
    readers.set(organization, reader)
    return reader
  }

  function enter(organization: string, read: Read, gone: AbortSignal): Promise<void> | undefined {
    const reader = readerOf(organization)
    const { continued, fresh } = reader.waiting
    const queue = begun.has(gone) ? continued : fresh
    // Reads that wait come before later ones.
    if (continued.size > 0 || queue.size > 0 || !mayRun(organization, reader)) return wait(queue, reader, read, gone)
    reader.running.add(read)
    return undefined
  }

  function leave(organization: string, read: Read, gone: AbortSignal): void {
    const reader = readers.get(organization) as Reader
    reader.running.delete(read)
    if (read.sentAt !== undefined && now() - read.sentAt > LONG_MS) reader.lastLongAt = now()
    if (hasLongReads(reader)) begun.add(gone)
    // Where one waits another one runs, so that its end is the moment to look again.
    for (const queue of [reader.waiting.continued, reader.waiting.fresh])
      for (const begin of queue) {
        if (!mayRun(organization, reader)) return
        begin()
      }
    if (reader.running.size === 0 && !hasLongReads(reader)) readers.delete(organization)
  }

  return {
    note(organization) {
      if (organization !== '') users.note(organization, now())
    },
    async pass(organization, gone, work) {
      gone.throwIfAborted()
      const read: Read = {}
      await enter(organization, read, gone)
      try {
        return await work(() => {
          read.sentAt = now()
        })
      } finally {
        leave(organization, read, gone)
      }
    },
  }
}

/** The two organizations that used the database last. Times are those of one clock, in milliseconds. */
class LatestUsers {
  #latest = { organization: '', at: -Infinity }
  /** The latest use by an organization other than that of `#latest`. */
  #latestOther = this.#latest

  note(organization: string, at: number): void {
    if (organization !== this.#latest.organization) {
      this.#latestOther = this.#latest
      this.#latest = { organization, at }
    } else this.#latest.at = at
  }

  /** Whether no other organization needs the database. */
  isAlone(organization: string, now: number): boolean {
    const other = this.#latest.organization === organization ? this.#latestOther : this.#latest
    return other.at < now - OTHERS_MS
  }
}

/** Resolves when the read has its turn; it then counts as running. */
function wait(queue: Set<() => void>, { running }: Reader, read: Read, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      queue.delete(begin)
      gone.removeEventListener('abort', leave)
      clearTimeout(timer)
    }
    const begin = () => {
      end()
      running.add(read)
      resolve()
    }
    const leave = () => {
      end()
      reject(gone.reason)
    }
    const timer = setTimeout(() => {
      end()
      reject(new DatabaseBusy('timed out waiting for other reads of the organization'))
    }, WAIT_LIMIT_MS)
    gone.addEventListener('abort', leave, { once: true })
    queue.add(begin)
  })
}
