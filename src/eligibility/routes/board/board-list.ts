// What a board shows of visits: of the list of appointments, a fifth of the bytes, together with the limits and the costs of active coverage.
// decisions/0082-what-a-board-reads.md
import { type Static, Type } from 'typebox'
import type { Actor } from '../../../contract/actor.ts'
import { CoverageBenefits, CoverageDetails } from '../../../contract/benefits.schema.ts'
import { EligibilityCheckErrorDetails } from '../../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../../deps.ts'
import { showPatient } from '../../../platform/audit/audit-context.ts'
import { CHUNK_BYTES } from '../../../records/read-all.ts'
import { WIRE_COLUMN_COUNT, wireColumns } from '../../../records/statements.ts'
import { toWire } from '../../../records/wire.ts'
import { UniversalServiceIdentifier } from '../../../resources/appointments/appointment.schema.ts'
import { appointment } from '../../../resources/appointments/appointment.ts'
import { InsurancePlan, LatestEligibilityCheck, MutableCoverage } from '../../../resources/coverages/coverage.schema.ts'
import { type AppointmentListQuery, appointmentList } from '../../../resources/lists/appointment-list.ts'
import { VISIT_COVERAGES } from '../../../resources/lists/filed-coverages.ts'
import type { List } from '../../../resources/lists/list.ts'
import { ASKED, byId, coveragesById } from '../../../resources/lists/related-records.ts'
import { MutablePatientWithMrn } from '../../../resources/patients/create-patient.ts'
import { findAnsweredLimits } from '../../checks/coverage-limits.ts'
import { CoverageLimit } from '../stored-checks/stored-check.schema.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

const BoardPatient = Type.Pick(MutablePatientWithMrn, [
  'name',
  'birth_date',
  'mrn',
  'self_pay',
  'primary_telecom',
  'filing_order',
])

/**
 * `limits`: of the latest check; absent if that check has just been replaced. One that is not ACTIVE has at most CHANGED.
 * `office_visit_costs`: the in-network copays (dollars) and coinsurances (percent) that an ACTIVE one states for an office visit, otherwise
 * for the plan.
 */
export const BoardCoverage = Type.Object({
  ...Type.Pick(MutableCoverage, ['status', 'eligibility_checks']).properties,
  insurance_plan: Type.Pick(InsurancePlan, ['payer_name', 'member_id']),
  latest_eligibility_check: Type.Optional(
    Type.Object({
      ...Type.Pick(LatestEligibilityCheck, ['check_id', 'status', 'initiated_at']).properties,
      errors: Type.Optional(Type.Array(Type.Pick(EligibilityCheckErrorDetails, ['code', 'description']))),
    }),
  ),
  benefits: Type.Optional(Type.Pick(CoverageBenefits, ['notes'])),
  limits: Type.Optional(Type.Array(CoverageLimit)),
  office_visit_costs: Type.Optional(Type.Array(Type.Pick(CoverageDetails, ['type', 'coverageLevel', 'unit', 'value']))),
})

export const BoardItem = Type.Object({
  appointment: appointment.wire,
  patient: BoardPatient,
  primary_coverage: Type.Optional(BoardCoverage),
  secondary_coverage: Type.Optional(BoardCoverage),
  primary_service_type: Type.Optional(UniversalServiceIdentifier),
})
type Coverage = Static<typeof BoardCoverage>

const pick = (from: string, ...fields: string[]) =>
  `jsonb_build_object(${fields.map((field) => `'${field}', ${from} -> '${field}'`).join(', ')})`

/** The filed coverages that may be shown: a tertiary one is, where one before it does not count. */
const FILED = ['first_coverage', 'second_coverage', 'third_coverage'] as const
/** Of the checks the open ones, and of an answer's errors the first, which a board explains. */
const boardCoverage = (alias: string) => `
    case when ${alias}.id is not null then jsonb_strip_nulls(jsonb_build_object(
      'patient', ${alias}.body -> 'patient', 'id', ${alias}.id, 'status', ${alias}.body -> 'status',
      'insurance_plan', ${pick(`${alias}.body -> 'insurance_plan'`, 'payer_name', 'member_id')},
      'eligibility_checks', jsonb_path_query_array(${alias}.body, '$.eligibility_checks[*] ? (@.status == "PENDING")'),
      'latest_eligibility_check', case when ${alias}.body ? 'latest_eligibility_check' then
        ${pick(`${alias}.body -> 'latest_eligibility_check'`, 'check_id', 'status', 'initiated_at')}
        || case when ${alias}.body #> '{latest_eligibility_check,errors,0}' is not null then jsonb_build_object('errors',
          jsonb_build_array(${pick(`${alias}.body #> '{latest_eligibility_check,errors,0}'`, 'code', 'description')})) else '{}' end end,
      'benefits', case when ${alias}.body #> '{benefits,notes}' is not null then
        jsonb_build_object('notes', ${alias}.body #> '{benefits,notes}') end)) end::text`

/** $1 organization, $2 appointments. */
const itemsStatement = {
  name: 'board_items',
  text: `select ${wireColumns('appointment')},
      jsonb_strip_nulls(${pick('patient.body', 'name', 'birth_date', 'self_pay', 'primary_telecom', 'filing_order')}
        || jsonb_build_object('mrn', patient.mrn))::text,
      ${FILED.map(boardCoverage).join(', ')},
      (appointment.body #> '{services,0,universal_service_identifier}')::text, appointment.patient_id
    from ${ASKED}
    ${byId('appointment', 'asked.id')}
    ${byId('patient', 'appointment.patient_id')}
    ${coveragesById(FILED)}
    order by asked.position`,
}

/** The list of appointments, whose filters, order and pages it has, with leaner items. */
export const boardList: List<Static<typeof AppointmentListQuery>> = {
  ...appointmentList,
  operation: 'board.getVisits',
  readItems: readBoardItems,
}

async function readBoardItems(deps: Needs, actor: Actor, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await deps.database.rows({ ...itemsStatement, maxBytes: CHUNK_BYTES }, [actor.organizationId, ids])
  const coverages = rows.map((row) =>
    shownCoverages(
      FILED.map((_, place) => row[WIRE_COLUMN_COUNT + 1 + place]),
      row.at(-1),
    ),
  )
  const checked = coverages.flat().flatMap((each) => (each.latest_eligibility_check ? [each.id] : []))
  const answered = checked.length > 0 ? await findAnsweredLimits(deps, actor.organizationId, checked) : []
  const answers = new Map(answered.map((each) => [each.checkId, each]))
  return rows.map((row, place) => {
    showPatient(actor, row.at(-1) ?? '')
    const parts = (coverages[place] ?? []).map((each, at) => {
      const { id: _, patient, ...shown } = each
      showPatient(actor, patient.toLowerCase())
      const { latest_eligibility_check: latest } = each
      const answer = answers.get(latest?.check_id ?? '')
      const costs = latest?.status === 'ACTIVE' && { office_visit_costs: answer?.officeVisitCosts }
      const known = answer && { limits: answer.limits, ...costs }
      return `,"${VISIT_COVERAGES[at]}":${JSON.stringify({ ...shown, ...known })}`
    })
    const service = row[WIRE_COLUMN_COUNT + 1 + FILED.length]
    const type = service == null ? '' : `,"primary_service_type":${service}`
    const listed = toWire(appointment, row.slice(0, WIRE_COLUMN_COUNT), deps.vault)
    return `{"appointment":${listed},"patient":${row[WIRE_COLUMN_COUNT]}${parts.join('')}${type}}`
  })
}

type Stored = Coverage & { id: string; patient: string }

/**
 * The first two of the filed coverages, those that a visit counts before those that it does not (cancelled, a draft, entered in error, of
 * another patient): the primary one on the board is the one that the verification checks. Source: rules.md 6, 17.
 */
function shownCoverages(filed: readonly (string | null | undefined)[], patientId: string | null | undefined): Stored[] {
  const stored = filed.flatMap((json) => (json == null ? [] : [JSON.parse(json) as Stored]))
  const counts = ({ status, patient }: Stored) => status === 'ACTIVE' && patient.toLowerCase() === patientId
  return [...stored.filter(counts), ...stored.filter((each) => !counts(each))].slice(0, VISIT_COVERAGES.length)
}
