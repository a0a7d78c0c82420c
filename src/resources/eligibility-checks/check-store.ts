// The stored checks: what was asked, what went over the wire, what came back. Never versioned (design.md, "Data model").
import type { TextRow } from '../../database/database.ts'
import type { Deps } from '../../deps.ts'
import type { CheckOutcome } from '../../eligibility/check.ts'
import type { Actor } from '../../http/endpoint.ts'
import type { EligibilityRequest } from './eligibility-check.schema.ts'

/** A check that has been stored but not answered; its control number is the interchange's. */
export interface StartedCheck {
  id: string
  controlNumber: number
}

const startStatement = {
  name: 'eligibility_check_start',
  text: `insert into eligibility_check (organization_id, id, initiated_at, user_id, status, request, request_key, date_of_service)
    values ($1, $2, $3, $4, 'PENDING', $5, $6, $7) returning nextval('interchange_control_number')`,
}

/** Stores the question before it is asked, so that nothing that was sent is ever unaccounted for. */
export async function storeQuestion(
  deps: Deps,
  actor: Actor,
  question: { request: EligibilityRequest; key: Buffer; dateOfService: string; initiatedAt: Date },
): Promise<StartedCheck> {
  const id = deps.newId()
  const row = await deps.database.row(startStatement, [
    actor.organizationId,
    id,
    question.initiatedAt.toISOString(),
    actor.userId,
    JSON.stringify(sealPassword(deps, question.request)),
    question.key,
    question.dateOfService,
  ])
  return { id, controlNumber: Number(row?.[0]) }
}

const finishStatement = {
  name: 'eligibility_check_finish',
  text: `update eligibility_check set status = $3, completed_at = $4, raw_inquiry = $5, raw_response = $6, response = $7,
      parsed_response = $8, request_corrections = $9, errors = $10
    where organization_id = $1 and id = $2`,
}

export async function storeOutcome(deps: Deps, actor: Actor, id: string, outcome: CheckOutcome): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const sealed = (text: string | undefined) => (text === undefined ? null : deps.vault.seal(text))
  await deps.database.rows(finishStatement, [
    actor.organizationId,
    id,
    outcome.status,
    deps.now().toISOString(),
    sealed(outcome.rawInquiry),
    sealed(outcome.rawResponse),
    json(outcome.response),
    json(outcome.parsedResponse),
    json(outcome.requestCorrections),
    outcome.errors.length > 0 ? json(outcome.errors) : null,
  ])
}

/** What `storedToWire` shows of a check, in this order. */
export const WIRE_COLUMNS = `request::text, response::text, parsed_response::text, request_corrections::text, errors::text`

const sameStatement = {
  name: 'eligibility_check_same',
  text: `select ${WIRE_COLUMNS} from eligibility_check
    where organization_id = $1 and request_key = $2 and status = 'COMPLETED' and errors is null and initiated_at > $3
    order by initiated_at desc limit 1`,
}

/** The latest check without errors that asked the same and was initiated after the instant (rules.md 13.5), in wire form. */
export async function findSame(deps: Deps, actor: Actor, key: Buffer, after: string): Promise<string | undefined> {
  const row = await deps.database.row(sameStatement, [actor.organizationId, key, after])
  return row && storedToWire(row)
}

/** A check as the interface shows it. The portal password is never shown again (rules.md 13.1). */
export function toWire(request: EligibilityRequest, outcome: CheckOutcome): object {
  return {
    request: withoutPassword(request),
    response: outcome.response ?? null,
    ...(outcome.parsedResponse && { parsed_response: outcome.parsedResponse }),
    ...(outcome.requestCorrections && { request_corrections: outcome.requestCorrections }),
    ...(outcome.errors.length > 0 && { errors: outcome.errors }),
  }
}

/** A stored check as the interface shows it, from a row of `WIRE_COLUMNS`; a pending one has no response yet. */
export function storedToWire(row: TextRow): string {
  const [request = '', response, ...rest] = row as [string, ...(string | null)[]]
  const shown = JSON.stringify(withoutPassword(JSON.parse(request)))
  const optional = ['parsed_response', 'request_corrections', 'errors'].map((key, index) =>
    rest[index] ? `,"${key}":${rest[index]}` : '',
  )
  return `{"request":${shown},"response":${response ?? 'null'}${optional.join('')}}`
}

function sealPassword(deps: Deps, request: EligibilityRequest): EligibilityRequest {
  const { portal_password } = request
  return portal_password === undefined ? request : { ...request, portal_password: deps.vault.seal(portal_password) }
}

function withoutPassword(request: EligibilityRequest): EligibilityRequest {
  const { portal_password: _password, ...shown } = request
  return shown
}
