// What keeps a visit from being READY although the payer reports active coverage. Source: rules.md 17; x12-271.md 5, rule 7.
import type { BenefitRow } from '../../x12/model.ts'
import { doubtsPatient } from '../../x12/refusals.ts'
import { describeInWords } from './benefit-notes.ts'
import { explainOutOfForce } from './in-force.ts'
import { type Answer, type Finding, recognizePayer } from './other-coverage.ts'
import { findOtherPayers } from './other-payers.ts'
import { describeReason } from './rejections.ts'
import { findUnmetSpendDown } from './spend-down.ts'
import { isActiveRow, isInactiveRow, isPlanRow, type Judgement, PLAN_SERVICE } from './status.ts'
import type { RequestCorrection } from './wire.ts'

/**
 * - NO_COVER_FOR_SERVICE: the service of the visit is not among those that are covered, or is named as not covered.
 * - OTHER_PAYER: another payer is primary. SPEND_DOWN: the patient owes an amount before the coverage begins to pay.
 * - CORRECTION: the payer has other identity data, which a person has to confirm. DOUBT: it refuses the person for one benefit.
 */
export type ObstacleKind = 'NO_COVER_FOR_SERVICE' | 'OTHER_PAYER' | 'SPEND_DOWN' | 'CORRECTION' | 'DOUBT'

export interface Obstacle {
  kind: ObstacleKind
  /** The payer's row in plain words. */
  note: string
  /** Who is primary, so that a coverage that is filed before this one is known again. */
  payer?: { name?: string; id?: string }
}

/** What is kept of one beside the notes. */
export type StoredObstacle = Pick<Obstacle, 'kind' | 'payer'>

/** A visit of a clinic that has not said what its services are: an office visit, or the plan as a whole. Source: rules.md 17. */
const OFFICE_VISIT = '98'

/** The services that an inquiry is about; an inquiry about the plan is one about an office visit. */
function servicesAsked(codes: readonly string[]): readonly string[] {
  return codes.every((code) => code === PLAN_SERVICE) ? [OFFICE_VISIT, PLAN_SERVICE] : codes
}

const WORDS = { plan: undefined, namesPartA: false }

/** Nothing stands in the way of coverage that is not active: that is an answer of its own. */
export function findObstacles(
  finding: Finding,
  judgement: Judgement,
  { corrections, serviceTypeCodes }: { corrections: readonly RequestCorrection[]; serviceTypeCodes: readonly string[] },
): Obstacle[] {
  if (judgement.status !== 'ACTIVE') return []
  const services = servicesAsked(serviceTypeCodes)
  return [
    ...findUncovered(finding, judgement, services),
    ...findPrimaryPayers(recognizePayer(finding), services),
    ...findDoubts(finding),
    ...corrections.map(toObstacle),
    ...findSpendDowns(finding),
  ]
}

function findUncovered(finding: Finding, { scope, caution = '' }: Judgement, services: readonly string[]): Obstacle[] {
  const kind = 'NO_COVER_FOR_SERVICE'
  if (scope && !scope.some((code) => services.includes(code))) return [{ kind, note: caution }]
  const rows = finding.patient.benefits.filter((row) => isAgainst(row, services, finding))
  return rows.map((row) => ({ kind, note: describeInWords(row, WORDS) }))
}

/** EB01: not covered; exclusions. */
const NON_COVERED = 'I'
const EXCLUSIONS = 'E'

function isAgainst(row: BenefitRow, services: readonly string[], { patient, dateOfService }: Finding): boolean {
  const isRefusal = row.code === NON_COVERED || row.code === EXCLUSIONS
  if (!isRefusal && !isInactiveRow(row)) return false
  if (explainOutOfForce(row.dates, dateOfService) !== undefined) return false
  if (isRefusal) return isAbout(row, services) && !isNarrowed(row)
  // A service may have ended in one plan and go on in another.
  const ended = row.serviceTypeCodes.filter((code) => services.includes(code))
  const goesOn = (code: string) =>
    patient.benefits.some((each) => isActiveRow(each) && each.serviceTypeCodes.includes(code))
  return !isPlanRow(row) && ended.some((code) => !goesOn(code))
}

function isAbout(row: BenefitRow, services: readonly string[]): boolean {
  return isPlanRow(row) || row.serviceTypeCodes.some((code) => services.includes(code))
}

/**
 * Our choice: out of network, one procedure or one place is not the service; nor is what a text describes where the row is
 * about the whole plan or lists exclusions, for it would be no coverage at all.
 */
function isNarrowed(row: BenefitRow): boolean {
  if (row.networkIndicator === 'N' || row.procedure || row.additionalInformation.length > 0) return true
  return (isPlanRow(row) || row.code === EXCLUSIONS) && row.messages.length > 0
}

function findPrimaryPayers(answer: Answer, services: readonly string[]): Obstacle[] {
  const others = findOtherPayers(answer, () => undefined)?.other_payers ?? []
  const primary = others.filter(({ order, service_type_codes: codes = [] }) => {
    return (
      order === 'PRIMARY' &&
      (codes.length === 0 || codes.includes(PLAN_SERVICE) || codes.some((code) => services.includes(code)))
    )
  })
  return primary.map(({ payer_name: name, stated_payer_id: id, insurance_type: type, start_date: start }) => ({
    kind: 'OTHER_PAYER',
    note: ['another payer is primary', name ?? type ?? 'not named', start && `since ${start}`]
      .filter(Boolean)
      .join(': ')
      .replace(': since', ', since'),
    payer: { ...(name !== undefined && { name }), ...(id !== undefined && { id }) },
  }))
}

function findDoubts({ patient }: Finding): Obstacle[] {
  return patient.rejections.filter(doubtsPatient).map((rejection) => ({
    kind: 'DOUBT',
    note: `the payer doubts who the patient is: AAA ${rejection.reasonCode} ${describeReason(rejection) ?? ''}`.trimEnd(),
  }))
}

function toObstacle({ property, request_value, corrected_value }: RequestCorrection): Obstacle {
  const name = property.replace('.', ' ').replaceAll('_', ' ')
  return {
    kind: 'CORRECTION',
    note: `confirm with the patient: the payer has ${name} ${corrected_value}, asked with ${request_value}`,
  }
}

function findSpendDowns({ patient, dateOfService }: Finding): Obstacle[] {
  return findUnmetSpendDown(patient.benefits, dateOfService).map((row) => ({
    kind: 'SPEND_DOWN',
    note: `spend-down not met: ${describeInWords(row, WORDS)}`,
  }))
}
