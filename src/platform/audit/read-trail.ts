// Reads the audit trail, newest event first.
import type { Database, TextRows } from '../database/database.ts'
import { takeTurn } from '../event-loop.ts'
import type { AuditEvent, StoredAuditEvent } from './event.ts'

/** A query of a trail; instants in the interface's form, `to` exclusive. */
export interface TrailQuery {
  patientId?: string | undefined
  /** Only events that showed or changed patients. */
  isOfPatients?: boolean | undefined
  userId?: string | undefined
  /** `patients.get`, or `patients` for all of that group. */
  operation?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** Only events before this one. */
  before?: { number: number; place: number } | undefined
}

const BLOCKS_AT_A_TIME = 20
/** A block may be a quarter of a megabyte. */
const BLOCKS_BYTES = 1024 * 1024
/**
 * A statement searches the text of no more blocks than this. No index has the texts, so that one statement for a rare operation would read the whole
 * trail: it would hold a connection for as long, and of a long trail reach the time limit. decisions/0056-names-and-the-trail.md
 */
export const BLOCKS_SEARCHED = 500

/** The first matching events, newest first. Events that should be found must have been flushed before. */
export async function readTrail(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  { limit, ...query }: TrailQuery & { limit: number },
): Promise<AuditEvent[]> {
  const found: AuditEvent[] = []
  for await (const events of eventsOfTrail(database, organizationId, query)) {
    found.push(...events)
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** The matching events, newest first: those of one block after the other, which may be none. */
export async function* eventsOfTrail(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  query: TrailQuery,
): AsyncGenerator<AuditEvent[]> {
  for (const stretch of await stretchesOf(database, organizationId, query))
    yield* eventsOfStretch(database, organizationId, query, stretch)
}

/** The blocks with these numbers, both inclusive; all below `upTo` without `from`. */
interface Stretch {
  from?: number
  upTo: number | undefined
}

/** The parts of a trail that are read one after the other, newest first: all of it where an index finds the blocks. */
async function stretchesOf(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  { patientId, userId, operation, before }: TrailQuery,
): Promise<Iterable<Stretch>> {
  const isText = patientId === undefined && (userId !== undefined || operation !== undefined)
  if (!isText) return [{ upTo: before?.number }]
  const [ends] = await database.rows('select min(number), max(number) from audit_block where organization_id = $1', [
    organizationId,
  ])
  const [first, last] = [Number(ends?.[0] ?? 0), Number(ends?.[1] ?? 0)]
  return stretchesBetween(first, Math.min(last, before?.number ?? last))
}

function* stretchesBetween(first: number, last: number): Generator<Stretch> {
  for (let upTo = last; upTo >= first; upTo -= BLOCKS_SEARCHED) yield { from: upTo - BLOCKS_SEARCHED + 1, upTo }
}

async function* eventsOfStretch(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  query: TrailQuery,
  stretch: Stretch,
): AsyncGenerator<AuditEvent[]> {
  let { upTo } = stretch
  for (let isLast = false; !isLast; ) {
    const blocks = await readBlocks(database, organizationId, query, { ...stretch, upTo })
    for (const [number, text] of blocks) {
      await takeTurn(organizationId)
      yield eventsOfBlock(Number(number), text ?? '[]', query)
    }
    isLast = !blocks.isCut && blocks.length < BLOCKS_AT_A_TIME
    upTo = Number(blocks.at(-1)?.[0]) - 1
  }
}

function eventsOfBlock(number: number, text: string, query: TrailQuery): AuditEvent[] {
  const events = JSON.parse(text) as StoredAuditEvent[]
  const last = number === query.before?.number ? query.before.place : events.length
  const placed = events.slice(0, last).map((event, place) => ({ event, place }))
  const wanted = placed.filter(({ event }) => isWanted(event, query)).reverse()
  return wanted.map(({ event, place }) => ({ id: `${number}-${place}`, ...event }))
}

function isWanted(event: StoredAuditEvent, query: TrailQuery): boolean {
  const { patientId, isOfPatients = false, userId, operation, from, to } = query
  const { at, patient_ids = [] } = event
  return (
    (!isOfPatients || patient_ids.length > 0) &&
    (userId === undefined || event.user_id === userId) &&
    (operation === undefined || event.operation === operation || event.operation.startsWith(`${operation}.`)) &&
    (patientId === undefined || patient_ids.includes(patientId)) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to)
  )
}

/** `"name":"value` as the text of a block has it. */
const beginningOf = (name: keyof StoredAuditEvent, value: string | undefined) =>
  value === undefined ? undefined : `"${name}":${JSON.stringify(value).slice(0, -1)}`

async function readBlocks(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  { patientId, isOfPatients, userId, operation, from, to }: TrailQuery,
  stretch: Stretch,
): Promise<TextRows> {
  const values: unknown[] = [organizationId]
  const conditions = [
    ['patient_ids @> array[?::uuid]', patientId],
    ['(patient_ids <> array[]::uuid[]) = ?', isOfPatients || undefined],
    // Skips blocks without such an event; `isWanted` selects the events within a block.
    [`position(?::text || '"' in events) > 0`, beginningOf('user_id', userId)],
    [
      `(position(?::text || '"' in events) > 0 or position(?::text || '.' in events) > 0)`,
      beginningOf('operation', operation),
    ],
    ['last_at >= ?::timestamptz', from],
    ['first_at < ?::timestamptz', to],
    ['number <= ?::bigint', stretch.upTo],
    ['number >= ?::bigint', stretch.from],
  ] as const
  const given = conditions.flatMap(([sql, value]) => {
    if (value === undefined) return []
    values.push(value)
    return [`and ${sql.replaceAll('?', `$${values.length}`)}`]
  })
  const text = `select number, events from audit_block where organization_id = $1 ${given.join(' ')}
    order by number desc limit ${BLOCKS_AT_A_TIME}`
  return database.rows({ text, maxBytes: BLOCKS_BYTES }, values)
}
