import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type JsonObject, objectsOf, textOf } from '../../json-values.ts'
import type { Answered } from '../answer-core.ts'
import { findPatient, findPayer } from '../find-member.ts'
import { replyUnknownPayer } from '../replies.ts'
import type { Roster } from '../roster.ts'
import { answerInJson, toInquiry } from './answer-eligibility.ts'
import { checkEligibilityInput } from './check-input.ts'
import { replyWithFaults, replyWithJson, replyWithMessage } from './json-replies.ts'

const BATCH_MAX = 10_000
const PAGE_SIZE = 10
const PAGE_SIZE_MAX = 200
/** A page larger than this goes out compressed only. */
const PLAIN_PAGE_SIZE_MAX = 20
/** Batches are forgotten, the oldest first. */
const MAX_BATCHES = 100

interface BatchedItem {
  body: JsonObject
  index: number
  /** Milliseconds since 1970; infinite for those who are never answered. */
  readyAt: number
}

interface Batch {
  id: string
  name: string
  submittedAt: Date
  /** In the order in which they are answered. */
  items: BatchedItem[]
}

export interface Batches {
  submit(body: JsonObject, at: Date): Answered
  describe(batchId: string, at: Date): Answered
  poll(query: URLSearchParams, acceptsGzip: boolean, at: Date): Answered
}

/** Checks that are answered when they are polled for; slow members later than the others. Source: clearinghouse.md A5. */
export function createBatches(roster: Roster): Batches {
  const batches = new Map<string, Batch>()
  const unknown = (): Answered => ({
    outcome: 'unknown batch',
    reply: replyWithMessage(404, 'ResourceNotFoundException', 'No such batch'),
  })

  return {
    submit(body, at) {
      const items = objectsOf(body.items)
      const faults = checkBatch(body, items)
      if (faults.length > 0) return { outcome: 'input faults', reply: replyWithFaults(faults) }
      const batchId = randomUUID()
      batches.set(batchId, {
        id: batchId,
        name: textOf(body.name) ?? batchId,
        submittedAt: at,
        items: items.map((item, index) => open(roster, item, index, at)).sort((a, b) => a.readyAt - b.readyAt),
      })
      for (const oldest of batches.keys()) if (batches.size > MAX_BATCHES) batches.delete(oldest)
      return { outcome: 'batch taken', reply: replyWithJson(200, { batchId, submittedAt: at.toISOString() }) }
    },

    describe(batchId, at) {
      const batch = batches.get(batchId)
      return batch ? { outcome: 'batch', reply: replyWithJson(200, describeBatch(batch, at)) } : unknown()
    },

    poll(query, acceptsGzip, at) {
      const batch = batches.get(query.get('batchId') ?? '')
      return batch ? pollBatch(roster, batch, { query, acceptsGzip, at }) : unknown()
    },
  }
}

function pollBatch(
  roster: Roster,
  batch: Batch,
  { query, acceptsGzip, at }: { query: URLSearchParams; acceptsGzip: boolean; at: Date },
): Answered {
  const size = Number(query.get('pageSize') ?? PAGE_SIZE)
  const start = Number(query.get('pageToken') ?? 0)
  if (!(size >= 1 && size <= PAGE_SIZE_MAX) || !(start >= 0) || (size > PLAIN_PAGE_SIZE_MAX && !acceptsGzip))
    return { outcome: 'input faults', reply: replyWithFaults([{ path: '/pageSize', message: 'No such page' }]) }
  const answered = answeredBy(batch, at)
  const items = answered.slice(start, start + size).map(({ body }) => answerItem(roster, batch, body, at))
  const end = start + items.length
  const page = replyWithJson(200, { items, ...(end < answered.length && { nextPageToken: String(end) }) })
  if (size <= PLAIN_PAGE_SIZE_MAX) return { outcome: 'batch page', reply: page }
  const headers = { ...page.headers, 'content-encoding': 'gzip' }
  return { outcome: 'batch page', reply: { ...page, headers, body: gzipSync(page.body) } }
}

function describeBatch(batch: Batch, at: Date): JsonObject {
  const { id, name, submittedAt, items } = batch
  const successCount = answeredBy(batch, at).length
  const inProgressCount = items.length - successCount
  const status = inProgressCount > 0 ? 'IN_PROGRESS' : 'COMPLETED'
  const counts = { totalCount: items.length, successCount, errorCount: 0, inProgressCount }
  return { id, name, source: 'API', status, ...counts, createdAt: submittedAt.toISOString() }
}

function checkBatch(body: JsonObject, items: JsonObject[]) {
  const given = Array.isArray(body.items) ? body.items.length : 0
  if (given < 1 || given > BATCH_MAX || given !== items.length)
    return [{ path: '/items', message: `Member must have 1 to ${BATCH_MAX} checks` }]
  return items.flatMap((item, index) => {
    const faults = checkEligibilityInput(item)
    if (textOf(item.submitterTransactionIdentifier) === undefined)
      faults.push({ path: '/submitterTransactionIdentifier', message: 'Member must not be null' })
    return faults.map(({ path, message }) => ({ path: `/items/${index}${path}`, message }))
  })
}

function open(roster: Roster, body: JsonObject, index: number, at: Date): BatchedItem {
  const inquiry = toInquiry(body, at)
  const payer = findPayer(roster, inquiry.payer.id)
  const answer = payer && findPatient(roster, payer, inquiry).member?.answer
  const delayMs = answer?.instead === 'nothing' ? Number.POSITIVE_INFINITY : (answer?.afterMs ?? 0)
  return { body, index, readyAt: at.getTime() + delayMs }
}

function answeredBy(batch: Batch, at: Date): BatchedItem[] {
  return batch.items.filter(({ readyAt }) => readyAt <= at.getTime())
}

function answerItem(roster: Roster, batch: Batch, body: JsonObject, at: Date): JsonObject {
  const { submitterTransactionIdentifier } = body
  const ids = { batchId: batch.id, batchName: batch.name, submitterTransactionIdentifier }
  const answered = answerInJson(roster, toInquiry(body, at), at)
  if (answered.kind === 'unknown-payer') return { ...JSON.parse(replyUnknownPayer().body.toString()), ...ids }
  const { instead } = answered.behaviour
  if (!instead || instead === 'another-patient') return { ...answered.json, ...ids }
  return { ...ids, status: 'ERROR', errors: [{ description: 'The payer could not be asked' }] }
}
