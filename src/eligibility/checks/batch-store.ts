// Batches of checks: stored in one call, answered by the queue. Source: rules.md 13.6; clearinghouse.md A5.

import type { Actor } from '../../contract/actor.ts'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../deps.ts'
import { auditContextText, markAudited } from '../../platform/audit/audit-context.ts'
import { eventOf } from '../../platform/audit/pending.ts'
import type { Statement } from '../../platform/database/database.ts'
import { AS_ROWS, instant } from '../../platform/database/instant.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { foundOrStored, idOfSame } from '../../records/once.ts'
import { failedCheck } from '../answers/outcome.ts'
import type { CheckRequest } from '../inquiries/check-inquiry.ts'
import { checkKey } from './check-request.ts'
import { encryptedRequest } from './check-store.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/** One check of a batch: the inquiry, or why it cannot be sent. */
export type BatchItem =
  | { request: EligibilityRequest; asked: CheckRequest }
  | { request: EligibilityRequest; fault: string; field?: string }

const batchStatement = {
  name: 'eligibility_batch_create',
  text: `with ${eventOf({ type: 'eligibility_batch', auditContext: '$6', ids: 'array[$2::uuid::text]' })}
    insert into eligibility_batch (organization_id, id, submitted_at, user_id, size) values ($1, $2, $3, $4, $5)`,
}

const itemsStatement = {
  name: 'eligibility_batch_items',
  text: `with stored as (insert into eligibility_check (organization_id, id, batch_id, batch_index, initiated_at, user_id, status, attempt,
      request, request_key, date_of_service, errors, completed_at)
    select $1, item.id, $2, item.index, $3, $4, case when item.errors is null then 'PENDING' else 'FAILED' end, 0,
      item.request, decode(item.key, 'hex'), item.day, item.errors, case when item.errors is null then null else $3::timestamptz end
    from jsonb_to_recordset($5::jsonb) as item (id uuid, index integer, request jsonb, key text, day text, errors json) ${AS_ROWS})
    select count(*) from stored`,
}

/** A statement is built and sent as a whole, so its size bounds how long other work waits. */
const STATEMENT_CHARACTERS = 500_000

interface Batch {
  batch_id: string
  submitted_at: string
}

/** Stores a batch, all or nothing; invalid items are answered immediately with their faults. */
export async function storeBatch(
  deps: Needs,
  actor: Actor,
  items: BatchItem[],
  batchId = deps.newId(),
): Promise<Batch> {
  const submittedAt = deps.now().toISOString()
  const batch = [actor.organizationId, batchId, submittedAt, actor.userId]
  // All texts are prepared before the transaction begins, to keep it short.
  const statements = await inStatements(deps, actor, items)
  await deps.database.transaction(async (database) => {
    await database.rows(batchStatement, [...batch, items.length, auditContextText(actor, 'eligibility_batch.create')])
    for (const rows of statements) await database.rows(itemsStatement, [...batch, rows])
  })
  markAudited(actor)
  return { batch_id: batchId, submitted_at: submittedAt }
}

/** The rows of a batch as JSON arrays of bounded length. */
async function inStatements(deps: Needs, actor: Actor, items: BatchItem[]): Promise<string[]> {
  const statements: string[] = []
  let rows: string[] = []
  let characters = 0
  for (const [index, item] of items.entries()) {
    await takeTurn(actor.organizationId)
    const id = deps.newId()
    const row = toRow(deps, { organizationId: actor.organizationId, id }, item, index)
    rows.push(row)
    characters += row.length
    if (characters > STATEMENT_CHARACTERS || index === items.length - 1) {
      statements.push(`[${rows.join(',')}]`)
      rows = []
      characters = 0
    }
  }
  return statements
}

/** The row as a JSON text; the request in it is a JSON text already. */
function toRow(deps: Needs, check: { organizationId: string; id: string }, item: BatchItem, index: number): string {
  const row = (request: string, others: object) =>
    `{"request":${request},${JSON.stringify({ id: check.id, index, ...others }).slice(1)}`
  if ('fault' in item) {
    const details = { ...(item.field && { field: item.field }), description: item.fault, location: `item ${index}` }
    const { errors } = failedCheck({ code: 'INVALID_REQUEST', ...details }, 'CANDID')
    return row(JSON.stringify(item.request), { errors })
  }
  const { asked, request } = item
  return row(encryptedRequest(deps, check, request), {
    key: checkKey(asked).toString('hex'),
    day: asked.dateOfService,
  })
}

/**
 * Runs `store` with the id of a batch, unless the caller has sent the same content with the same key before: then that batch is the answer,
 * also while it is being stored. decisions/0146-a-batch-that-is-sent-twice.md
 */
export function storeOnce(
  deps: Needs,
  actor: Actor,
  { key, content }: { key: string; content: readonly Buffer[] },
  store: (batchId: string) => Promise<Batch>,
): Promise<Batch> {
  const id = idOfSame(actor, key, content)
  return foundOrStored(
    () => findBatch(deps, actor, id),
    () => store(id),
  )
}

const knownStatement: Statement = {
  name: 'eligibility_batch_known',
  text: `select ${instant('submitted_at')} from eligibility_batch where organization_id = $1 and id = $2`,
}

/** Undefined when the organization has none with that id. */
export async function findBatch(deps: Needs, actor: Actor, batchId: string): Promise<Batch | undefined> {
  const row = await deps.database.row(knownStatement, [actor.organizationId, batchId])
  return row && { batch_id: batchId, submitted_at: row[0] ?? '' }
}
