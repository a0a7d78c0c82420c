// What Medicare's own answer states besides ACTIVE: the parts, a plan that replaces them, and the primary payer. Source: x12-271.md 10;
// rules.md 17.

import { ALERTS } from '../../../contract/answer-notes.ts'
import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { OTHER_PAYER } from '../../../x12/codes/benefits.ts'
import { insuranceTypeNames } from '../../../x12/codes/insurance-types.ts'
import { MEMBER_ID_REFERENCE, PLAN_NETWORK, PLAN_NUMBER } from '../../../x12/codes/references.ts'
import type { BenefitRow, PatientResponse } from '../../../x12/model.ts'
import { describeReach, nameParty } from '../benefits/related-entities.ts'
import { datesThatCount, explainOutOfForce } from './in-force.ts'
import { isAdvantageRow, isPartDRow, MEDICARE_SECONDARY_TYPES } from './medicare-advantage.ts'
import { type Answer, coverageDates, isInForce, recognizePayer, rowReference } from './other-coverage.ts'
import type { Judgment } from './status.ts'

export interface MedicareFacts {
  /** Facts that a reader must not miss: a plan that pays instead of Medicare, a primary payer, hospice. */
  alerts: string[]
  /** Part A, Part B and Part D with their dates. */
  parts: string[]
  /** The label of the answer's figures when they do not apply to the patient. */
  label?: string
}

const PARTS: ReadonlyMap<string | undefined, string> = new Map([
  ['MA', 'Medicare Part A'],
  ['MB', 'Medicare Part B'],
])

/** EB03: hospice. */
const HOSPICE = '45'
/** EB01: health care facility. */
const FACILITY = 'X'

const NOTHING: MedicareFacts = { alerts: [], parts: [] }

/** From the rows in force on the day of service. A Medicaid's answer has only the parts; another payer's has nothing. */
export function readMedicare(patient: PatientResponse, { status, day }: Judgment): MedicareFacts {
  const { payer } = patient
  const inquiredPayer = { id: payer?.id ?? '', name: payer?.lastName }
  const answer = recognizePayer({
    patient,
    payer: inquiredPayer,
    dateOfService: day ?? '',
    parsed: { eligibility_status: status },
  })
  const parts = describeParts(patient, day)
  // Another payer, such as a state, may list the parts as well; its other rows are not about Medicare.
  if (!answer.isMedicare) return answer.isMedicaid ? { ...NOTHING, parts } : NOTHING
  const rows = patient.benefits.filter((row) => day === undefined || isInForce(row, day))
  const advantage = rows.filter((row) => isAdvantageRow(row, answer))
  const isHospice = (row: BenefitRow) => row.code === FACILITY && row.serviceTypeCodes.includes(HOSPICE)
  return {
    alerts: [
      ...advantage.map((row) => `${ALERTS.advantage}: ${describePlan(row, day)}`),
      ...rows.filter((row) => isFirst(row, answer)).map((row) => `${ALERTS.beforeMedicare}: ${describePlan(row, day)}`),
      ...rows.filter(isHospice).map((row) => `in hospice care: ${describePlan(row, day)}`),
    ],
    parts: [
      ...parts,
      ...rows
        .filter((row) => row.code === OTHER_PAYER && isPartDRow(row, answer))
        .map((row) => `Medicare Part D: ${describePlan(row, day)}`),
    ],
    ...(advantage.length > 0 && { label: 'Original Medicare, which does not pay for this patient' }),
  }
}

function isFirst(row: BenefitRow, answer: Answer): boolean {
  if (row.code !== OTHER_PAYER || isPartDRow(row, answer) || isAdvantageRow(row, answer)) return false
  return MEDICARE_SECONDARY_TYPES.has(row.insuranceType) || row.entities.some(({ entityCode }) => entityCode === 'PRP')
}

/** `Medicare Part B: active, from 2019-06-01`. Dates of the row, else of the patient's level. An ended part is not active on the day. */
function describeParts(patient: PatientResponse, day: string | undefined): string[] {
  const rows = patient.benefits.filter(isPart)
  if (rows.length === 0) return []
  // An answer may have thousands of rows and of dates of the patient.
  const ofLevel = describeDates(patient.subscriber, day)
  const isAway = day !== undefined && explainOutOfForce(datesThatCount(patient), day) !== undefined
  return rows.map((row) => {
    const dates = describeDates(row, day) || ofLevel
    const isOutOfForce = isAway || (day !== undefined && explainOutOfForce(row.dates, day) !== undefined)
    const status = !isActiveRow(row) ? 'inactive' : isOutOfForce ? `not in force on ${day}` : 'active'
    return `${PARTS.get(row.insuranceType)}: ${status}${dates && `, ${dates}`}`
  })
}

const isPart = (row: BenefitRow) =>
  PARTS.has(row.insuranceType) && isPlanRow(row) && (isActiveRow(row) || isInactiveRow(row))

/** A plan by what identifies it, then by type, contract and dates; how its payer is reached comes last, since boards show the first words. */
function describePlan(row: BenefitRow, day: string | undefined): string {
  const contract = rowReference(row, PLAN_NUMBER)
  const network = row.references.find(({ qualifier }) => qualifier === PLAN_NETWORK)?.description
  const memberId = rowReference(row, MEMBER_ID_REFERENCE)
  const parts = [
    row.entities.map(nameParty).join(', '),
    row.planDescription,
    memberId && `member ID ${memberId}`,
    network,
    row.insuranceType && (insuranceTypeNames[row.insuranceType] ?? row.insuranceType),
    contract && `contract ${contract}`,
    describeDates(row, day),
    ...row.entities.map(describeReach),
    ...row.messages,
  ]
  return parts.filter((part) => part).join('; ') || 'not named'
}

function describeDates(row: Pick<BenefitRow, 'dates'>, day: string | undefined): string {
  const { start, end } = coverageDates(row, day)
  return [start && `from ${start}`, end && `to ${end}`].filter(Boolean).join(' ')
}
