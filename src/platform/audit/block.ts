// Blocks of the trail and what chains them. Source: decisions/0013-audit-trail.md.
import { createHmac } from 'node:crypto'
import type { StoredAuditEvent } from './event.ts'

/** A block as the table has it. */
export interface AuditBlock {
  number: number
  firstAt: string
  lastAt: string
  size: number
  patientIds: string[]
  /** A JSON array, byte for byte what was hashed. */
  events: string
  previousHash: string
  hash: string
}

/** What the next block stands on; of an empty trail `{ number: 0, hash: '' }`. */
export interface Head {
  number: number
  hash: string
}

const EVENTS_A_BLOCK = 250
/** A page of the longest list. An event that names more is chained as several, so that no block grows with an organization. */
export const PATIENTS_A_BLOCK = 1000
/** An event that is longer has a block of its own. */
const BLOCK_CHARACTERS = 256 * 1024

/** HMAC-SHA-256 over whose trail it is, the place, the hash before and the events: hexadecimal. */
export function hashBlock(
  key: Buffer,
  organizationId: string,
  block: Pick<AuditBlock, 'number' | 'previousHash' | 'events'>,
): string {
  // None of the first three holds a line break, so no two blocks make the same text.
  const place = `${organizationId}\n${block.number}\n${block.previousHash}\n`
  return createHmac('sha256', key).update(place).update(block.events).digest('hex')
}

/** The columns that follow from a block's events: what a query looks at must say the same as what is hashed. */
export function summaryOf(events: StoredAuditEvent[]): Pick<AuditBlock, 'firstAt' | 'lastAt' | 'size' | 'patientIds'> {
  let [firstAt = '', lastAt = ''] = [events[0]?.at, events[0]?.at]
  const patientIds = new Set<string>()
  for (const { at, patient_ids } of events) {
    if (at < firstAt) firstAt = at
    if (at > lastAt) lastAt = at
    for (const id of patient_ids ?? []) patientIds.add(id)
  }
  return { firstAt, lastAt, size: events.length, patientIds: [...patientIds] }
}

/** Events, oldest first, as the blocks that come after `head`: each is made when it is asked for, as thousands of events take long. */
export function* chainEvents(
  key: Buffer,
  organizationId: string,
  head: Head,
  events: StoredAuditEvent[],
): Generator<AuditBlock> {
  let last = head
  const inOrder = events.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  for (const { part, text } of partsOf(inOrder)) {
    const place = { number: last.number + 1, previousHash: last.hash, events: text }
    const block = { ...place, ...summaryOf(part), hash: hashBlock(key, organizationId, place) }
    yield block
    last = block
  }
}

/**
 * An event as several that say the same of no more patients than a block may name. More record ids than that are in the first only:
 * what writes so many records leaves an event for each thousand of them (pending.ts), so these waited through an upgrade.
 */
function inPages(event: StoredAuditEvent): StoredAuditEvent[] {
  const { patient_ids: ids = [], record_ids = [] } = event
  if (ids.length <= PATIENTS_A_BLOCK) return [event]
  const { record_ids: _, ...bare } = event
  const repeated = record_ids.length > PATIENTS_A_BLOCK ? bare : event
  return Array.from({ length: Math.ceil(ids.length / PATIENTS_A_BLOCK) }, (_, page) => ({
    ...(page === 0 ? event : repeated),
    patient_ids: ids.slice(page * PATIENTS_A_BLOCK, (page + 1) * PATIENTS_A_BLOCK),
  }))
}

function* pagesOf(events: StoredAuditEvent[]): Generator<StoredAuditEvent> {
  for (const event of events) yield* inPages(event)
}

function* partsOf(events: StoredAuditEvent[]): Generator<{ part: StoredAuditEvent[]; text: string }> {
  let [part, texts, length, patients]: [StoredAuditEvent[], string[], number, Set<string>] = [[], [], 0, new Set()]
  for (const event of pagesOf(events)) {
    const text = JSON.stringify(event)
    const added = (event.patient_ids ?? []).filter((id) => !patients.has(id))
    const isFull = part.length === EVENTS_A_BLOCK || patients.size + added.length > PATIENTS_A_BLOCK
    if (part.length > 0 && (isFull || length + text.length > BLOCK_CHARACTERS)) {
      yield { part, text: `[${texts.join(',')}]` }
      ;[part, texts, length, patients] = [[], [], 0, new Set()]
    }
    part.push(event)
    texts.push(text)
    length += text.length
    for (const id of event.patient_ids ?? []) patients.add(id)
  }
  if (part.length > 0) yield { part, text: `[${texts.join(',')}]` }
}
