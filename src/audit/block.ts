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
/** A list's event names the patients of a page, which is some 40 KB at most; an event that is longer has a block of its own. */
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

/** Events, oldest first, as the blocks that come after `head`. */
export function chainEvents(key: Buffer, organizationId: string, head: Head, events: StoredAuditEvent[]): AuditBlock[] {
  const blocks: AuditBlock[] = []
  let last = head
  for (const { part, text } of partsOf(events.toSorted((one, other) => (one.at < other.at ? -1 : 1)))) {
    const place = { number: last.number + 1, previousHash: last.hash, events: text }
    const block = { ...place, ...summaryOf(part), hash: hashBlock(key, organizationId, place) }
    blocks.push(block)
    last = block
  }
  return blocks
}

function* partsOf(events: StoredAuditEvent[]): Generator<{ part: StoredAuditEvent[]; text: string }> {
  let [part, texts, length]: [StoredAuditEvent[], string[], number] = [[], [], 0]
  for (const event of events) {
    const text = JSON.stringify(event)
    if (part.length > 0 && (part.length === EVENTS_A_BLOCK || length + text.length > BLOCK_CHARACTERS)) {
      yield { part, text: `[${texts.join(',')}]` }
      ;[part, texts, length] = [[], [], 0]
    }
    part.push(event)
    texts.push(text)
    length += text.length
  }
  if (part.length > 0) yield { part, text: `[${texts.join(',')}]` }
}
