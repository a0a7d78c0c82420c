// Writes the result of a check to its coverage and to the timeline. Everything here derives from the stored check alone, because
// another process than the one that received the request may answer it. Source: rules.md 10.3; rules.md 6, "Timeline".
import type { Static } from 'typebox'
import type { EligibilityCheckMetadata, EligibilityCheckStatus } from '../../contract/eligibility-check.schema.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import type { TimelineEvent } from '../../records/record.ts'
import { storable } from '../../records/storable.ts'
import { amendRecord, holdRecord } from '../../records/store.ts'
import { recordTimelineEvent } from '../../records/timeline.ts'
import type { LatestEligibilityCheck, MutableCoverage } from '../../resources/coverages/coverage.schema.ts'
import { coverage } from '../../resources/coverages/coverage.ts'
import { listEdits } from '../../resources/coverages/coverage-events.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import type { ParsedResponse } from '../answers/wire.ts'
import type { OpenCheck } from './check-store.ts'
import { mergeBenefits } from './merge-benefits.ts'
import { orderOfCheck } from './order-of-checks.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

type CoverageCheck = OpenCheck & { coverageId: string }
type Metadata = Static<typeof EligibilityCheckMetadata>
type Status = Static<typeof EligibilityCheckStatus>
type Latest = Static<typeof LatestEligibilityCheck>

/** Our choice: a coverage lists this many of its latest checks; all of them are stored. Every version contains the list again. */
const CHECKS_SHOWN = 50

/** A check as its coverage lists it: with the first service type that was asked about. Source: rules.md 10.3. */
export function metadataOf(check: OpenCheck, status: Status): Metadata {
  return {
    check_id: check.id,
    service_code: check.asked.serviceTypeCodes[0] as Metadata['service_code'],
    status,
    initiated_by: check.userId,
    initiated_at: check.initiatedAt.toISOString(),
  }
}

/**
 * Writes the result of a check to its coverage, as one version by the system user, and records it in the timeline. Benefits are written
 * when the coverage and the organization allow it and the payer has stated whether there is coverage. `deps.database` is the
 * transaction that stores the answer.
 */
export async function updateCoverage(deps: Needs, check: CoverageCheck, outcome: CheckOutcome): Promise<void> {
  const held = await holdCoverage(deps, check)
  if (!held) return
  const before = held.body
  const context = await readContext(deps, check, before)
  await recordTimelineEvent(deps, check, checkCompleted(check, outcome, before, context))
  const { isLatest, mayUpdateBenefits } = context
  const benefits = isLatest && mayUpdateBenefits ? await newBenefits(deps, check, outcome, before) : undefined
  const after = storable({
    ...withCheck(before, metadataOf(check, outcome.status)),
    ...(isLatest && { latest_eligibility_check: latestOf(check, outcome) }),
    ...(benefits && { benefits }),
  })
  const events = benefits ? [benefitsUpdated(check, before, after)] : []
  await amend(deps, check, { version: held.version, body: after, events })
}

/**
 * Marks the coverage with a pending check, unless the check is finished by now.
 * @returns the current status of the check.
 */
export function showPending(deps: Needs, check: CoverageCheck): Promise<Status> {
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    const held = await holdCoverage(inTransaction, check)
    // The process that finishes the check stores its answer before it locks the coverage: PENDING here means that it writes after us.
    const row = await database.row(statusStatement, [check.organizationId, check.id])
    const status = (row?.[0] ?? 'PENDING') as Status
    if (held && status === 'PENDING') {
      const body = withCheck(held.body, metadataOf(check, status))
      await amend(inTransaction, check, { version: held.version, body, events: [] })
    }
    return status
  })
}

const statusStatement = {
  name: 'eligibility_check_status',
  text: 'select status from eligibility_check where organization_id = $1 and id = $2',
}

async function holdCoverage(deps: Needs, check: CoverageCheck) {
  const held = await holdRecord(deps, coverage, check, check.coverageId)
  return held as { version: number; body: MutableCoverage } | undefined
}

function amend(
  deps: Needs,
  { organizationId, coverageId }: CoverageCheck,
  { version, body, events }: { version: number; body: MutableCoverage; events: TimelineEvent[] },
): Promise<void> {
  const actor = { organizationId, userId: systemUser.id }
  return amendRecord(deps, coverage, actor, { id: coverageId, expectedVersion: version, body, events })
}

/** The coverage with the check in its list: in its former position, or at the end. */
function withCheck(body: MutableCoverage, metadata: Metadata): MutableCoverage {
  const known = body.eligibility_checks ?? []
  const place = known.findIndex(({ check_id }) => check_id === metadata.check_id)
  // The listed service code is kept, because a check that can no longer be read does not have it.
  const { service_code = metadata.service_code } = known[place] ?? {}
  const list = place === -1 ? [...known, metadata] : known.with(place, { ...metadata, service_code })
  return { ...body, eligibility_checks: list.slice(-CHECKS_SHOWN) }
}

function latestOf(check: OpenCheck, { parsedResponse, errors, requestCorrections }: CheckOutcome): Latest {
  const tradingPartner = parsedResponse?.plan_metadata?.trading_partner
  return {
    check_id: check.id,
    status: parsedResponse?.eligibility_status ?? 'UNKNOWN',
    initiated_at: check.initiatedAt.toISOString(),
    ...(errors.length > 0 && { errors: errors.map(({ errorDetails }) => ({ ...errorDetails })) }),
    ...(requestCorrections && { request_corrections: requestCorrections }),
    ...(tradingPartner !== undefined && { trading_partner: tradingPartner }),
  }
}

/** Known benefits are unchanged when the payer did not state whether there is coverage. */
async function newBenefits(
  deps: Needs,
  check: OpenCheck,
  { status, parsedResponse }: CheckOutcome,
  { auto_update_enabled, benefits }: MutableCoverage,
): Promise<MutableCoverage['benefits']> {
  if (auto_update_enabled === false || status !== 'COMPLETED' || !parsedResponse) return undefined
  const known = benefits && { benefits, source: await findSource(deps, check, benefits.autoUpdatedEligibilityCheckId) }
  return mergeBenefits(known, { id: check.id, day: check.asked.dateOfService }, parsedResponse)
}

const sourceStatement = {
  name: 'check_benefit_source',
  text: `select id, date_of_service, parsed_response ->> 'eligibility_status' from eligibility_check
    where organization_id = $1 and id = $2`,
}

/** The check that the coverage's benefits come from; undefined if a user wrote them. */
async function findSource(deps: Needs, { organizationId }: OpenCheck, checkId: string | undefined) {
  if (checkId === undefined || !isUuid(checkId)) return undefined
  const row = await deps.database.row(sourceStatement, [organizationId, checkId])
  if (!row) return undefined
  const [id = '', day = '', status = 'UNKNOWN'] = row
  return { id, day, status: status as ParsedResponse['eligibility_status'] }
}

interface Context {
  mayUpdateBenefits: boolean
  /** Whether no newer check has been answered: an older one may be answered later. */
  isLatest: boolean
  coverageType?: 'primary' | 'secondary' | 'tertiary'
  /** YYYY-MM-DD. */
  appointmentDate?: string
}

const contextStatement = {
  name: 'check_context',
  text: `select o.auto_update_benefits, (
        select filed.place from patient p,
          jsonb_array_elements_text(p.body #> '{filing_order,coverages}') with ordinality as filed (coverage_id, place)
        where p.organization_id = $1 and p.id = $2 and filed.coverage_id = $3 order by filed.place limit 1
      ), ((
        select a.body ->> 'start_timestamp' from appointment a where a.organization_id = $1 and a.id = $4
      )::timestamptz at time zone o.time_zone)::date,
      not exists (
        select from eligibility_check answered join eligibility_check latest on latest.organization_id = $1 and latest.id = $6
        where answered.organization_id = $1 and answered.id = $5 and ${orderOfCheck('answered')} <= ${orderOfCheck('latest')}
      )
    from organization o where o.id = $1`,
}

const COVERAGE_TYPES = [undefined, 'primary', 'secondary', 'tertiary'] as const

async function readContext(
  deps: Needs,
  { organizationId, coverageId, appointmentId, id }: CoverageCheck,
  { patient, latest_eligibility_check: latest }: MutableCoverage,
): Promise<Context> {
  const values = [organizationId, patient, coverageId, appointmentId ?? null, id, latest?.check_id ?? null]
  const row = await deps.database.row(contextStatement, values)
  const [mayUpdate, place, appointmentDate, isLatest] = row ?? []
  const coverageType = COVERAGE_TYPES[Number(place)]
  return {
    mayUpdateBenefits: mayUpdate === 't',
    isLatest: isLatest === 't',
    ...(coverageType && { coverageType }),
    ...(appointmentDate && { appointmentDate }),
  }
}

/** The event names the user of the check; the coverage is written by the system user. */
function checkCompleted(
  { id, coverageId, appointmentId, asked }: CoverageCheck,
  { status, parsedResponse, errors }: CheckOutcome,
  { patient, insurance_plan }: MutableCoverage,
  { coverageType, appointmentDate }: Context,
): TimelineEvent {
  const about = {
    coverage_id: coverageId,
    ...(appointmentId !== undefined && { appointment_id: appointmentId }),
  }
  const payload = {
    check_id: id,
    ...about,
    coverage_type: coverageType,
    status,
    payer_id: asked.payerId,
    payer_name: insurance_plan.payer_name,
    eligibility_status: parsedResponse?.eligibility_status,
    error_code: errors[0]?.errorDetails.code,
  }
  return {
    event_type: 'ELIG_CHECK_COMPLETED',
    patient_id: patient,
    ...about,
    ...(appointmentDate !== undefined && { appointment_date: appointmentDate }),
    payload: storable(payload),
  }
}

function benefitsUpdated(check: CoverageCheck, before: MutableCoverage, after: MutableCoverage): TimelineEvent {
  const edits = listEdits({ benefits: before.benefits }, { benefits: after.benefits })
  return {
    event_type: 'COVERAGE_UPDATED',
    patient_id: before.patient,
    coverage_id: check.coverageId,
    payload: { edits, source: 'eligibility_check', check_id: check.id, initiator_user_id: check.userId },
  }
}
