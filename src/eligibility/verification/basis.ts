// What the decision about a visit is based on: one inquiry for each coverage, about this person, this day and this coverage as they are
// stored. An answer to another inquiry says nothing about the visit. Source: rules.md 17; decisions/0010-verification.md.

import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import { WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import { checkKey, toCheckRequest, withIsoDates } from '../checks/check-request.ts'
import { toCoverageRequest } from '../checks/coverage-request.ts'
import type { FiledCoverage, Visit } from './visit.ts'

/** The inquiry about a coverage on the visit's day. */
export function requestAbout(visit: Visit, { body }: FiledCoverage, npi: string): EligibilityRequest {
  // Payers name the copay of an office visit in their answer about the plan. Source: x12-271.md 7.
  const serviceTypeCodes = visit.serviceTypeCodes.length > 0 ? visit.serviceTypeCodes : [PLAN_SERVICE]
  return toCoverageRequest(body, visit.patient, { npi, dateOfService: visit.dateOfService, serviceTypeCodes })
}

/** The key of the check that would be made about a coverage now; undefined when none can be made. */
export function keyOf(visit: Visit, coverage: FiledCoverage): string | undefined {
  if (visit.npi === undefined) return undefined
  try {
    const request = withIsoDates(requestAbout(visit, coverage, visit.npi))
    return checkKey(toCheckRequest(request, visit.dateOfService)).toString('hex')
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** True when both visits have the same coverages in the same order, and the same inquiries about them. */
export function restsOnSame(one: Visit, other: Visit): boolean {
  const basis = (visit: Visit) => visit.coverages.map((coverage) => [coverage.id, keyOf(visit, coverage) ?? null])
  return JSON.stringify(basis(one)) === JSON.stringify(basis(other))
}

const keysStatement = {
  name: 'verification_check_keys',
  text: `select id, encode(request_key, 'hex') from eligibility_check where organization_id = $1 and id = any($2::uuid[])`,
}

/** The keys of stored checks, by check. */
export async function readCheckKeys(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  checkIds: readonly string[],
): Promise<Map<string, string>> {
  if (checkIds.length === 0) return new Map()
  const rows = await deps.database.rows(keysStatement, [organizationId, checkIds])
  return new Map(rows.map(([id = '', key]) => [id ?? '', key ?? '']))
}

const holdStatements = {
  patient: {
    name: 'verification_hold_patient',
    text: 'select 1 from patient where organization_id = $1 and id = $2 for share',
  },
  appointment: {
    name: 'verification_hold_appointment',
    text: 'select 1 from appointment where organization_id = $1 and id = $2 for update',
  },
  coverages: {
    name: 'verification_hold_coverages',
    text: 'select 1 from coverage where organization_id = $1 and id = any($2::uuid[]) order by id for share',
  },
}

/** Locks the basis of the decision until the transaction of `deps` ends, in the order of decisions/0021-lock-order.md. */
export async function holdBasis(deps: Pick<Deps, 'database'>, visit: Visit): Promise<void> {
  const { organizationId, appointmentId, body, coverages } = visit
  const ids = coverages.map(({ id }) => id)
  await deps.database.rows(holdStatements.patient, [organizationId, body.patient_id])
  await deps.database.rows(holdStatements.appointment, [organizationId, appointmentId])
  if (ids.length > 0) await deps.database.rows(holdStatements.coverages, [organizationId, ids])
}
