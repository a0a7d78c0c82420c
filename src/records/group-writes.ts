// Group commit: single writes that come while another of their kind is under way are gathered and leave as one statement, and each caller is
// answered for its own. One that comes while nothing is under way leaves at once. decisions/0037-group-commit.md
import type { Database, Statement, TextRow } from '../platform/database/database.ts'
import { DatabaseBusy, isOfTheStatement } from '../platform/database/errors.ts'
import type { VersionedRecord } from './record.ts'

/** One write of one record, as its statement takes it. */
export interface RecordWrite {
  id: string
  /** The version that an update replaces; a create has none. */
  expected?: number
  userId: string
  /** As it is stored: JSON. */
  body: string
  /** What it tells the timeline: JSON. Where the record has events. */
  events?: string
  /** `auditContextText` */
  auditContext: string
}

type Kind = 'create' | 'update'

interface Waiting {
  write: RecordWrite
  since: number
  resolve(row: TextRow | undefined): void
  reject(error: unknown): void
}

/** The writes of one kind, to one organization's records of one type. Each has its own: none waits for another's. */
interface Lane {
  waiting: Waiting[]
  underWay: number
  /** Refuses those whose turn does not come. */
  patience?: NodeJS.Timeout | undefined
}

/** While the database works on one statement, the next is on its way to it. */
const STATEMENTS_UNDER_WAY = 2
const GROUP_MAX = 50
/** Of stored text: a large record leaves alone. */
const GROUP_BYTES = 512 * 1024
const WAITING_MAX = 1000
const PATIENCE_MS = 30_000

const lanesByDatabase = new WeakMap<Database, Map<string, Lane>>()

/**
 * Writes a record and returns its row, or undefined where an update does not find the version that it replaces.
 * @throws DatabaseBusy when its turn does not come: nothing was sent then. What PostgreSQL says of this very write.
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
  const key = `${organizationId} ${record.name} ${kind}`
  const lane = lanes.get(key) ?? { waiting: [], underWay: 0 }
  lanes.set(key, lane)
  const sender = senderOf(database, record, organizationId, kind)

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
    for (const { reject } of late) reject(new DatabaseBusy('the write did not have its turn'))
    next()
  }

  if (lane.waiting.length >= WAITING_MAX) return Promise.reject(new DatabaseBusy())
  return new Promise((resolve, reject) => {
    lane.waiting.push({ write, since: performance.now(), resolve, reject })
    next()
  })
}

/** The first that wait, each record once: of two writes to one record the second has to see what the first left. */
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

/** Never fails: each caller hears of its own write. It ends when the next group may leave, which need not wait for stragglers. */
function senderOf(
  database: Database,
  record: VersionedRecord,
  organizationId: string,
  kind: Kind,
): (group: Waiting[]) => Promise<void> {
  const { create, createGroup, update, updateFree, updateGroup } = record.statements
  const [alone, first, together] = kind === 'create' ? [create, create, createGroup] : [update, updateFree, updateGroup]
  const send = (statement: Statement, write: RecordWrite) =>
    database.row(statement, singleValues(record, organizationId, write))
  const straggle = ({ write, resolve, reject }: Waiting) => {
    send(alone, write).then(resolve, reject)
  }

  async function sendOne(one: Waiting): Promise<void> {
    const row = await send(first, one.write)
    // Of an update: held by somebody, or not there in this version. Whoever waits for a record holds nobody up.
    if (row || alone === first) one.resolve(row)
    else straggle(one)
  }

  async function sendGroup(group: Waiting[]): Promise<void> {
    const ids = kind === 'update' ? [group.map(({ write }) => write.id)] : []
    const rows = await database.rows(together, [organizationId, sentText(group), ...ids])
    const byId = new Map(rows.map((row) => [row[0], row]))
    for (const each of group) {
      const row = byId.get(each.write.id.toLowerCase())
      if (row) each.resolve(row)
      else straggle(each)
    }
  }

  return async (group) => {
    const [one, another] = group
    try {
      if (one && !another) await sendOne(one)
      else await sendGroup(group)
    } catch (error) {
      // All was undone for the sake of one of them: each finds out alone whether it was it.
      if (another && isOfTheStatement(error)) group.forEach(straggle)
      else for (const { reject } of group) reject(error)
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
