import type { BatchItem, BatchOptions, BatchPage, BatchResult, PollOptions } from '../clearinghouse.ts'
import { ClearinghouseError } from '../clearinghouse.ts'
import { toError } from '../failures.ts'
import { type JsonObject, objectsOf, textOf } from '../json-values.ts'
import type { StediExchange } from './exchange.ts'
import { takeJson, takeObject } from './take-answer.ts'
import { writeRequest } from './write-request.ts'

/** Source: clearinghouse.md A5. */
export const BATCH_MAX = 10_000
const PAGE_SIZE_MAX = 200

/**
 * Hands over questions to be asked in the background. One that Stedi finds fault with refuses them all.
 * @throws ClearinghouseError, `BatchSize` before anything is sent when there are none or too many. Source: clearinghouse.md A5.
 */
export async function submitBatch(
  exchange: StediExchange,
  items: readonly BatchItem[],
  options: BatchOptions & { url: string; payerIds?: Readonly<Record<string, string>> },
): Promise<{ batchId: string; submittedAt?: string }> {
  const { url, at, name, maxRetryHours, payerIds, signal } = options
  if (items.length < 1 || items.length > BATCH_MAX) {
    const message = `A batch holds 1 to ${BATCH_MAX} checks`
    throw toError({ code: 'BatchSize', retryable: false, message })
  }
  const body: JsonObject = {
    ...(name !== undefined && { name }),
    ...(maxRetryHours !== undefined && { maxRetryHours }),
    items: items.map(({ inquiry, submitterTransactionIdentifier, portal }) => ({
      ...writeRequest(inquiry, { at, ...(portal && { portal }), ...(payerIds && { payerIds }) }),
      submitterTransactionIdentifier,
    })),
  }
  const call = { method: 'POST', url: `${url}/eligibility-manager/batch-eligibility`, body } as const
  const json = takeJson(await exchange({ ...call, ...(signal && { signal }) }), at)
  const batchId = textOf(json.batchId)
  if (batchId === undefined) throw withoutId()
  const submittedAt = textOf(json.submittedAt)
  return submittedAt === undefined ? { batchId } : { batchId, submittedAt }
}

/**
 * One page of what is answered by now. Items appear as they finish, each once, in the order in which they did.
 * @throws ClearinghouseError when the page itself fails; a single item's failure stands in its place.
 */
export async function pollBatch(
  exchange: StediExchange,
  batchId: string,
  options: PollOptions & { url: string },
): Promise<BatchPage> {
  const { url, at, pageToken, pageSize = PAGE_SIZE_MAX, signal } = options
  const query = new URLSearchParams({
    batchId,
    pageSize: String(Math.min(Math.max(1, pageSize), PAGE_SIZE_MAX)),
    ...(pageToken !== undefined && { pageToken }),
  })
  const call = { method: 'GET', url: `${url}/eligibility-manager/polling/batch-eligibility?${query}` } as const
  const page = takeJson(await exchange({ ...call, ...(signal && { signal }) }), at)
  const nextPageToken = textOf(page.nextPageToken)
  return {
    items: objectsOf(page.items).map(readItem),
    ...(nextPageToken !== undefined && { nextPageToken }),
  }
}

/** What was sent is not told again with the answer; it is the submitter's to keep. */
function readItem(json: JsonObject): BatchResult {
  const submitterTransactionIdentifier = textOf(json.submitterTransactionIdentifier) ?? ''
  try {
    return { submitterTransactionIdentifier, answer: takeObject(json, submitterTransactionIdentifier) }
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return { submitterTransactionIdentifier, failure: error }
  }
}

const withoutId = () =>
  toError({
    code: 'UnknownResponse',
    retryable: false,
    message: 'The clearinghouse took a batch without giving it an id',
  })
