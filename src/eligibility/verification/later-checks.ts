// Whether a later check of a coverage contradicts the answer that the state of a visit is based on. The payer is then asked again for the
// visit: the later check may be about another day or service. Source: rules.md 17; decisions/0105-what-a-decision-rests-on.md.

import type { Deps } from '../../deps.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { requestedServices, type StoredReadinessIssue } from '../answers/coverage/readiness-issues.ts'
import type { CheckError } from '../answers/outcome.ts'
import { mayBeOutage } from '../answers/rejections/rejections.ts'
import type { EligibilityStatus } from '../answers/wire.ts'
import { orderOfCheck } from '../checks/order-of-checks.ts'
import { findConversion, readRecommendations } from './check-recommendations.ts'
import type { CoverageFinding, Finding } from './decide.ts'
import { ABOUT_OTHERS, filedBefore, findingOfCoverage } from './findings.ts'
import type { FiledCoverage, Visit } from './visit.ts'

/** Only the latest ones are read: a caller that checks a coverage thousands of times must not delay others. */
const LATER_MAX = 500

/**
 * Only checks that the database stored later, in its own order (decisions/0088-order-of-checks.md), and for a day until the visit: coverage
 * may end after it. The last column is true for a check of a user, or of this visit, that was not about the past.
 */
const laterStatement = {
  name: 'verification_later_checks',
  text: `select c.id, c.parsed_response ->> 'eligibility_status', c.obstacles::text, c.errors::text,
      c.request #>> '{encounter,service_type_codes}',
      coalesce(c.appointment_id = $3, true) and c.date_of_service >= to_char(c.initiated_at - interval '2 days', 'YYYY-MM-DD')
    from eligibility_check known
      join eligibility_check c on c.organization_id = $1 and c.coverage_id = known.coverage_id
    where known.organization_id = $1 and known.id = $2 and c.status <> 'PENDING' and c.date_of_service <= $4
      and ${orderOfCheck('c')} > ${orderOfCheck('known')}
    order by ${orderOfCheck('c')} desc limit ${LATER_MAX}`,
}

/**
 * True when a later check of the coverage has another finding than this one, or names a plan that replaced it. For active coverage any check
 * counts, unless the visit is NOT_READY for another reason; otherwise only those of users and of this visit, because two visits with
 * different answers would cause new inquiries in turn without end. A timeout has no finding, and a check of other services has none about the visit.
 */
export async function isContradicted(
  deps: Pick<Deps, 'database'>,
  visit: Visit,
  coverage: FiledCoverage,
  {
    check_id: checkId,
    finding,
    isNotReady = false,
  }: Pick<CoverageFinding, 'check_id' | 'finding'> & { isNotReady?: boolean },
): Promise<boolean> {
  // The latest check that was answered: no later one has been.
  if (checkId === undefined || coverage.body.latest_eligibility_check?.check_id === checkId) return false
  const { organizationId, appointmentId, dateOfService } = visit
  const rows = await deps.database.rows(laterStatement, [organizationId, checkId, appointmentId, dateOfService])
  const countsAll = finding === 'ACTIVE' && !isNotReady
  const counted = rows.filter((row) => countsAll || row.at(-1) === 't')
  const later = counted.map(([, status, readinessIssues, errors, services]) => {
    const check: LaterCheck = {
      status: (status ?? 'UNKNOWN') as EligibilityStatus,
      readinessIssues: JSON.parse(readinessIssues ?? '[]') as StoredReadinessIssue[],
      errors: JSON.parse(errors ?? '[]') as CheckError[],
      services: JSON.parse(services ?? '["30"]') as string[],
    }
    return findingAbout(check, visit, coverage)
  })
  if (later.some((each) => each !== undefined && each !== finding)) return true
  if (!countsAll) return false
  const checkIds = counted.map(([id]) => id ?? '')
  const recommended = await readRecommendations(deps, organizationId, checkIds)
  return findConversion([...recommended.values()].flat(), visit.coverages) !== undefined
}

interface LaterCheck {
  status: EligibilityStatus
  readinessIssues: StoredReadinessIssue[]
  errors: CheckError[]
  services: string[]
}

/** The finding of the check about the coverage for the visit; undefined when it has none. */
function findingAbout(
  { status, readinessIssues, errors, services }: LaterCheck,
  visit: Visit,
  coverage: FiledCoverage,
): Finding | undefined {
  if (status === 'UNKNOWN') return errors.some(isRefusal) ? 'REJECTED' : undefined
  if (!isAboutVisit(services, visit)) return undefined
  return findingOfCoverage(status, readinessIssues, filedBefore(visit, coverage)).finding
}

/** The payer answered about another person, or rejected the inquiry while it could have answered. */
function isRefusal({ errorDetails: { code, field } }: CheckError): boolean {
  return ABOUT_OTHERS.has(code) || (field === 'AAA' && !mayBeOutage(code))
}

/** True for a check of the plan, or of a service of the visit. */
function isAboutVisit(asked: readonly string[], { serviceTypeCodes }: Visit): boolean {
  const services = requestedServices(serviceTypeCodes)
  return asked.includes(PLAN_SERVICE) || asked.some((code) => services.includes(code))
}
