// The limits of active coverage in stored answers, and what it asks for an office visit. decisions/0068-limits-of-active-coverage.md

import type { Static } from 'typebox'
import type { CoverageDetails } from '../../contract/benefits.schema.ts'
import type { Deps } from '../../deps.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { OFFICE_VISIT, PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { type CoverageLimit, limitsOf, withoutFiledPayer } from '../answers/coverage/limits.ts'
import { isFiledBefore, type StoredReadinessIssue } from '../answers/coverage/readiness-issues.ts'
import { changedSince, MEMBER_FIELDS } from './coverage-request.ts'

type Needs = Pick<Deps, 'database'>

/** Nothing longer is sent in an inquiry or compared (check-request.ts); a stored record may hold a megabyte. */
const LONGEST = 1000
/** Only the first coverages of a longer filing order count. */
const FILED_MAX = 20

/** `field('c.body', 'insurance_plan', 'payer_id')`: a text of a stored record, as much of it as can matter. */
const field = (body: string, ...path: string[]) => `left(${body} #>> '{${path.join()}}', ${LONGEST})`

/** The answer's alerts and readiness issues, and the plans that are filed before the coverage, where a readiness issue may name one. */
const limitsColumns = (
  answer: string,
) => `${answer} #>> '{benefits,notes}', e.obstacles::text, case when e.obstacles::text like '%OTHER_PAYER%' then (
    select json_agg(json_strip_nulls(json_build_object('payer_id', ${field('b.body', 'insurance_plan', 'payer_id')}, 'payer_name', ${field('b.body', 'insurance_plan', 'payer_name')})))
    from patient p
      cross join jsonb_array_elements_text(p.body #> '{filing_order,coverages}') with ordinality as filed (id, place)
      join coverage b on b.organization_id = $1 and b.id = filed.id::uuid and not b.deactivated and b.body ->> 'status' = 'ACTIVE'
    where p.organization_id = $1 and p.id = c.patient::uuid and filed.place <= ${FILED_MAX} and filed.place < (
      select own.place from jsonb_array_elements_text(p.body #> '{filing_order,coverages}') with ordinality as own (id, place)
      where own.id = c.id::text limit 1
    )
  )::text end`
const isActive = (answer: string) => `${answer} ->> 'eligibility_status' = 'ACTIVE'`

/** The in-network copays and coinsurances of a service type in `answer`. */
const costsOf = (serviceType: string) =>
  `jsonb_path_query_array(answer, '$.benefits.service_specific_coverage[*] ? (@.service_code == "${serviceType}").in_network_flat[*] ? (@.type == "COPAY" || @.type == "COINSURANCE")')::text`

const memberSql = (member: string) =>
  `jsonb_build_object(${MEMBER_FIELDS.map(([name]) => `'${name}', ${field(member, name)}`).join(', ')})`

const nameSql = (name: string) =>
  `jsonb_build_object('given', jsonb_build_array(${field(name, 'given', '0')}), 'family', ${field(name, 'family')})`

/** The inquiry and the records that it was made from, with what a payer finds a person by; null without a patient. */
const askedColumn = `case when asked.id is not null then jsonb_strip_nulls(jsonb_build_object(
    'request', jsonb_build_object('payer_id', ${field('e.request', 'payer_id')}, 'subscriber', ${memberSql(`(e.request -> 'subscriber')`)},
      'dependent', case when e.request ? 'dependent' then ${memberSql(`(e.request -> 'dependent')`)} end),
    'coverage', jsonb_build_object('relationship', c.body ->> 'relationship',
      'insurance_plan', jsonb_build_object('payer_id', ${field('c.body', 'insurance_plan', 'payer_id')},
        'member_id', coalesce(${field('c.body', 'insurance_plan', 'member_id')}, '')),
      'subscriber', jsonb_build_object('name', ${nameSql(`(c.body #> '{subscriber,name}')`)}, 'date_of_birth', ${field('c.body', 'subscriber', 'date_of_birth')})),
    'patient', jsonb_build_object('name', ${nameSql(`(asked.body -> 'name')`)}, 'birth_date', asked.birth_date)
  ))::text end`

/** The status of the latest answer, without reading the answer. */
const LATEST = `c.body #>> '{latest_eligibility_check,status}'`

/**
 * The first service type with a cost counts, as in the estimate of the copay: the office visit, then the plan.
 * The answer is JSON text: `offset 0` keeps PostgreSQL from reading it again for each expression, which takes three times as long. One that
 * is not ACTIVE is not read: it has no limits, and may only be about data that were changed since.
 */
const latestStatement = {
  name: 'coverage_limits',
  text: `select ${limitsColumns('answer')}, c.id, e.id, c.patient, ${askedColumn}, ${LATEST},
      ${costsOf(OFFICE_VISIT)}, ${costsOf(PLAN_SERVICE)}
    from coverage c
      left join patient asked on asked.organization_id = $1 and asked.id = c.patient::uuid
      join eligibility_check e on e.organization_id = $1 and e.id = (c.body #>> '{latest_eligibility_check,check_id}')::uuid
      cross join lateral (select case when ${LATEST} = 'ACTIVE' then e.parsed_response::jsonb end as answer offset 0) as parsed
    where c.organization_id = $1 and c.id = any($2::uuid[]) and (${LATEST} <> 'ACTIVE' or ${isActive('answer')})
    order by c.id`,
}

const checkStatement = {
  name: 'check_limits',
  text: `select ${limitsColumns('e.parsed_response')}
    from eligibility_check e left join coverage c on c.organization_id = $1 and c.id = e.coverage_id
    where e.organization_id = $1 and e.id = $2 and ${isActive('e.parsed_response')}`,
}

interface CoverageLimits {
  coverageId: string
  checkId: string
  patientId: string
  limits: CoverageLimit[]
  /** In-network copays and coinsurances of an office visit, in the order of the answer. */
  officeVisitCosts: Cost[]
}

type Cost = Pick<Static<typeof CoverageDetails>, 'type' | 'coverageLevel' | 'unit' | 'value'>

/**
 * The limits of the latest answer about each coverage: those of an ACTIVE one, and of any whether it is about other data than the coverage
 * has now. One without a limit, and another organization's, is left out.
 */
export async function findCoverageLimits(
  needs: Needs,
  organizationId: string,
  coverageIds: readonly string[],
): Promise<CoverageLimits[]> {
  const answered = await findAnsweredLimits(needs, organizationId, coverageIds)
  return answered.filter(({ limits }) => limits.length > 0)
}

/** The same with the answers that have no limit, so that a reader knows which answer has been read. */
export async function findAnsweredLimits(
  { database }: Needs,
  organizationId: string,
  coverageIds: readonly string[],
): Promise<CoverageLimits[]> {
  const rows = await database.rows(latestStatement, [organizationId, coverageIds])
  const found: CoverageLimits[] = []
  for (const row of rows) {
    await takeTurn(organizationId)
    const [coverageId = '', checkId = '', patientId = '', asked, latest, ...costs] = row.slice(3)
    const changes = changesSince(asked, { isFound: latest !== 'UNKNOWN' })
    const limits = [...changes, ...(latest === 'ACTIVE' ? limitsIn(row) : [])]
    found.push({ coverageId, checkId, patientId, limits, officeVisitCosts: costsIn(costs) })
  }
  return found
}

/** The limits in one check's own answer, whatever has changed since; none unless it is ACTIVE and the organization's. */
export async function findCheckLimits(
  { database }: Needs,
  organizationId: string,
  checkId: string,
): Promise<CoverageLimit[]> {
  const row = await database.row(checkStatement, [organizationId, checkId])
  return row ? limitsIn(row) : []
}

function changesSince(asked: string | null | undefined, { isFound }: { isFound: boolean }): CoverageLimit[] {
  if (asked == null) return []
  const { request, coverage, patient } = JSON.parse(asked)
  const changed = changedSince(request, coverage, patient, { isFound })
  return changed.length > 0 ? [{ kind: 'CHANGED', note: `changed after the check: ${changed.join(', ')}` }] : []
}

function costsIn(byService: TextRow): Cost[] {
  const stated = byService.map((json) => JSON.parse(json ?? '[]') as Cost[]).find((costs) => costs.length > 0)
  return (stated ?? []).map(({ type, coverageLevel, unit, value }) => ({ type, coverageLevel, unit, value }))
}

function limitsIn([notes, readinessIssues, before]: TextRow): CoverageLimit[] {
  const limits = limitsOf({ eligibility_status: 'ACTIVE', benefits: { notes: notes ?? '' } })
  return isOrderRight(readinessIssues, before) ? withoutFiledPayer(limits) : limits
}

/** True when every payer that comes first is filed first. */
function isOrderRight(readinessIssues: string | null | undefined, before: string | null | undefined): boolean {
  const others = (JSON.parse(readinessIssues ?? '[]') as StoredReadinessIssue[]).filter(
    ({ kind }) => kind === 'OTHER_PAYER',
  )
  const plans = JSON.parse(before ?? '[]')
  return others.length > 0 && others.every(({ payer }) => isFiledBefore(payer, plans))
}
