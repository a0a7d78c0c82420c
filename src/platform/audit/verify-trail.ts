// Verifies a trail: every block is in its place, unchanged, and none is missing. decisions/0013-audit-trail.md
import type { Database, SystemDatabase, TextRow } from '../database/database.ts'
import { instant } from '../database/instant.ts'
import { type AuditBlock, hashBlock, summaryOf } from './block.ts'
import type { StoredAuditEvent } from './event.ts'

/** A place where a trail is not intact. */
interface TrailFault {
  /** The number of the block, or of the missing block. */
  number: number
  fault: string
}

export interface TrailVerdict {
  blocks: number
  events: number
  /** The number of events of writes waiting to be chained. */
  waiting: number
  /** The hash of the last block. Kept elsewhere, it later proves whether an earlier block was removed. */
  head: string
  faults: TrailFault[]
}

const BLOCKS_AT_A_TIME = 50

/**
 * Reads the complete trail of an organization. `expected` is a head from an earlier verification, which the trail must
 * still contain. Verification needs the key: a valid block cannot be created with the database alone.
 */
export async function verifyTrail(
  database: SystemDatabase,
  key: Buffer,
  organizationId: string,
  expected?: string,
): Promise<TrailVerdict> {
  const walk: Walk = { last: undefined, forgottenThrough: 0, isExpectedSeen: false, events: 0, blocks: 0, faults: [] }
  let first: number | undefined
  // All reads see the trail at one moment, regardless of concurrent writes. Not with row-level security: its
  // transactions start with a statement of their own, after which the isolation level can no longer be set.
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
      walk.faults.push({ number: (walk.last?.number ?? 0) + 1, fault: 'the block with the expected hash is missing' })
    }
    const [waiting] = (await transaction.row(waitingStatement, [organizationId])) ?? []
    const { blocks, events, faults } = walk
    return { blocks, events, waiting: Number(waiting), head: walk.last?.hash ?? '', faults }
  })
}

interface Walk {
  last: AuditBlock | undefined
  /** The last block that the trail itself records as pruned. */
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
  if (!isOurs) faults.push({ number, fault: 'the block was altered' })
  const events = readEvents(block)
  if (isOurs && !hasItsSummary(block, events))
    faults.push({ number, fault: 'the searchable columns of the block were altered' })
  for (const { operation, through = 0 } of isOurs ? events : []) {
    if (PRUNING.has(operation)) walk.forgottenThrough = Math.max(walk.forgottenThrough, through)
  }
  walk.last = block
  walk.blocks++
  walk.events += events.length
}

/** The operation that removes the oldest blocks, under its current and its earlier name. */
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

/** The head states where the trail ends: this detects a removed tail, or a head that was moved. */
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
