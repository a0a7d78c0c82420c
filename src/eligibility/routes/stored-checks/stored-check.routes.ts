// Extensions under /anteroom/v1: checks with their ids, the transmitted messages and benefit sheets. The interface shows none of them
// (rules.md 13.2), and audits and appeals need the first two.

import { Type } from 'typebox'
import { badRequest, notFound } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/formats.ts'
import { formatInstant } from '../../../contract/shown-days.ts'
import type { Deps } from '../../../deps.ts'
import type { TextRow } from '../../../platform/database/database.ts'
import { instant } from '../../../platform/database/instant.ts'
import { ownTurn, takeTurn } from '../../../platform/event-loop.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { pageOf, readPage } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { explainMessage } from '../../../x12/explain.ts'
import { isLarge } from '../../answers/read-answer.ts'
import { renderAlone } from '../../answers/render-alone.ts'
import { type CheckColumn, placeOfCheck } from '../../checks/check-place.ts'
import { COLUMNS_WITHOUT_RESPONSE, storedToWire, WIRE_COLUMNS } from '../../checks/check-wire.ts'
import { findCheckLimits } from '../../checks/coverage-limits.ts'
import { makeBenefitSheet } from '../../printing/benefit-sheet.ts'
import { eligibilityCheck } from '../eligibility-checks/audited-checks.ts'
import { checksOf, StoredCheckFilters } from '../eligibility-checks/list-checks.ts'
import * as schemas from './stored-check.schema.ts'
import { CheckMessages, ExplainedMessages, StoredCheck, StoredCheckSummary } from './stored-check.schema.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

/** The summary of a check as JSON, built by the database; unknown values are left out. */
const SUMMARY = `json_strip_nulls(json_build_object('check_id', id, 'status', status, 'initiated_at', ${instant('initiated_at')},
  'initiated_by', user_id, 'completed_at', ${instant('completed_at')}, 'payer_id', request ->> 'payer_id',
  'date_of_service', date_of_service, 'eligibility_status', parsed_response ->> 'eligibility_status', 'batch_id', batch_id,
  'batch_index', batch_index, 'coverage_id', coverage_id, 'appointment_id', appointment_id))::text`

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary: 'Lists checks with their ids, by the filters of get-multi or of one batch, newest first.',
  query: StoredCheckFilters,
  answer: pageOf(StoredCheckSummary),
  errors: [],
  async handle(deps: Needs, { actor, query }) {
    if (query.batch_id !== undefined && !isUuid(query.batch_id)) return { items: [], total: 0 }
    const rows = checksOf('storedChecks.getMulti', actor, query)
    return readPage(deps, { ...rows, columns: SUMMARY, toText: ([text]) => text ?? '' }, query)
  },
})

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '/:id',
  addresses: { id: eligibilityCheck },
  summary: 'Reads one check, regardless of how it was started.',
  answer: StoredCheck,
  errors: ['NotFoundError'],
  async handle(deps: Needs, { actor, params }) {
    return (await readStoredCheck(deps, actor.organizationId, params.id ?? '')) ?? missing()
  },
})

/** One check as JSON, without its response if asked so; undefined for another organization's. */
export async function readStoredCheck(
  deps: Needs,
  organizationId: string,
  id: string,
  part: 'all' | 'without response' = 'all',
): Promise<string | undefined> {
  const columns = part === 'all' ? WIRE_COLUMNS : COLUMNS_WITHOUT_RESPONSE
  const row = await findRow(deps, organizationId, id, part === 'all' ? 'summary' : 'sheet', `${SUMMARY}, ${columns}`)
  if (!row) return undefined
  const [summary = '', ...wire] = row
  const limits = await findCheckLimits(deps, organizationId, id)
  const limited = limits.length > 0 ? `,"limits":${JSON.stringify(limits)}` : ''
  return `${summary.slice(0, -1)}${limited},"check":${await storedToWire(deps, wire)}}`
}

const messages = endpoint({
  operation: 'getMessages',
  method: 'GET',
  path: '/:id/messages',
  addresses: { id: eligibilityCheck },
  summary: 'Reads the transmitted messages of one check, usually the X12 270 and 271, while they are retained.',
  answer: CheckMessages,
  errors: ['NotFoundError'],
  // They contain values that the records leave out.
  accessType: 'admin',
  async handle(deps: Needs, { actor, params }) {
    const { id, ...texts } = await readMessages(deps, actor.organizationId, params.id ?? '')
    return { check_id: id, ...texts }
  },
})

/** Our choice: more than nearly every answer has, and no more than a browser page shows comfortably. */
const EXPLAINED_SEGMENTS_MAX = 2_000

const explained = endpoint({
  operation: 'explainMessages',
  method: 'GET',
  path: '/:id/explained-messages',
  addresses: { id: eligibilityCheck },
  summary:
    'Explains the transmitted messages of one check: each X12 segment with its name, each element with its name and the meaning of its code. Other messages are shown unchanged.',
  answer: ExplainedMessages,
  errors: ['NotFoundError'],
  accessType: 'admin',
  async handle(deps: Needs, { actor, params }) {
    const { id, inquiry, response } = await readMessages(deps, actor.organizationId, params.id ?? '')
    return {
      check_id: id,
      ...(inquiry !== undefined && { inquiry: await explain(inquiry, actor.organizationId) }),
      ...(response !== undefined && { response: await explain(response, actor.organizationId) }),
    }
  },
})

async function explain(text: string, organizationId: string) {
  const message = await explainMessage(text, EXPLAINED_SEGMENTS_MAX, () => takeTurn(organizationId))
  if (!message) return { format: 'OTHER', text }
  const { segments, leftOut } = message
  return { format: 'X12', segments, ...(leftOut > 0 && { segments_left_out: leftOut }) }
}

/** @throws NotFoundError, including for another organization's check. */
async function readMessages(
  deps: Needs,
  organizationId: string,
  checkId: string,
): Promise<{ id: string; inquiry?: string; response?: string }> {
  const row = await findRow(deps, organizationId, checkId, 'messages', 'id, raw_inquiry, raw_response')
  const [id = '', inquiry, response] = row ?? missing()
  const open = (text: string, column: CheckColumn) =>
    deps.vault.decrypt(text, placeOfCheck({ organizationId, id }, column))
  return {
    id,
    ...(inquiry && { inquiry: open(inquiry, 'raw_inquiry') }),
    ...(response && { response: open(response, 'raw_response') }),
  }
}

const sheet = endpoint({
  operation: 'getBenefitSheet',
  method: 'GET',
  path: '/:id/benefit-sheet',
  addresses: { id: eligibilityCheck },
  summary: "The answer of a finished check as a tagged PDF, for the patient's file.",
  answer: Type.String({ format: 'binary' }),
  answerType: 'application/pdf',
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: Needs, { actor, params, reply }) {
    const { organizationId } = actor
    return renderAlone(organizationId, async () => {
      const text = await readStoredCheck(deps, organizationId, params.id ?? '', 'without response')
      const isLong = isLarge({ rawResponse: text ?? '' })
      const turn = () => (isLong ? ownTurn : takeTurn)(organizationId)
      await turn()
      const stored = JSON.parse(text ?? missing())
      if (stored.status === 'PENDING') throw badRequest('the check has no answer yet')
      const [name = '', zone = 'UTC'] = (await deps.database.row(organizationStatement, [organizationId])) ?? []
      // The file name reveals nothing about the patient.
      reply.header('content-disposition', `inline; filename="benefits-${stored.check_id}.pdf"`)
      const askedAt = `${formatInstant(stored.initiated_at, zone)} (${zone})`
      const facts = { checkId: stored.check_id, organization: name, askedAt }
      return makeBenefitSheet(stored.check, facts, turn)
    })
  },
})

const organizationStatement = {
  name: 'stored_check_organization',
  text: 'select name, time_zone from organization where id = $1',
}

function missing(): never {
  throw notFound('Check')
}

/** Undefined for another organization's check as well. */
async function findRow(
  deps: Needs,
  organizationId: string,
  id: string,
  name: string,
  columns: string,
): Promise<TextRow | undefined> {
  const statement = {
    name: `stored_check_${name}`,
    text: `select ${columns} from eligibility_check where organization_id = $1 and id = $2`,
  }
  return isUuid(id) ? deps.database.row(statement, [organizationId, id]) : undefined
}

export const storedChecks = resource({
  path: '/anteroom/v1/eligibility-checks',
  group: 'storedChecks',
  about: 'Extensions of the interface: checks with their ids, the transmitted messages and benefit sheets.',
  schemas,
  routes: [
    list, // GET    /
    read, // GET    /:id
    messages, // GET    /:id/messages
    explained, // GET    /:id/explained-messages
    sheet, // GET    /:id/benefit-sheet
  ],
})
