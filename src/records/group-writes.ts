// Group commit: single writes that arrive while another of their kind is under way are gathered and sent as one
// statement, and each caller gets the answer to its own write. A write that arrives while nothing is under way is sent
// at once. decisions/0037-group-commit.md
import type { Database, Statement, TextRow } from '../platform/database/database.ts'
import { DatabaseBusy, isOfTheStatement } from '../platform/database/errors.ts'
import type { VersionedRecord } from './record.ts'

/** One write of one record, with the values that its statement takes. */
export interface RecordWrite {
  id: string
  /** The version that an update replaces; absent for a create. */
  expected?: number
  userId: string
  /** The stored body: JSON. */
  body: string
  /** Its timeline events: JSON. Only where the record has events. */
  events?: string
  /** `auditContextText` */
  auditContext: string
  /** Only for a create. */
  guarded?: Guarded
}

/** A rule about creates that no constraint of the database can state. */
export interface Guard<Subject> {
  name: string
  /**
   * Asked in the transaction that creates the records, before it does: for each the error if it must not be created. What it locks stays
   * locked until they are committed.
   */
  refusals(
    database: Database,
    organizationId: string,
    writes: readonly { id: string; subject: Subject }[],
  ): Promise<(Error | undefined)[]>
}

export interface Guarded<Subject = unknown> {
  guard: Guard<Subject>
  /** What the guard compares. */
  subject: Subject
}

type Kind = 'create' | 'update'

interface Waiting {
  write: RecordWrite
  since: number
  resolve(row: TextRow | undefined): void
  reject(error: unknown): void
}

/** The writes of one kind to one organization's records of one type. Lanes do not wait for each other. */
interface Lane {
  waiting: Waiting[]
  underWay: number
  /** Refuses writes that have waited too long. */
  patience?: NodeJS.Timeout | undefined
}

/** While the database works on one statement, the next one is already on its way. */
const STATEMENTS_UNDER_WAY = 2
const GROUP_MAX = 50
/** The most bytes of stored text in a group: a larger record is sent alone. */
const GROUP_BYTES = 512 * 1024
const WAITING_MAX = 1000
const PATIENCE_MS = 30_000

const lanesByDatabase = new WeakMap<Database, Map<string, Lane>>()

/**
 * Writes a record and returns its row, or undefined when an update does not find the version that it replaces.
 * @throws DatabaseBusy when its turn does not come; nothing has been sent then. Also throws PostgreSQL's error for this
 * write.
 */
export function writeInGroup(
  database: Database,
  record: VersionedRecord,
  organizationId: string,
  kind: Kind,
  write: RecordWrite,
): Promise<TextRow | undefined> {
  const lanes = lanesByDatabase.get(database) ?? new Map<string, Lane>()
  lanesByDatabase.set(database, lanes)
  const guard = write.guarded?.guard
  const key = `${organizationId} ${record.name} ${kind} ${guard?.name}`
  const lane = lanes.get(key) ?? { waiting: [], underWay: 0 }
  lanes.set(key, lane)
  const to = { database, record, organizationId }
  const sender = guard ? guardedSenderOf(guard, to) : senderOf(kind, to)

  function next(): void {
    while (lane.underWay < STATEMENTS_UNDER_WAY && lane.waiting.length > 0) {
      lane.underWay++
      sender(takeGroup(lane)).finally(() => {
        lane.underWay--
        next()
      })
    }
    if (lane.waiting.length > 0) lane.patience ??= setTimeout(giveUp, PATIENCE_MS).unref()
    else {
      clearTimeout(lane.patience)
      lane.patience = undefined
      if (lane.underWay === 0) lanes.delete(key)
    }
  }

  function giveUp(): void {
    lane.patience = undefined
    const limit = performance.now() - PATIENCE_MS
    const late = lane.waiting.filter(({ since }) => since <= limit)
    lane.waiting = lane.waiting.filter(({ since }) => since > limit)
    for (const { reject } of late) reject(new DatabaseBusy('the write timed out waiting for its turn'))
    next()
  }

  if (lane.waiting.length >= WAITING_MAX) return Promise.reject(new DatabaseBusy())
  return new Promise((resolve, reject) => {
    lane.waiting.push({ write, since: performance.now(), resolve, reject })
    next()
  })
}

/**
 * Takes the writes that have waited longest, each record at most once: the second of two writes to one record has to
 * see the result of the first.
 */
function takeGroup(lane: Lane): Waiting[] {
  const group = new Map<string, Waiting>()
  const later: Waiting[] = []
  let bytes = 0
  for (const each of lane.waiting) {
    const { id, body, events = '' } = each.write
    bytes += body.length + events.length
    const fits = group.size === 0 || (group.size < GROUP_MAX && bytes <= GROUP_BYTES && !group.has(id.toLowerCase()))
    if (fits) group.set(id.toLowerCase(), each)
    else later.push(each)
  }
  lane.waiting = later
  return [...group.values()]
}

/**
 * Never rejects: each caller gets the result of its own write. It resolves when the next group may be sent, without
 * waiting for the writes that are sent again alone.
 */
type Sender = (group: Waiting[]) => Promise<void>

interface Target {
  database: Database
  record: VersionedRecord
  organizationId: string
}

function senderOf(kind: Kind, { database, record, organizationId }: Target): Sender {
  const { create, createGroup, update, updateFree, updateGroup } = record.statements
  const [alone, first, together] = kind === 'create' ? [create, create, createGroup] : [update, updateFree, updateGroup]
  const send = (statement: Statement, write: RecordWrite) =>
    database.row(statement, singleValues(record, organizationId, write))
  const sendAlone = ({ write, resolve, reject }: Waiting) => {
    send(alone, write).then(resolve, reject)
  }

  async function sendOne(one: Waiting): Promise<void> {
    const row = await send(first, one.write)
    // No row for an update: another transaction has locked the record, or the version is gone. Sent again alone, the
    // write waits for the lock without holding up the others.
    if (row || alone === first) one.resolve(row)
    else sendAlone(one)
  }

  async function sendGroup(group: Waiting[]): Promise<void> {
    const ids = kind === 'update' ? [group.map(({ write }) => write.id)] : []
    const rows = await database.rows(together, [organizationId, sentText(group), ...ids])
    const byId = new Map(rows.map((row) => [row[0], row]))
    for (const each of group) {
      const row = byId.get(each.write.id.toLowerCase())
      if (row) each.resolve(row)
      else sendAlone(each)
    }
  }

  return async (group) => {
    const [one, another] = group
    try {
      if (one && !another) await sendOne(one)
      else await sendGroup(group)
    } catch (error) {
      // One write failed and the whole statement was rolled back: each write is sent again alone, so that only the
      // faulty one fails.
      if (another && isOfTheStatement(error)) group.forEach(sendAlone)
      else for (const { reject } of group) reject(error)
    }
  }
}

/**
 * Creates under a guard: a transaction that asks the guard and then writes what it does not refuse. What fails is sent again in halves, one
 * after the other, because each is a transaction that holds a connection while it waits for the clock.
 */
function guardedSenderOf(guard: Guard<unknown>, { database, record, organizationId }: Target): Sender {
  const { createGroup } = record.statements

  function write(group: Waiting[]) {
    const asked = group.map(({ write: { id, guarded } }) => ({ id, subject: guarded?.subject }))
    return database.transaction(async (transaction) => {
      const refusals = await guard.refusals(transaction, organizationId, asked)
      const rest = group.filter((_, index) => !refusals[index])
      const rows = rest.length > 0 ? await transaction.rows(createGroup, [organizationId, sentText(rest)]) : []
      return { refusals, rowById: new Map(rows.map((row) => [row[0], row])) }
    })
  }

  return async function send(group) {
    try {
      const { refusals, rowById } = await write(group)
      group.forEach(({ write, resolve, reject }, index) => {
        const refusal = refusals[index]
        if (refusal) reject(refusal)
        else resolve(rowById.get(write.id))
      })
    } catch (error) {
      const middle = Math.floor(group.length / 2)
      if (middle === 0 || !isOfTheStatement(error)) for (const { reject } of group) reject(error)
      else {
        await send(group.slice(0, middle))
        await send(group.slice(middle))
      }
    }
  }
}

function singleValues(record: VersionedRecord, organizationId: string, write: RecordWrite): unknown[] {
  const { id, expected, userId, body, events = '[]', auditContext } = write
  const target = expected === undefined ? [organizationId, id] : [organizationId, id, expected]
  return [...target, userId, body, ...(record.events ? [events] : []), auditContext]
}

function sentText(group: Waiting[]): string {
  const sent = group.map(({ write: { id, expected = 0, userId, body, events = '[]', auditContext } }) => {
    return `["${id}",${expected},"${userId}",${body},${events},${JSON.stringify(auditContext)}]`
  })
  return `[${sent.join(',')}]`
}
