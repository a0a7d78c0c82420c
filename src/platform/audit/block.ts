// The blocks of the audit trail, and how they are chained. Source: decisions/0013-audit-trail.md.
import { createHmac } from 'node:crypto'
import type { StoredAuditEvent } from './event.ts'

/** A block as its table stores it. */
export interface AuditBlock {
  number: number
  firstAt: string
  lastAt: string
  size: number
  patientIds: string[]
  /** A JSON array, byte for byte the text that was hashed. */
  events: string
  previousHash: string
  hash: string
}

/** The last block of a trail, which the next one refers to; `{ number: 0, hash: '' }` for an empty trail. */
interface Head {
  number: number
  hash: string
}

const EVENTS_A_BLOCK = 250
/**
 * A page of the longest list. An event that names more patients is chained as several, so that no block grows with its
 * organization.
 */
export const PATIENTS_A_BLOCK = 1000
/** A longer event gets a block of its own. */
const BLOCK_CHARACTERS = 256 * 1024

/** HMAC-SHA-256 over the organization, the position, the previous hash and the events, in hexadecimal. */
export function hashBlock(
  key: Buffer,
  organizationId: string,
  block: Pick<AuditBlock, 'number' | 'previousHash' | 'events'>,
): string {
  // None of the first three contains a line break, so two different blocks never give the same text.
  const place = `${organizationId}\n${block.number}\n${block.previousHash}\n`
  return createHmac('sha256', key).update(place).update(block.events).digest('hex')
}

/**
 * The columns derived from a block's events: verification compares them, because queries rely on them and only the
 * events are hashed.
 */
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

/**
 * Packs events, oldest first, into the blocks that follow `head`. Each block is built on demand, because thousands of
 * events take long.
 */
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
 * Splits an event into several that repeat its facts, each with no more patients than a block may name. A long list of
 * record ids stays with the first only: a large write leaves one event per thousand records (pending.ts), so a longer
 * list is from before an upgrade.
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
