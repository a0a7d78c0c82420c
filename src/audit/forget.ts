// Retention: the oldest blocks go, and the trail says so itself. Source: 45 CFR 164.316(b)(2)(i): six years.
import type { Database, WholeDatabase } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { administer } from './administration.ts'

/**
 * Removes the blocks whose last event is older than an instant, the newest block never, and returns how many. The removal is an event of
 * the trail, without which verification would miss them.
 * @throws StartupError when the login does not own the trail; the role of the service (anteroom_app) may not remove anything.
 */
export async function forgetTrail(database: WholeDatabase, organizationId: string, before: string): Promise<number> {
  const { removed } = await administer(
    database,
    'audit forget',
    (transaction) => removeBlocks(transaction, organizationId, before),
    ({ through }) => ({ organizationId, through }),
  ).catch((error: Error & { code?: string }) => {
    if (error.code !== '42501') throw error
    throw new StartupError('only the owner of the tables may remove a part of the audit trail', { cause: error })
  })
  return removed
}

async function removeBlocks(transaction: Database, organizationId: string, before: string) {
  const row = await transaction.row(
    `select coalesce(max(number), 0) from audit_block b where organization_id = $1 and last_at < $2::timestamptz
      and number < (select max(number) from audit_block where organization_id = $1)
      and not exists (select from audit_block l where l.organization_id = $1 and l.number < b.number and l.last_at >= $2::timestamptz)`,
    [organizationId, before],
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
