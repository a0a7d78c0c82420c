// Pending checks are the queue (decisions/0009-check-queue.md). Any number of processes take from it, under leases.

import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../deps.ts'
import { thoseOrAll, togetherOrEach } from '../../platform/database/all-organizations.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { instant } from '../../platform/database/instant.ts'
import { type Hold, leasesOf } from '../../platform/database/leases/leases.ts'
import { createLostLeases, type LostLeases } from '../../platform/database/leases/lost-leases.ts'
import { rowsByKey } from '../../platform/database/statements/few-rows.ts'
import { type NoteFailure, rethrow } from '../../platform/each-organization.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import type { AnswerForm, CheckOutcome } from '../answers/outcome.ts'
import type { CheckRequest } from '../inquiries/check-inquiry.ts'
import { placeOfCheck } from './check-place.ts'
import { toCheckRequest } from './check-request.ts'
import { type OpenCheck, portalOf, SAME_AND_SUCCESSFUL, stillPending, storeAnswers } from './check-store.ts'
import { CONTROL_NUMBER } from './control-number.ts'
import { orderOfCheck } from './order-of-checks.ts'

type Needs = Pick<Deps, 'database' | 'systemDatabase' | 'vault' | 'now' | 'newId'>

/** The lease of a check. */
export const checkLeases = leasesOf({
  table: 'eligibility_check',
  key: 'id',
  isOpen: stillPending('j'),
  isOpenByIndex: `j.status = 'PENDING'`,
})

/** A check held by a worker. */
export interface TakenCheck extends OpenCheck {
  /** Consecutive earlier attempts that failed on our side of the payer. */
  faults: number
  /** Why the stored inquiry cannot be read. */
  unreadable?: unknown
  /** An earlier equal check that was initiated after this instant may answer it (rules.md 13.5). */
  existingAfter?: string
  /** From a process that did not store an answer in time, probably because it ended: it may have sent the inquiry. */
  isTakenOver: boolean
}

/** The longest due checks of an organization; those locked by another process are skipped. */
const dueOf = (organizationId: 'o.id' | '$1') => `(
        select organization_id, id, due_at, held, held and id <> all ($4::uuid[]) as is_left from eligibility_check
        where organization_id = ${organizationId} and status = 'PENDING' and due_at <= now() and id <> all ($3::uuid[])
        order by due_at limit $2 for update skip locked
      ) c`

// A due check that is held has an expired lease: at first it is only reported, because its holder may still renew it (lost-leases.ts).
// Taken too early, it would be sent to the payer twice.
const taking = (due: string, organizationId: 'next.organization_id' | '$1') => `with due as (
      select c.organization_id, c.id, c.held, c.is_left, row_number() over (partition by c.organization_id order by c.due_at) as turn
      from ${due}
    ),
    next as (select organization_id, id, held, is_left, turn from due order by turn limit $2),
    taken as (
      update eligibility_check j set ${checkLeases.taking()}
      from next where j.organization_id = ${organizationId} and j.id = next.id and not next.is_left
      returning j.organization_id, j.id, j.user_id, j.initiated_at, j.attempt, j.request, j.date_of_service, j.coverage_id, j.appointment_id,
        j.faults
    )
    select next.is_left, next.id, next.held, taken.organization_id, taken.id, taken.user_id, ${instant('taken.initiated_at')}, taken.attempt,
      taken.request::text, taken.date_of_service, taken.coverage_id, taken.appointment_id,
      case when taken.id is not null then ${CONTROL_NUMBER} end, taken.faults
    from next left join taken on taken.id = next.id where next.is_left or taken.id is not null
    order by next.turn`

// Organizations take turns, so the longest batch of one does not hold up the others. A lateral join reads the partial index of each.
const takeStatement = {
  name: 'check_queue_take',
  text: taking(
    `organization o cross join lateral ${dueOf('o.id')} where o.id <> all ($1::uuid[])`,
    'next.organization_id',
  ),
}

const takeOfOneStatement = { name: 'check_queue_take_of_one', text: taking(dueOf('$1'), '$1') }

const dueOrganizationsStatement = {
  name: 'check_queue_organizations',
  text: `select organization_id from eligibility_check where status = 'PENDING' and due_at <= now() and organization_id <> all ($1::uuid[])
    group by organization_id order by min(due_at)`,
}

interface TakeOptions {
  except?: string[]
  leases?: LostLeases
  onFailure?: NoteFailure
}

/**
 * Takes up to `limit` due checks of any organization except those listed. A check whose inquiry cannot be read carries the error and does
 * not affect the others. Expired leases are noted in `leases`, which says when they are lost.
 */
export async function takeChecks(
  deps: Needs,
  limit: number,
  { except = [], leases = createLostLeases(), onFailure = rethrow }: TakeOptions = {},
): Promise<TakenCheck[]> {
  const { systemDatabase } = deps
  const expired = [leases.left(), leases.lost()]
  const rows = await togetherOrEach(systemDatabase, {
    together: () => rowsByKey(systemDatabase, takeStatement, [except, limit, ...expired]),
    organizations: () =>
      thoseOrAll(systemDatabase, async () => (await systemDatabase.rows(dueOrganizationsStatement, [except])).flat()),
    each: (organizationId, share) => rowsByKey(systemDatabase, takeOfOneStatement, [organizationId, share, ...expired]),
    limit,
    onFailure,
  })
  const taken = rows.filter(([isLeft]) => isLeft === 'f')
  const idsOf = (some: TextRow[]) => some.map(([, id = '']) => id)
  leases.note({ expired: idsOf(rows.filter(([isLeft]) => isLeft === 't')), taken: idsOf(taken) })
  return taken.map(([, , held, ...row]) => ({ ...toTaken(deps, row), isTakenOver: held === 't' }))
}

function toTaken(deps: Needs, row: TextRow): Omit<TakenCheck, 'isTakenOver'> {
  const [organizationId = '', id = '', userId = '', initiatedAt = '', attempt, text, day, ...rest] = row
  const [coverageId, appointmentId, controlNumber, faults] = rest as (string | null)[]
  const held = {
    organizationId,
    id,
    userId,
    initiatedAt: new Date(initiatedAt),
    attempt: Number(attempt),
    controlNumber: Number(controlNumber),
    faults: Number(faults),
    ...(coverageId && { coverageId }),
    ...(appointmentId && { appointmentId }),
  }
  try {
    return { ...held, ...readInquiry(deps, held, { text: text ?? '', day: day ?? '' }) }
  } catch (error) {
    return { ...held, asked: NOTHING_ASKED, unreadable: error }
  }
}

/** Replaces an inquiry that cannot be read; it is never sent. */
const NOTHING_ASKED: CheckRequest = {
  payerId: '',
  provider: { npi: '' },
  subscriber: { firstName: '', lastName: '' },
  dateOfService: '',
  serviceTypeCodes: [PLAN_SERVICE],
}

/** @throws the error of the stored data. */
function readInquiry(
  deps: Needs,
  check: Hold,
  { text, day }: { text: string; day: string },
): Pick<TakenCheck, 'asked' | 'portal' | 'existingAfter'> {
  const request = JSON.parse(text) as EligibilityRequest
  const {
    portal_username: username,
    portal_password: encrypted,
    get_existing_check_initiated_after: existingAfter,
  } = request
  const place = placeOfCheck(check, 'request.portal_password')
  const password = encrypted === undefined ? undefined : deps.vault.tryDecrypt(encrypted, place)
  return {
    asked: toCheckRequest(request, day),
    // A password that can no longer be decrypted is left out.
    ...portalOf(username, password),
    ...(existingAfter !== undefined && { existingAfter }),
  }
}

const existingStatement = {
  name: 'check_queue_existing',
  text: `select same.id, same.raw_response, same.answer_form, same.parsed_response::text, same.request_corrections::text,
      same.obstacles::text
    from eligibility_check same
    where same.organization_id = $1 and ${SAME_AND_SUCCESSFUL} and same.initiated_at > $3 and same.id <> $2
      and same.request_key = (select request_key from eligibility_check where organization_id = $1 and id = $2)
    order by ${orderOfCheck('same')} desc limit 1`,
}

/** Answers a check from the latest successful equal one after an instant (rules.md 13.5); false if there is none. */
export async function answerFromExisting(deps: Needs, check: TakenCheck): Promise<boolean> {
  if (check.existingAfter === undefined) return false
  const { organizationId, id, existingAfter } = check
  const row = await deps.database.row(existingStatement, [organizationId, id, existingAfter])
  if (!row) return false
  const [from = '', raw, form, parsed, corrections, readinessIssues] = row as [string, ...(string | null)[]]
  const rawResponse = raw
    ? deps.vault.tryDecrypt(raw, placeOfCheck({ organizationId, id: from }, 'raw_response'))
    : undefined
  const outcome: CheckOutcome = {
    status: 'COMPLETED',
    errors: [],
    ...(rawResponse !== undefined && form && { rawResponse, answerForm: form as AnswerForm }),
    ...(parsed && { parsedResponse: JSON.parse(parsed) }),
    ...(corrections && { requestCorrections: JSON.parse(corrections) }),
    ...(readinessIssues && { readinessIssues: JSON.parse(readinessIssues) }),
  }
  // If another worker has taken the check meanwhile, that worker answers it.
  await storeAnswers(deps, organizationId, [{ check, outcome }])
  return true
}
