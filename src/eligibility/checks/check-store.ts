// The stored checks: requests, transmitted messages and results. Not versioned (design.md, "Data model").

import type { Actor } from '../../contract/actor.ts'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../deps.ts'
import { auditContextText, markAudited } from '../../platform/audit/audit-context.ts'
import { patientThrough } from '../../platform/audit/audited-record.ts'
import { eventOf } from '../../platform/audit/pending.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import type { Hold } from '../../platform/database/leases/leases.ts'
import { binaryArray } from '../../platform/database/statements/binary-array.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { toJson } from '../../records/storable.ts'
import { coverage } from '../../resources/coverages/coverage.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import type { CheckRequest } from '../inquiries/check-inquiry.ts'
import { type CheckColumn, placeOfCheck } from './check-place.ts'
import { checkKey } from './check-request.ts'
import { storedToWire, WIRE_COLUMNS } from './check-wire.ts'
import { CONTROL_NUMBER } from './control-number.ts'
import { orderOfCheck } from './order-of-checks.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/** The coverage or appointment that a check was made for. */
export interface CheckSubject {
  coverageId?: string
  appointmentId?: string
}

/** A stored check that waits for its answer, held under a lease. */
export interface OpenCheck extends CheckSubject, Hold {
  /** The user who requested it. */
  userId: string
  initiatedAt: Date
  /** Of the interchange; a new one for each attempt. */
  controlNumber: number
  asked: CheckRequest
  portal?: { username: string; password: string }
}

const openStatement = {
  name: 'eligibility_check_open',
  text: `with ${eventOf({ type: 'eligibility_check', auditContext: '$11', ids: 'array[$2::uuid::text]', patients: `array_remove(array[${patientThrough(coverage, '$8::uuid')}], null)` })},
    opened as (insert into eligibility_check (organization_id, id, initiated_at, user_id, status, request, request_key, date_of_service,
      coverage_id, appointment_id, due_at, held)
    values ($1, $2, $3, $4, 'PENDING', $5, $6, $7, $8, $9, now() + $10 * interval '1 millisecond', true)
    returning id)
    select ${CONTROL_NUMBER} from opened`,
}

/**
 * Stores the inquiry before it is asked, so that nothing that was sent is ever unaccounted for. It belongs to the caller for
 * `holdMs`; a check that is not answered by then is taken over by the queue.
 */
export async function openCheck(
  deps: Needs,
  actor: Actor,
  inquiry: { request: EligibilityRequest; asked: CheckRequest; initiatedAt: Date; holdMs: number },
  subject: CheckSubject = {},
): Promise<OpenCheck> {
  const { request, asked, initiatedAt } = inquiry
  const id = deps.newId()
  const row = await deps.database.row(openStatement, [
    actor.organizationId,
    id,
    initiatedAt.toISOString(),
    actor.userId,
    encryptedRequest(deps, { ...actor, id }, request),
    checkKey(asked),
    asked.dateOfService,
    subject.coverageId ?? null,
    subject.appointmentId ?? null,
    inquiry.holdMs,
    auditContextText(actor, 'eligibility_check.create'),
  ])
  markAudited(actor)
  return {
    ...subject,
    organizationId: actor.organizationId,
    userId: actor.userId,
    id,
    initiatedAt,
    attempt: 1,
    controlNumber: Number(row?.[0]),
    asked,
    ...portalOf(request.portal_username, request.portal_password),
  }
}

/** The event of the checks in `answered`; none if it is empty. */
function answeredEvent(auditContext: string): string {
  return eventOf({
    type: 'eligibility_check',
    auditContext,
    ids: 'array_agg(answered.id::text)',
    patients: 'array_remove(array_agg(distinct patient), null)',
    from: `(select id, ${patientThrough(coverage, 'answered.coverage_id')} as patient from answered) answered having count(*) > 0`,
  })
}

/**
 * The condition that the check of this alias is still pending, for statements that know its key. With a plain constant the planner may
 * choose the index of pending checks, whose statistics say it is empty: every statement would then read all pending checks.
 */
export const stillPending = (alias: string) => `${alias}.status = (select 'PENDING')`

/** What the parameter of a list of checks, and of values in the same order, holds for the check `e`. */
const ofCheck = (values: string) => `(${values})[array_position($3::uuid[], e.id)]`

// Locked in the order of their keys (decisions/0021-lock-order.md). Without a join each check is read once, even if the statistics of a table that grew by a batch are outdated.
const answerStatement = {
  name: 'eligibility_check_answer',
  text: `with mine as materialized (
    select e.id, ${ofCheck('$5::text[]')} as status, ${ofCheck('$6::text[]')} as raw_inquiry, ${ofCheck('$7::text[]')} as raw_response,
      ${ofCheck('$8::text[]')} as answer_form, ${ofCheck('$9::json[]')} as parsed_response, ${ofCheck('$10::json[]')} as request_corrections,
      ${ofCheck('$11::json[]')} as errors, ${ofCheck('$13::json[]')} as obstacles
    from eligibility_check e
    where e.organization_id = $1 and e.id = any($3::uuid[]) and e.attempt = ${ofCheck('$4::integer[]')} and ${stillPending('e')}
    order by e.id for update
    ),
    answered as (
    update eligibility_check e set completed_at = $2, status = mine.status, raw_inquiry = mine.raw_inquiry,
      raw_response = mine.raw_response, answer_form = mine.answer_form, parsed_response = mine.parsed_response,
      request_corrections = mine.request_corrections, errors = mine.errors, obstacles = mine.obstacles
    from mine where e.organization_id = $1 and e.id = mine.id and e.id = any((select array_agg(id) from mine)::uuid[])
    returning e.id, e.coverage_id
    ),
    ${answeredEvent('$12')}
    select id from answered`,
}

/** A check and its outcome. */
export interface Answered {
  check: OpenCheck
  outcome: CheckOutcome
}

/**
 * Answers are encrypted and written as JSON in pieces of about this size, each in its turn. A turn for each answer would wait behind every
 * answer that is still to be read, and a batch would hold as many answers as it may hold, with places at payers unused.
 */
const PIECE_CHARACTERS = 100_000

/** Stores answers of one organization; checks that were taken over by another holder are left out and unchanged. */
export async function storeAnswers(deps: Needs, organizationId: string, answers: Answered[]): Promise<Answered[]> {
  const kept: KeptAnswer[] = []
  let characters = PIECE_CHARACTERS
  for (const answer of answers) {
    if (characters >= PIECE_CHARACTERS) {
      await takeTurn(organizationId)
      characters = 0
    }
    characters += answer.outcome.rawResponse?.length ?? 0
    kept.push(toKept(deps, answer))
  }
  const texts = (column: keyof KeptAnswer) =>
    binaryArray(
      'text',
      kept.map((each) => each[column]),
    )
  const jsons = (column: keyof KeptAnswer) =>
    binaryArray(
      'json',
      kept.map((each) => each[column]),
    )
  const rows = await deps.database.rows(answerStatement, [
    organizationId,
    deps.now().toISOString(),
    answers.map(({ check }) => check.id),
    answers.map(({ check }) => check.attempt),
    texts('status'),
    texts('inquiry'),
    texts('response'),
    texts('form'),
    jsons('parsed'),
    jsons('corrections'),
    jsons('errors'),
    auditContextText(answerer(organizationId), 'eligibility_check.answer'),
    jsons('obstacles'),
  ])
  const stored = new Set(rows.map(([id]) => id))
  return answers.filter(({ check }) => stored.has(check.id))
}

type KeptAnswer = Record<
  'status' | 'inquiry' | 'response' | 'form' | 'parsed' | 'corrections' | 'errors' | 'obstacles',
  string | null
>

function toKept({ vault }: Pick<Deps, 'vault'>, { check, outcome }: Answered): KeptAnswer {
  const encrypted = (text: string | undefined, column: CheckColumn) =>
    text ? vault.encrypt(text, placeOfCheck(check, column)) : (text ?? null)
  const { status, rawInquiry, rawResponse, answerForm, parsedResponse, requestCorrections, errors, readinessIssues } =
    outcome
  return {
    status,
    inquiry: encrypted(rawInquiry, 'raw_inquiry'),
    response: encrypted(rawResponse, 'raw_response'),
    form: answerForm ?? null,
    parsed: toJson(parsedResponse),
    corrections: toJson(requestCorrections),
    errors: errors.length > 0 ? toJson(errors) : null,
    obstacles: toJson(readinessIssues?.map(({ kind, payer }) => ({ kind, payer }))),
  }
}

/** Answers are written by the system user, regardless of who requested the check. */
const answerer = (organizationId: string) => ({ organizationId, userId: systemUser.id })

/** A successful equal check after an instant. Source: rules.md 13.5. */
export const SAME_AND_SUCCESSFUL = `status = 'COMPLETED' and errors is null`

const sameStatement = {
  name: 'eligibility_check_same',
  text: `select ${WIRE_COLUMNS} from eligibility_check
    where organization_id = $1 and request_key = $2 and ${SAME_AND_SUCCESSFUL} and initiated_at > $3
    order by ${orderOfCheck('eligibility_check')} desc limit 1`,
}

/** The latest equal check without errors that was initiated after the instant (rules.md 13.5), in wire form. */
export async function findSame(
  deps: Needs,
  actor: Actor,
  asked: CheckRequest,
  after: string,
): Promise<{ id: string; wire: string } | undefined> {
  const row = await deps.database.row(sameStatement, [actor.organizationId, checkKey(asked), after])
  return row && { id: row[1] ?? '', wire: await storedToWire(deps, row) }
}

/** The request in its stored form: the portal password is encrypted. */
export function encryptedRequest(
  deps: Pick<Deps, 'vault'>,
  check: { organizationId: string; id: string },
  request: EligibilityRequest,
): string {
  const { portal_password: password } = request
  if (password === undefined) return JSON.stringify(request)
  const encrypted = deps.vault.encrypt(password, placeOfCheck(check, 'request.portal_password'))
  return JSON.stringify({ ...request, portal_password: encrypted })
}

/** The account at the payer's portal, when both parts are present. */
export function portalOf(username: string | undefined, password: string | undefined): Pick<OpenCheck, 'portal'> {
  return username === undefined || password === undefined ? {} : { portal: { username, password } }
}
