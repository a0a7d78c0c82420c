// Whether a trail is what was written: every block in its place, unchanged, and none missing. decisions/0013-audit-trail.md
import type { Database, SystemDatabase, TextRow } from '../database/database.ts'
import { instant } from '../database/instant.ts'
import { type AuditBlock, hashBlock, summaryOf } from './block.ts'
import type { StoredAuditEvent } from './event.ts'

/** A place where a trail is not what was written. */
interface TrailFault {
  /** Of the block; of the one that is missing. */
  number: number
  fault: string
}

export interface TrailVerdict {
  blocks: number
  events: number
  /** Events of writes that wait to be chained. */
  waiting: number
  /** Of the last block: kept elsewhere, it shows later whether anything before it has gone. */
  head: string
  faults: TrailFault[]
}

const BLOCKS_AT_A_TIME = 50

/**
 * Reads the whole trail of an organization. `expected` is a head that was noted earlier: it must be in the trail still.
 * Only who has the key can tell; whoever has the database alone can make no block that passes.
 */
export async function verifyTrail(
  database: SystemDatabase,
  key: Buffer,
  organizationId: string,
  expected?: string,
): Promise<TrailVerdict> {
  const walk: Walk = { last: undefined, forgottenThrough: 0, isExpectedSeen: false, events: 0, blocks: 0, faults: [] }
  let first: number | undefined
  // Everything that this looks at is as it was at one moment, whatever is being written. Under row-level security a transaction begins with a
  // statement of its own, which comes too late for this.
  return database.transaction(async (transaction) => {
    await transaction.rows('set transaction isolation level repeatable read')
    for await (const block of blocksOf(transaction, organizationId)) {
      first ??= block.number
      step(walk, key, organizationId, block)
      if (block.hash === expected) walk.isExpectedSeen = true
    }
    if (first !== undefined && first > 1 && walk.forgottenThrough < first - 1) {
      walk.faults.unshift({ number: 1, fault: `blocks 1 to ${first - 1} are missing` })
    }
    await compareHead(transaction, organizationId, walk)
    if (expected !== undefined && !walk.isExpectedSeen) {
      walk.faults.push({ number: (walk.last?.number ?? 0) + 1, fault: 'the block with the expected hash is not there' })
    }
    const [waiting] = (await transaction.row(waitingStatement, [organizationId])) ?? []
    const { blocks, events, faults } = walk
    return { blocks, events, waiting: Number(waiting), head: walk.last?.hash ?? '', faults }
  })
}

interface Walk {
  last: AuditBlock | undefined
  /** Up to where the trail itself says that it was forgotten. */
  forgottenThrough: number
  isExpectedSeen: boolean
  events: number
  blocks: number
  faults: TrailFault[]
}

function step(walk: Walk, key: Buffer, organizationId: string, block: AuditBlock): void {
  const { last, faults } = walk
  const { number } = block
  if (last && number !== last.number + 1) {
    faults.push({ number: last.number + 1, fault: `blocks ${last.number + 1} to ${number - 1} are missing` })
  } else if (block.previousHash !== (last?.hash ?? (number === 1 ? '' : block.previousHash))) {
    faults.push({ number, fault: 'the block does not follow the one before it' })
  }
  const isOurs = hashBlock(key, organizationId, block) === block.hash
  if (!isOurs) faults.push({ number, fault: 'the block was changed' })
  const events = readEvents(block)
  if (isOurs && !hasItsSummary(block, events)) faults.push({ number, fault: 'what the block is found by was changed' })
  for (const { operation, through = 0 } of isOurs ? events : []) {
    if (PRUNING.has(operation)) walk.forgottenThrough = Math.max(walk.forgottenThrough, through)
  }
  walk.last = block
  walk.blocks++
  walk.events += events.length
}

/** What removes the oldest blocks, which the trail says itself, and its earlier name. */
const PRUNING: ReadonlySet<string> = new Set(['command.audit prune', 'command.audit forget'])

function readEvents({ events }: AuditBlock): StoredAuditEvent[] {
  try {
    const parsed: unknown = JSON.parse(events)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

function hasItsSummary(block: AuditBlock, events: StoredAuditEvent[]): boolean {
  const { firstAt, lastAt, size, patientIds } = summaryOf(events)
  const kept = [block.firstAt, block.lastAt, block.size, block.patientIds.toSorted()]
  return JSON.stringify(kept) === JSON.stringify([firstAt, lastAt, size, patientIds.sort()])
}

/** The head says where the trail ends: a tail that was cut off, or a head that was moved. */
async function compareHead(transaction: Database, organizationId: string, { last, faults }: Walk): Promise<void> {
  const row = await transaction.row('select number, hash from audit_head where organization_id = $1', [organizationId])
  const [number = '0', hash = ''] = row ?? []
  if (Number(number) === (last?.number ?? 0) && hash === (last?.hash ?? '')) return
  faults.push({ number: (last?.number ?? 0) + 1, fault: `the trail should end with block ${number}` })
}

const waitingStatement = 'select count(*) from audit_pending where organization_id = $1'

const blocksStatement = {
  name: 'audit_blocks',
  text: `select number, ${instant('first_at')}, ${instant('last_at')}, size,
      to_json(patient_ids), events, previous_hash, hash
    from audit_block where organization_id = $1 and number > $2::bigint order by number limit ${BLOCKS_AT_A_TIME}`,
}

async function* blocksOf(transaction: Database, organizationId: string): AsyncGenerator<AuditBlock> {
  let after = '-1'
  for (;;) {
    const rows = await transaction.rows(blocksStatement, [organizationId, after])
    for (const row of rows) yield toBlock(row)
    if (rows.length < BLOCKS_AT_A_TIME) return
    after = rows.at(-1)?.[0] ?? after
  }
}

function toBlock(row: TextRow): AuditBlock {
  const [number, firstAt = '', lastAt = '', size, patients = '[]', events = '[]', previousHash = '', hash = ''] = row
  const patientIds = JSON.parse(patients)
  return { number: Number(number), firstAt, lastAt, size: Number(size), patientIds, events, previousHash, hash }
}
