// Determines what is known about one coverage of a visit on the date of service.

import type { Actor } from '../../contract/actor.ts'
import { WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { rejectReasonNames } from '../../x12/codes/rejections.ts'
import { isFiledBefore, type ObstacleKind, type StoredObstacle } from '../answers/coverage/obstacles.ts'
import type { CheckError, CheckOutcome } from '../answers/outcome.ts'
import type { EligibilityStatus } from '../answers/wire.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../checks/answer-check.ts'
import { COVERAGE_FIELDS } from '../checks/coverage-request.ts'
import { keyOf, requestAbout } from './basis.ts'
import type { Finding } from './decide.ts'
import { type Claim, type CoverageFinding, findEarlierCheck } from './verification-store.ts'
import { type FiledCoverage, MISSING_NPI, type Visit } from './visit.ts'

/** What the verification of a visit needs. */
export type VerificationNeeds = AnsweringNeeds & Pick<Deps, 'systemDatabase'>

/**
 * The finding about a coverage on the visit's day: from checks since this verification began, else from a new one. Never throws for missing
 * records or for faults of the clearinghouse or payer.
 */
export async function findOut(
  deps: VerificationNeeds,
  { claim, visit, asker, keys }: { claim: Claim; visit: Visit; asker: Actor; keys: ReadonlyMap<string, string> },
  coverage: FiledCoverage,
): Promise<CoverageFinding> {
  // The coverage, the patient or the visit may have changed since: only an answer to the same inquiry counts.
  const key = keyOf(visit, coverage)
  const known = claim.answers.find(({ coverage_id }) => coverage_id === coverage.id)
  if (known?.check_id !== undefined && keys.get(known.check_id) === key) return known
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
    const found = findingOfCoverage(status, earlier.obstacles, filedBefore(visit, coverage))
    return { coverage_id: coverage.id, check_id: earlier.checkId, ...found }
  }
  // A failed one was an outage, or its worker was killed before it could record the result.
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

/** Our own error codes for answers that cannot be used (eligibility/answers/read-answer.ts). */
const UNUSABLE: ReadonlySet<string | undefined> = new Set(['REFUSED', 'UNREADABLE_ANSWER', 'CONFLICTING_ANSWERS'])

/** Answers about another or an unidentified person: a user has to compare the record with the insurance card. */
const ABOUT_OTHERS: ReadonlySet<string | undefined> = new Set(['PATIENT_MISMATCH', 'PATIENT_NOT_NAMED'])

/** The finding of a check's outcome. Source: rules.md 17; x12-271.md 8. */
function findingOf(
  outcome: CheckOutcome,
  filedFirst: readonly FiledCoverage[],
): Pick<CoverageFinding, 'finding' | 'detail' | 'afterMs'> {
  const { parsedResponse, outage, errors, obstacles = [] } = outcome
  const status = parsedResponse?.eligibility_status
  if (status === 'ACTIVE' || status === 'INACTIVE') return findingOfCoverage(status, obstacles, filedFirst)
  const detail = detailOf(errors)
  if (outage) return { finding: 'UNAVAILABLE', ...detail, ...(outage.afterMs && { afterMs: outage.afterMs }) }
  return { finding: faultOf(errors), ...detail }
}

/** The obstacle of active coverage, the most severe first. The other payer may be the one that is filed before this one. */
function findingOfCoverage(
  status: EligibilityStatus,
  obstacles: readonly StoredObstacle[],
  filedFirst: readonly FiledCoverage[],
): Pick<CoverageFinding, 'finding' | 'detail'> {
  if (status !== 'ACTIVE') return { finding: status }
  const plans = filedFirst.map(({ body }) => body.insurance_plan)
  const standing = obstacles.filter(({ kind, payer }) => kind !== 'OTHER_PAYER' || !isFiledBefore(payer, plans))
  if (standing.length === 0) return { finding: 'ACTIVE' }
  const kinds = [...new Set(standing.map(({ kind }) => kind))]
  const findings = kinds.map((kind) => FINDINGS[kind])
  const finding = (['INACTIVE', 'OTHER_PAYER'] as const).find((each) => findings.includes(each)) ?? 'REJECTED'
  return { finding, detail: kinds.join(', ') }
}

const FINDINGS: Readonly<Record<ObstacleKind, Finding>> = {
  NO_COVER_FOR_SERVICE: 'INACTIVE',
  OTHER_PAYER: 'OTHER_PAYER',
  SPEND_DOWN: 'REJECTED',
  CORRECTION: 'REJECTED',
  DOUBT: 'REJECTED',
}

function filedBefore({ coverages }: Visit, { id }: FiledCoverage): FiledCoverage[] {
  return coverages.slice(
    0,
    coverages.findIndex((each) => each.id === id),
  )
}

/**
 * Our choice: an inquiry that failed on our side of the payer (credentials, certificate, a wrong address) counts as unavailable, so that it
 * is retried after an operator has corrected the cause.
 */
function faultOf(errors: CheckError[]): Finding {
  if (errors.length === 0) return 'UNKNOWN'
  const codes = errors.map(({ errorDetails }) => errorDetails.code)
  if (errors.some(({ errorDetails }) => errorDetails.field === 'AAA')) return 'REJECTED'
  // A clearinghouse that rejects the inquiry itself also gives an X12 reject reason (rules.md 13.3).
  if (codes.some((code) => code !== undefined && Object.hasOwn(rejectReasonNames, code))) return 'REJECTED'
  if (codes.some((code) => ABOUT_OTHERS.has(code))) return 'REJECTED'
  return codes.every((code) => UNUSABLE.has(code)) ? 'UNUSABLE' : 'UNAVAILABLE'
}

/** The codes only: descriptions may quote the inquiry. */
function detailOf(errors: CheckError[]): { detail?: string } {
  const codes = errors.flatMap(({ errorDetails: { code, field } }) => {
    return code === undefined ? [] : [field === 'AAA' ? `AAA ${code}` : code]
  })
  return codes.length === 0 ? {} : { detail: [...new Set(codes)].join(', ') }
}
