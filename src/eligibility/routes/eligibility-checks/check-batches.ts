import { type TSchema, Type } from 'typebox'
import { EligibilityCheck, EligibilityRequest } from '../../../contract/eligibility-check.schema.ts'
import { notFound, WireError } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/formats.ts'
import { BATCH_MAX } from '../../../contract/limits.ts'
import type { Deps } from '../../../deps.ts'
import { takeTurn } from '../../../platform/event-loop.ts'
import { cleanInput } from '../../../platform/http/body.ts'
import { parseItem } from '../../../platform/http/body-reader.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { compileBody } from '../../../platform/http/validation.ts'
import { calendarDay } from '../../../records/calendar.ts'
import type { Listing } from '../../../records/listing.ts'
import { Once } from '../../../records/once.ts'
import { pageOf, readPage } from '../../../records/page.ts'
import { type BatchItem, findBatch, storeBatch, storeOnce } from '../../checks/batch-store.ts'
import { findFaults, toCheckRequest, withIsoDates } from '../../checks/check-request.ts'
import { storedToWires, WIRE_COLUMNS } from '../../checks/check-wire.ts'
import { eligibilityBatch } from './audited-checks.ts'
import { shownItem } from './shown-item.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'queue' | 'now' | 'newId'>

/** A request with the longest realistic texts is well under 2 kB. */
const BATCH_LIMIT_BYTES = 20 * 1024 * 1024

const bounds = { minItems: 1, maxItems: BATCH_MAX }

export const BatchEligibilityResponse = Type.Object({
  batch_id: Type.String(),
  submitted_at: Type.String({ format: 'date-time' }),
})

/** POST /batch. Source: rules.md 13.6. */
export const postBatch = endpoint({
  operation: 'batch',
  method: 'POST',
  path: '/batch',
  summary:
    'Checks up to 10,000 patients in the background; an invalid item is returned as failed, with its request. A call that is sent again with the same `idempotency_key` and the same content, because its answer was lost, is answered with the batch of the first one.',
  query: Once,
  body: Type.Array(EligibilityRequest, bounds),
  accepts: Type.Array(Type.Unknown(), bounds),
  bodyLimitBytes: BATCH_LIMIT_BYTES,
  readsItems: true,
  answer: BatchEligibilityResponse,
  errors: [],
  async handle(deps: Needs, { actor, query, body }) {
    const content = body as unknown as Buffer[]
    const store = async (batchId?: string) => {
      const today = await calendarDay(deps, actor.organizationId, deps.now().toISOString())
      const items: BatchItem[] = []
      for (const item of content) {
        await takeTurn(actor.organizationId)
        items.push(readItem(parseItem(item), today))
      }
      const batch = await storeBatch(deps, actor, items, batchId)
      deps.queue.wake()
      return batch
    }
    const { idempotency_key: key } = query
    return key === undefined ? store() : storeOnce(deps, actor, { key, content }, store)
  },
})

/** GET /batch/:batch_id: the answers so far, in the order of the request. Source: rules.md 13.6. */
export const pollBatch = endpoint({
  operation: 'pollBatch',
  method: 'GET',
  path: '/batch/:batch_id',
  addresses: { batch_id: eligibilityBatch },
  summary: 'Lists the answered checks of a batch in the order of the request; pending ones are left out.',
  query: Type.Object({ page_token: Type.Optional(Type.String()) }),
  answer: pageOf(EligibilityCheck),
  errors: [],
  async handle(deps: Needs, { actor, params, query }) {
    const batchId = params.batch_id ?? ''
    if (!isUuid(batchId) || !(await findBatch(deps, actor, batchId))) throw notFound('Batch')
    return readPage(deps, answersOf(deps, actor.organizationId, batchId), query)
  },
})

function answersOf(deps: Needs, organizationId: string, batchId: string): Listing {
  const from = `from eligibility_check where organization_id = $1 and batch_id = $2 and status <> 'PENDING'`
  return {
    from,
    values: [organizationId, batchId],
    columns: WIRE_COLUMNS,
    // A client reads the pages until `total` equals its request, so the total must count only what the pages contain.
    totalColumn: `(select count(*) ${from})`,
    sort: { sql: 'batch_index', type: 'numeric', direction: 'asc', isAlwaysSet: true },
    id: 'id',
    request: { operation: 'eligibilityChecks.pollBatch' },
    toTexts: (rows) => storedToWires(deps, rows),
  }
}

const validateItem = compileBody(EligibilityRequest)

function readItem(item: unknown, today: string): BatchItem {
  try {
    const request = cleanInput(EligibilityRequest as TSchema, item) as EligibilityRequest
    const fault = validateItem(request)
    if (fault) return { request: shownItem(item), fault: fault.message, field: fault.field }
    const read = withIsoDates(request)
    const asked = toCheckRequest(read, today)
    const [wrong] = findFaults(asked)
    return wrong
      ? { request: shownItem(item), fault: `${wrong.field} ${wrong.problem}`, field: wrong.field }
      : { request: read, asked }
  } catch (error) {
    if (error instanceof WireError) return { request: shownItem(item), fault: error.message }
    throw error
  }
}
