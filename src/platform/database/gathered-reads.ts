// Reads by key that arrive while another is under way are gathered and sent as one statement: the cost of a read is that of sending a
// statement and of taking its answer apart, more than that of the row. decisions/0077-gathered-reads.md
import { takeTurn } from '../event-loop.ts'
import type { Statement, TextRow, TextRows } from './database.ts'
import { breaksConnection } from './errors.ts'

type Ask = (statement: Statement, values: unknown[]) => Promise<TextRows>
type KeyedStatement = Statement & { ofKeys: Statement }

interface Read {
  row: Promise<TextRow | undefined>
  resolve(row: TextRow | undefined): void
  reject(error: unknown): void
}

/** The reads that have not been sent, by key: callers who ask for the same row share it. */
type Reads = Map<string, Read>

/** The reads of one organization with one statement; one statement at a time is under way. Lanes do not wait for each other. */
interface Lane {
  name: string
  statement: KeyedStatement
  organization: string
  waiting: Reads
}

/** No caller waits for the rows of many others. */
const KEYS_MAX = 32
const LONG_ROW_CHARACTERS = 64 * 1024

/**
 * Returns `rowByKey` over `ask`, which sends a statement. A read is sent after it arrives, so that it sees every write that was answered
 * before, and at the end of the turn of the event loop at the earliest. A statement that fails fails each read in it.
 */
export function gatherReads(ask: Ask): (statement: Statement, values: unknown[]) => Promise<TextRow | undefined> {
  const lanes = new Map<string, Lane>()

  async function send(lane: Lane): Promise<void> {
    while (lane.waiting.size > 0) {
      const reads = takeReads(lane)
      try {
        const rows = await ask(...statementOf(lane, reads))
        const byKey = new Map(rows.map((row) => [row[0], row]))
        for (const [key, { resolve }] of reads) {
          const row = byKey.get(key)
          if (isLong(row)) await takeTurn(lane.organization)
          resolve(row)
        }
      } catch (error) {
        for (const { reject } of reads.values()) reject(error)
        if (breaksConnection(error)) rejectWaiting(lane, error)
      }
    }
    lanes.delete(lane.name)
  }

  return async (statement, values) => {
    if (!hasMany(statement)) return (await ask(statement, values))[0]
    const [organization, key] = values as [string, string]
    const name = `${organization} ${statement.name}`
    let lane = lanes.get(name)
    if (!lane) {
      lane = { name, statement, organization, waiting: new Map() }
      lanes.set(name, lane)
      setImmediate(send, lane)
    }
    const canonical = key.toLowerCase()
    const read = lane.waiting.get(canonical) ?? newRead()
    lane.waiting.set(canonical, read)
    return read.row
  }
}

/** The callers of a group get their rows at once, and work on a long one takes a while. */
const isLong = (row: TextRow = []) => row.reduce((sum, text) => sum + (text?.length ?? 0), 0) > LONG_ROW_CHARACTERS

const hasMany = (statement: Statement): statement is KeyedStatement => statement.ofKeys !== undefined

function newRead(): Read {
  const read = {} as Read
  read.row = new Promise((resolve, reject) => Object.assign(read, { resolve, reject }))
  return read
}

/** They have waited for a lost connection as long as those that were sent on it. */
function rejectWaiting(lane: Lane, error: unknown): void {
  const reads = lane.waiting
  lane.waiting = new Map()
  for (const { reject } of reads.values()) reject(error)
}

/** Those that have waited longest. */
function takeReads({ waiting }: Lane): Reads {
  const reads: Reads = new Map()
  for (const [key, read] of waiting) {
    if (reads.size === KEYS_MAX) break
    reads.set(key, read)
    waiting.delete(key)
  }
  return reads
}

function statementOf({ statement, organization }: Lane, reads: Reads): [Statement, unknown[]] {
  const [one, another] = reads.keys()
  return another
    ? [statement.ofKeys, [organization, `{${[...reads.keys()].join(',')}}`]]
    : [statement, [organization, one]]
}
