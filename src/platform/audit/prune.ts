// Retention: removes the oldest blocks, and records the removal in the trail itself. Source: 45 CFR 164.316(b)(2)(i):
// six years.
import type { Database, SystemDatabase } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { administer } from './administration.ts'

/** A step blocks all writes to the trail, which is brief with blocks of a few hundred kilobytes. */
const BLOCKS_AT_A_TIME = 200

/**
 * Removes the blocks whose last event is older than an instant, but never the newest block, and returns how many. Each
 * step is committed with its audit event, without which verification would report missing blocks. When it is
 * interrupted, the completed steps stay and the next call continues. `afterStep` may chain the event and report progress.
 * @throws StartupError when the login does not own the trail; the service's role (anteroom_app) may not remove anything.
 */
export async function pruneTrail(
  database: SystemDatabase,
  organizationId: string,
  before: string,
  afterStep: (removed: number) => Promise<void> = async () => {},
): Promise<number> {
  const last = await patiently(database, (transaction) => lastToRemove(transaction, organizationId, before))
  let removed = 0
  for (;;) {
    const step = await removeStep(database, organizationId, last)
    removed += step.removed
    await afterStep(removed)
    if (step.through >= last) return removed
  }
}

/** The last block before the first one that stays. */
async function lastToRemove(transaction: Database, organizationId: string, before: string): Promise<number> {
  const row = await transaction.row(
    `select least(
        (select number from audit_block where organization_id = $1 and last_at >= $2::timestamptz order by number limit 1),
        (select max(number) from audit_block where organization_id = $1)) - 1`,
    [organizationId, before],
  )
  return Number(row?.[0] ?? 0)
}

function removeStep(database: SystemDatabase, organizationId: string, last: number) {
  return administer(
    database,
    'audit prune',
    (transaction) => removeBlocks(transaction, organizationId, last),
    ({ through }) => ({ organizationId, through }),
  ).catch((error: Error & { code?: string }) => {
    if (error.code !== '42501') throw error
    throw new StartupError('only the owner of the tables may prune the audit trail', { cause: error })
  })
}

/** Removes the oldest blocks up to `last`, at most one step's worth. */
async function removeBlocks(transaction: Database, organizationId: string, last: number) {
  await transaction.rows('set local statement_timeout = 0')
  const row = await transaction.row(
    'select least($2::bigint, min(number) + $3::bigint - 1) from audit_block where organization_id = $1',
    [organizationId, last, BLOCKS_AT_A_TIME],
  )
  const through = Number(row?.[0] ?? 0)
  await transaction.rows('alter table audit_block disable trigger audit_block_append_only')
  const removed = await transaction.rows(
    'delete from audit_block where organization_id = $1 and number <= $2 returning number',
    [organizationId, through],
  )
  await transaction.rows('alter table audit_block enable trigger audit_block_append_only')
  return { through, removed: removed.length }
}

/** Without a statement timeout: scanning a long trail takes longer than a request may. */
function patiently<T>(database: SystemDatabase, work: (transaction: Database) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.rows('set local statement_timeout = 0')
    return work(transaction)
  })
}
