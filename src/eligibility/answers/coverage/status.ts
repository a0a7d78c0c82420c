import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { PLAN_SERVICE, serviceTypeName } from '../../../x12/codes/service-types.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, PatientResponse } from '../../../x12/model.ts'
import { refusesPatient } from '../../../x12/refusals.ts'
import type { EligibilityStatus } from '../wire.ts'
import { isLimitedByName } from './coverage-names.ts'
import { explainOutOfForce, explainPatientOutOfForce } from './in-force.ts'

/** The context of the inquiry, which affects the evaluation of an answer, never its content. */
export interface InquiryContext {
  /** YYYY-MM-DD; without it no dates are checked. */
  dateOfService?: string
  /** X12 1365 codes of the request; `30` requests the plan. */
  serviceTypeCodes?: readonly string[]
}

export interface Judgment {
  status: EligibilityStatus
  /** The EB row that determines the status: plan_metadata and benefits describe its plan. */
  chosen?: BenefitRow
  /** One sentence for the user; contains no value of the patient. */
  reason: string
  /** The services that an ACTIVE is limited to when the payer states nothing about the plan as a whole. EB03. */
  scope?: readonly string[]
  /** What a reader of the status must not miss: why reported coverage does not count, or what it is limited to. */
  alert?: string
  /** The date of service, if known. YYYY-MM-DD. */
  day?: string | undefined
}

/**
 * Evaluates one patient's answer: ACTIVE, INACTIVE or UNKNOWN, with the determining row and the reason in words. A rejection is UNKNOWN
 * regardless of other rows, and never INACTIVE: "not found" does not prove that there is no coverage. Source: x12-271.md 5.
 */
export function judgeEligibility(patient: PatientResponse, context: InquiryContext = {}): Judgment {
  const judgment = judge(patient, context)
  judgment.day = isoDate(context.dateOfService)
  return judgment
}

function judge(patient: PatientResponse, context: InquiryContext): Judgment {
  if (patient.rejections.some(refusesPatient)) return { status: 'UNKNOWN', reason: REJECTED }
  const stated = patient.benefits.filter((row) => isActiveRow(row) || isInactiveRow(row))
  if (stated.length === 0) return { status: 'UNKNOWN', reason: explainUnknown(patient) }
  const planRows = stated.filter((row) => isPlanRow(row) && !isOfProcedure(row))
  if (planRows.length > 0) return judgeRows(planRows, 'the plan', patient, context)
  const requested = findRequestedRows(stated, context.serviceTypeCodes ?? [])
  const judgment =
    requested.length > 0
      ? judgeRows(requested, 'the requested service', patient, context)
      : judgeRows(stated, 'single services', patient, context)
  return judgment.status === 'ACTIVE' ? limitTo(servicesInForce(stated, context), judgment) : judgment
}

/** EB13 replaces EB03: such a row is about one procedure, not about the plan. Source: 005010X279A1 2110C EB13. */
const isOfProcedure = ({ procedure }: BenefitRow) => procedure !== undefined

function limitTo(scope: readonly string[], judgment: Judgment): Judgment {
  const services = scope.map((code) => serviceTypeName(code) ?? code).join(', ') || 'single procedures'
  return { ...judgment, scope, alert: `active for ${services} only` }
}

/** A procedure of the plan is not the plan. */
function servicesOf(row: BenefitRow): string[] {
  return isOfProcedure(row) ? row.serviceTypeCodes.filter((code) => code !== PLAN_SERVICE) : row.serviceTypeCodes
}

function servicesInForce(rows: readonly BenefitRow[], context: InquiryContext): string[] {
  const day = isoDate(context.dateOfService)
  const active = rows.filter((row) => isActiveRow(row) && (day === undefined || !explainOutOfForce(row.dates, day)))
  return [...new Set(active.flatMap(servicesOf))]
}

/** Rows about a service that was requested by its own code; none when the request is about the plan. */
function findRequestedRows(rows: readonly BenefitRow[], requested: readonly string[]): BenefitRow[] {
  if (requested.includes(PLAN_SERVICE)) return []
  return rows.filter((row) => row.serviceTypeCodes.some((code) => requested.includes(code)))
}

function judgeRows(
  rows: readonly BenefitRow[],
  subject: string,
  patient: PatientResponse,
  context: InquiryContext,
): Judgment {
  const active = rows.filter(isActiveRow)
  const [first] = active
  if (!first) {
    return { status: 'INACTIVE', chosen: rows[0], reason: `The payer reports inactive coverage for ${subject}.` }
  }
  const day = isoDate(context.dateOfService)
  if (day === undefined) {
    return { status: 'ACTIVE', chosen: first, reason: `The payer reports active coverage for ${subject}.` }
  }
  // With several plans, the first one that its own dates do not exclude is the relevant one on that day, and a vision plan is none for a visit.
  const inForce = active.filter((row) => !explainOutOfForce(row.dates, day))
  const services = context.serviceTypeCodes ?? []
  // Medicare in the answer of a Medicaid program is another payer's coverage.
  const isOfProgram = inForce.some(({ insuranceType }) => insuranceType === 'MC')
  const ofPlan = isOfProgram ? inForce.filter(({ insuranceType }) => !OF_MEDICARE.has(insuranceType)) : inForce
  const chosen = ofPlan.find((row) => !isLimitedByName(row, services)) ?? inForce[0]
  const outOfForce = chosen ? explainPatientOutOfForce(patient, chosen, day) : explainOutOfForce(first.dates, day)
  if (outOfForce !== undefined) {
    const alert = `not in force on ${day}: ${outOfForce}`
    const reason = `The payer reports active coverage for ${subject}, but it is ${alert}.`
    return { status: 'INACTIVE', chosen: chosen ?? first, reason, alert }
  }
  return {
    status: 'ACTIVE',
    chosen,
    reason: `The payer reports active coverage for ${subject} on the date of service.`,
  }
}

/** EB04: Part A, Part B. */
const OF_MEDICARE: ReadonlySet<string | undefined> = new Set(['MA', 'MB'])

const REJECTED = 'The payer rejected the inquiry; this does not show whether there is coverage.'

function explainUnknown(patient: PatientResponse): string {
  if (patient.rejections.length > 0) return REJECTED
  if (patient.benefits.length > 0) return 'The payer answered without stating whether the coverage is active.'
  return 'The payer answered without any benefit.'
}
