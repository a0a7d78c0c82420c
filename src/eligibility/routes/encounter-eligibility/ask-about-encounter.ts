import type { Actor } from '../../../contract/actor.ts'
import type { EligibilityRequest } from '../../../contract/eligibility-check.schema.ts'
import { notFound } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/formats.ts'
import { auditContextText, markAudited } from '../../../platform/audit/audit-context.ts'
import { patientThrough } from '../../../platform/audit/audited-record.ts'
import { eventOf } from '../../../platform/audit/pending.ts'
import { coverage } from '../../../resources/coverages/coverage.ts'
import { PLAN_SERVICE } from '../../../x12/codes/service-types.ts'
import { type CheckError, failedCheck } from '../../answers/outcome.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../../checks/answer-check.ts'
import { encryptedRequest } from '../../checks/check-store.ts'
import {
  type AskedCoverage,
  type AskedPatient,
  COVERAGE_FIELDS,
  findAsked,
  toCoverageRequest,
} from '../../checks/coverage-request.ts'

/** An appointment with the data for a check of its patient's primary coverage; missing values are undefined. */
interface Encounter {
  appointmentId: string
  /** YYYY-MM-DD in the organization's calendar. */
  day: string
  npi: string | undefined
  primary: { coverageId: string; coverage: AskedCoverage; patient: AskedPatient } | undefined
}

/**
 * Checks the primary coverage of an appointment's patient on the day of the appointment, and returns the id of the stored check. Our
 * choice: the interface does not define an encounter; here it is an appointment, identified by its id. If data for the check is missing,
 * the check fails and names it. Source: rules.md 13.12.
 * @throws NotFoundError, BadRequestError for an id longer than X12 allows.
 */
export async function askAboutEncounter(deps: AnsweringNeeds, actor: Actor, encounterId: string): Promise<string> {
  const encounter = await readEncounter(deps, actor, encounterId)
  const { appointmentId, day, npi, primary } = encounter
  const request =
    primary &&
    toCoverageRequest(primary.coverage, primary.patient, {
      npi: npi ?? '',
      dateOfService: day,
      serviceTypeCodes: [PLAN_SERVICE],
    })
  const errors = findGaps(encounter)
  if (!request || errors.length > 0) return storeUnsent(deps, actor, encounter, request, errors)
  const subject = { appointmentId, coverageId: primary.coverageId }
  const check = await beginCheck(deps, actor, await prepareInquiry(deps, actor, request, COVERAGE_FIELDS), subject)
  await answerCheck(deps, check)
  return check.id
}

const encounterStatement = {
  name: 'encounter',
  text: `select a.id, ((a.body ->> 'start_timestamp')::timestamptz at time zone o.time_zone)::date,
      coalesce(nullif(trim(a.body #>> '{attending_doctor,npi}'), ''), nullif(trim(o.npi), '')),
      p.body #>> '{filing_order,coverages,0}'
    from appointment a
      join organization o on o.id = a.organization_id
      join patient p on p.organization_id = $1 and p.id = (a.body ->> 'patient_id')::uuid
    where a.organization_id = $1 and a.id = $2`,
}

async function readEncounter(deps: AnsweringNeeds, { organizationId }: Actor, encounterId: string): Promise<Encounter> {
  const key = [organizationId, encounterId]
  const row = isUuid(encounterId) ? await deps.database.row(encounterStatement, key) : undefined
  if (!row) throw notFound('Encounter')
  const [appointmentId = '', day = '', npi, coverageId] = row
  return {
    appointmentId,
    day,
    npi: npi ?? undefined,
    primary: coverageId ? await findAsked(deps, organizationId, coverageId) : undefined,
  }
}

function findGaps({ npi, primary }: Encounter): CheckError[] {
  const gap = (field: string, description: string) =>
    failedCheck({ code: 'INVALID_REQUEST', field, description }, 'CANDID').errors
  return [
    ...(primary ? [] : gap('filing_order.coverages', "the appointment's patient has no primary coverage")),
    ...(npi === undefined
      ? gap('attending_doctor.npi', "neither the appointment's attending doctor nor the organization has an NPI")
      : []),
  ]
}

const unaskedStatement = {
  name: 'encounter_check_unasked',
  text: `with ${eventOf({ type: 'eligibility_check', auditContext: '$10', ids: 'array[$2::uuid::text]', patients: `array_remove(array[${patientThrough(coverage, '$7::uuid')}], null)` })}
    insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, attempt, request,
      date_of_service, coverage_id, appointment_id, errors)
    values ($1, $2, $3, $3, $4, 'FAILED', 0, $5, $6, $7, $8, $9)`,
}

/** No inquiry was sent, so the check has no effect on the coverage. */
async function storeUnsent(
  deps: AnsweringNeeds,
  actor: Actor,
  { appointmentId, day, primary }: Encounter,
  request: EligibilityRequest | undefined,
  errors: CheckError[],
): Promise<string> {
  const id = deps.newId()
  await deps.database.rows(unaskedStatement, [
    actor.organizationId,
    id,
    deps.now().toISOString(),
    actor.userId,
    request ? encryptedRequest(deps, { ...actor, id }, request) : null,
    day,
    primary?.coverageId ?? null,
    appointmentId,
    JSON.stringify(errors),
    auditContextText(actor, 'eligibility_check.create'),
  ])
  markAudited(actor)
  return id
}
