// Reads by key on connections that organizations share: one that waits for a lock does not keep the others. decisions/0223-reads-that-wait-for-a-lock.md
import type pg from 'pg'
import { createFairShare } from '../../fair-share.ts'
import type { Statement, TextRows } from '../database.ts'
import { DatabaseBusy, isCancelled } from '../errors.ts'
import { rethrow } from '../statements/text-query.ts'
import { cancelStatement } from './cancel-statement.ts'
import type { SharedConnections } from './shared-connections.ts'

/** A read by key takes less than a millisecond. One that takes so long waits for a lock on its table, such as that of `ALTER TABLE` or `VACUUM FULL`. */
const BLOCKED_MS = 1_000
const LOOK_EVERY_MS = 250
/** For how long after that reads of the same kind are sent elsewhere. */
const ASIDE_MS = 10_000
/** The connections there are for other work as well. */
const ASIDE_AT_ONCE = 4
const ASIDE_WAITING_MAX = 1_000
/** As other long reads (heavy-reads.ts). */
const ASIDE_PATIENCE_MS = 15_000

interface Line {
  /** In the order in which PostgreSQL answers them. */
  unanswered: Set<{ statement: Statement }>
  /** When the first of them became the first. */
  movedAt: number
  isCancelling: boolean
}

interface Aside {
  until: number
  /** When those that run were sent, the oldest first. */
  running: Set<{ sentAt: number }>
}

/** `Context` is what a read needs beside its statement. */
interface Ways<Context> {
  ask(client: pg.Client, statement: Statement, values: unknown[], context: Context): Promise<TextRows>
  /** For a read that its shared connection did not answer. */
  elsewhere(statement: Statement, values: unknown[], context: Context): Promise<TextRows>
  /** Who takes one of the places there. */
  sharerOf(values: unknown[], context: Context): string
  /** How long it waits for one. */
  patienceMs?: number
}

interface ReadsByKey<Context> {
  /** Sends a statement that reads by key. On the path of every read: no promise more than it needs. */
  read<Answer>(
    answerOf: (rows: TextRows) => Answer,
    statement: Statement,
    values: unknown[],
    context: Context,
  ): Promise<Answer>
  /** Whether statements of this kind have lately waited for a lock, and so do not use the shared connections. */
  isAside(statement: Statement): boolean
}

const kindOf = ({ name, text }: Statement) => name ?? text

/** A statement that the connection does not answer is cancelled, so that those behind it go on, and sent again by `elsewhere`. */
export function createReadsByKey<Context>(
  shared: Pick<SharedConnections, 'client'>,
  { ask, elsewhere, sharerOf, patienceMs = ASIDE_PATIENCE_MS }: Ways<Context>,
  now: () => number = () => performance.now(),
): ReadsByKey<Context> {
  type Read = [statement: Statement, values: unknown[], context: Context]
  const lines = new Map<pg.Client, Line>()
  const asides = new Map<string, Aside>()
  const places = createFairShare({
    places: ASIDE_AT_ONCE,
    maxWaiting: ASIDE_WAITING_MAX,
    patienceMs,
  })
  let looking: NodeJS.Timeout | undefined

  function look(): void {
    for (const [client, line] of lines) {
      if (line.unanswered.size === 0) lines.delete(client)
      // After what has arrived in this turn: this process may have been suspended.
      else if (isBlocked(line)) setImmediate(() => release(client, line))
    }
    if (lines.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  /** One of a kind that is known to wait was sent before that was known. */
  function isBlocked({ unanswered, movedAt, isCancelling }: Line): boolean {
    const [first] = unanswered
    return first !== undefined && !isCancelling && (now() - movedAt > BLOCKED_MS || isAside(first.statement))
  }

  function release(client: pg.Client, line: Line): void {
    const [first] = line.unanswered
    if (!first || !isBlocked(line)) return
    setAside(first.statement)
    line.isCancelling = true
    // Whether or not the server took it: the next look tries again.
    void cancelStatement(client).then(() => {
      line.isCancelling = false
      release(client, line)
    })
  }

  function setAside(statement: Statement): Aside {
    const kind = kindOf(statement)
    const aside = asides.get(kind) ?? { until: 0, running: new Set() }
    asides.set(kind, aside)
    aside.until = now() + ASIDE_MS
    return aside
  }

  function isAside(statement: Statement): boolean {
    if (asides.size === 0) return false
    const aside = asides.get(kindOf(statement))
    if (!aside) return false
    const [oldest] = aside.running
    if (now() < aside.until || (oldest && now() - oldest.sentAt > BLOCKED_MS)) return true
    asides.delete(kindOf(statement))
    return false
  }

  async function sendAside(...[statement, values, context]: Read): Promise<TextRows> {
    const sharer = sharerOf(values, context)
    await places.enter(sharer).catch((cause) => {
      throw new DatabaseBusy('timed out waiting for reads of a locked table', { cause })
    })
    const read = { sentAt: now() }
    const { running } = asides.get(kindOf(statement)) ?? setAside(statement)
    running.add(read)
    try {
      return await elsewhere(statement, values, context)
    } finally {
      running.delete(read)
      if (now() - read.sentAt > BLOCKED_MS) setAside(statement)
      places.leave(sharer)
    }
  }

  function send(client: pg.Client, ...[statement, values, context]: Read) {
    const line = lines.get(client) ?? { unanswered: new Set(), movedAt: 0, isCancelling: false }
    lines.set(client, line)
    if (line.unanswered.size === 0) line.movedAt = now()
    const waiting = { statement }
    line.unanswered.add(waiting)
    looking ??= setInterval(look, LOOK_EVERY_MS).unref()
    const leave = () => {
      line.unanswered.delete(waiting)
      line.movedAt = now()
      if (asides.size > 0) release(client, line)
    }
    return { asked: ask(client, statement, values, context), leave }
  }

  function answered<Answer>(
    answerOf: (rows: TextRows) => Answer,
    { asked, leave }: ReturnType<typeof send>,
    again: () => Promise<TextRows>,
  ): Promise<Answer> {
    return asked.then(
      (rows) => {
        leave()
        return answerOf(rows)
      },
      (error) => {
        leave()
        return isCancelled(error) ? again().then(answerOf) : rethrow(error)
      },
    )
  }

  /** A cancellation that came late has hit a read of another kind, which does not wait for a lock. */
  function sendAgain(...read: Read): Promise<TextRows> {
    return isAside(read[0])
      ? sendAside(...read)
      : sendShared(
          (rows) => rows,
          read,
          () => sendAside(...read),
        )
  }

  function sendShared<Answer>(
    answerOf: (rows: TextRows) => Answer,
    read: Read,
    again: () => Promise<TextRows>,
  ): Promise<Answer> {
    const client = shared.client()
    return client instanceof Promise
      ? client.then((open) => answered(answerOf, send(open, ...read), again), rethrow)
      : answered(answerOf, send(client, ...read), again)
  }

  return {
    isAside,
    read: (answerOf, ...read) =>
      isAside(read[0]) ? sendAside(...read).then(answerOf) : sendShared(answerOf, read, () => sendAgain(...read)),
  }
}
