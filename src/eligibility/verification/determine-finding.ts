// Determines what is known about one coverage of a visit on the date of service.

import type { Actor } from '../../contract/actor.ts'
import { WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import type { EligibilityStatus } from '../answers/wire.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../checks/answer-check.ts'
import { COVERAGE_FIELDS } from '../checks/coverage-request.ts'
import { keyOf, requestAbout } from './basis.ts'
import type { Claim } from './claim-visits.ts'
import type { CoverageFinding } from './decide.ts'
import { filedBefore, findingOf, findingOfCoverage } from './findings.ts'
import { isContradicted } from './later-checks.ts'
import { findEarlierCheck } from './verification-store.ts'
import { type FiledCoverage, MISSING_NPI, type Visit } from './visit.ts'

/** What the verification of a visit needs. */
export type VerificationNeeds = AnsweringNeeds & Pick<Deps, 'systemDatabase' | 'metrics'>

/**
 * The finding about a coverage on the visit's day: from checks since this verification began, else from a new one. Never throws for missing
 * records or for faults of the clearinghouse or payer.
 */
export async function determineFinding(
  deps: VerificationNeeds,
  { claim, visit, asker, keys }: { claim: Claim; visit: Visit; asker: Actor; keys: ReadonlyMap<string, string> },
  coverage: FiledCoverage,
): Promise<CoverageFinding> {
  // The coverage, the patient or the visit may have changed since: only an answer to the same inquiry counts.
  const key = keyOf(visit, coverage)
  const known = claim.answers.find(({ coverage_id }) => coverage_id === coverage.id)
  if (known?.check_id !== undefined && keys.get(known.check_id) === key) {
    return (await isContradicted(deps, visit, coverage, known)) ? askNow(deps, asker, visit, coverage) : known
  }
  const stored = await findEarlierCheck(deps, claim, coverage.id)
  const earlier = stored?.key === key ? stored : undefined
  if (earlier?.status === 'PENDING') {
    return {
      coverage_id: coverage.id,
      check_id: earlier.checkId,
      finding: 'PENDING',
      detail: 'the check is still open',
    }
  }
  if (earlier?.status === 'COMPLETED') {
    const status = (earlier.eligibility ?? 'UNKNOWN') as EligibilityStatus
    const found = findingOfCoverage(status, earlier.readinessIssues, filedBefore(visit, coverage))
    const finding = { coverage_id: coverage.id, check_id: earlier.checkId, ...found }
    if (!(await isContradicted(deps, visit, coverage, finding))) return finding
  }
  // A failed one was an outage, or its worker was killed before it could record the result. A contradicted one is repeated.
  return askNow(deps, asker, visit, coverage)
}

/** Sends one inquiry. */
async function askNow(
  deps: VerificationNeeds,
  actor: Actor,
  visit: Visit,
  coverage: FiledCoverage,
): Promise<CoverageFinding> {
  const { id } = coverage
  if (visit.npi === undefined) {
    return { coverage_id: id, finding: 'NOT_ASKED', detail: MISSING_NPI }
  }
  try {
    const inquiry = await prepareInquiry(deps, actor, requestAbout(visit, coverage, visit.npi), COVERAGE_FIELDS)
    const check = await beginCheck(deps, actor, inquiry, { coverageId: id, appointmentId: visit.appointmentId })
    return {
      coverage_id: id,
      check_id: check.id,
      ...findingOf(await answerCheck(deps, check), filedBefore(visit, coverage)),
    }
  } catch (error) {
    // Its message names fields, never a patient's value (errors.ts).
    if (error instanceof WireError) return { coverage_id: id, finding: 'NOT_ASKED', detail: error.message }
    throw error
  }
}
