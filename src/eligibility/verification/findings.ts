// What an answer says about a coverage of a visit. Source: rules.md 17; x12-271.md 8.

import { rejectReasonNames } from '../../x12/codes/rejections.ts'
import {
  isFiledBefore,
  type ReadinessIssueKind,
  type StoredReadinessIssue,
} from '../answers/coverage/readiness-issues.ts'
import type { CheckError, CheckOutcome } from '../answers/outcome.ts'
import type { EligibilityStatus } from '../answers/wire.ts'
import type { CoverageFinding, Finding } from './decide.ts'
import type { FiledCoverage, Visit } from './visit.ts'

/** Our own error codes for answers that cannot be used (eligibility/answers/read-answer.ts). */
const UNUSABLE: ReadonlySet<string | undefined> = new Set(['REFUSED', 'UNREADABLE_ANSWER', 'CONFLICTING_ANSWERS'])

/** Answers about another or an unidentified person: a user has to compare the record with the insurance card. */
export const ABOUT_OTHERS: ReadonlySet<string | undefined> = new Set(['PATIENT_MISMATCH', 'PATIENT_NOT_NAMED'])

/** The finding of a check's outcome. Source: rules.md 17; x12-271.md 8. */
export function findingOf(
  outcome: CheckOutcome,
  filedFirst: readonly FiledCoverage[],
): Pick<CoverageFinding, 'finding' | 'detail' | 'afterMs'> {
  const { parsedResponse, outage, errors, readinessIssues = [] } = outcome
  const status = parsedResponse?.eligibility_status
  if (status === 'ACTIVE' || status === 'INACTIVE') return findingOfCoverage(status, readinessIssues, filedFirst)
  const detail = detailOf(errors)
  if (outage) return { finding: 'UNAVAILABLE', ...detail, ...(outage.afterMs && { afterMs: outage.afterMs }) }
  return { finding: faultOf(errors), ...detail }
}

/** The readiness issue of active coverage, the most severe first. The other payer may be the one that is filed before this one. */
export function findingOfCoverage(
  status: EligibilityStatus,
  readinessIssues: readonly StoredReadinessIssue[],
  filedFirst: readonly FiledCoverage[],
): Pick<CoverageFinding, 'finding' | 'detail'> {
  if (status !== 'ACTIVE') return { finding: status }
  const plans = filedFirst.map(({ body }) => body.insurance_plan)
  const standing = readinessIssues.filter(({ kind, payer }) => kind !== 'OTHER_PAYER' || !isFiledBefore(payer, plans))
  if (standing.length === 0) return { finding: 'ACTIVE' }
  const kinds = [...new Set(standing.map(({ kind }) => kind))]
  const findings = kinds.map((kind) => FINDINGS[kind])
  const finding = (['INACTIVE', 'OTHER_PAYER'] as const).find((each) => findings.includes(each)) ?? 'REJECTED'
  return { finding, detail: kinds.join(', ') }
}

const FINDINGS: Readonly<Record<ReadinessIssueKind, Finding>> = {
  NO_COVER_FOR_SERVICE: 'INACTIVE',
  OTHER_PAYER: 'OTHER_PAYER',
  SPEND_DOWN: 'REJECTED',
  CORRECTION: 'REJECTED',
  DOUBT: 'REJECTED',
}

/** The coverages that are filed before this one. */
export function filedBefore({ coverages }: Visit, { id }: FiledCoverage): FiledCoverage[] {
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
