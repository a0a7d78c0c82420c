import { isActiveRow, isPlanRow, textsOf } from '../../../x12/benefit-row.ts'
import {
  CONTACT_ENTITY,
  MANAGED_CARE_COORDINATOR,
  OTHER_PAYER,
  PRIMARY_CARE_PROVIDER,
} from '../../../x12/codes/benefits.ts'
import { MANAGED_CARE_ORGANIZATION, PAYER, PROVIDER } from '../../../x12/codes/entities.ts'
import { NPI } from '../../../x12/codes/identification.ts'
import { MEMBER_ID_REFERENCE, RECIPIENT_ID } from '../../../x12/codes/references.ts'
import { OFFICE_VISIT, PHYSICIAN } from '../../../x12/codes/service-types.ts'
import type { BenefitRow, Party } from '../../../x12/model.ts'
import { MOST_TEXTS } from '../payer-text.ts'
import { MANAGED_CARE_NAME, MEDICAL_IS_FFS } from '../words/payer-names.ts'
import { states } from '../words/phrase-group.ts'
import { isLimitedByName, programOfName } from './coverage-names.ts'
import { isAdvantageRow } from './medicare-advantage.ts'
import {
  type Answer,
  type FoundPlan,
  isInForce,
  isInquiredPayer,
  isMedicaidName,
  organizationsOf,
  rowReference,
} from './other-coverage.ts'

/** NM101 under which a state names a plan; a payer that pays before Medicaid (PRP) is other insurance. Source: x12-271.md 10. */
const PLAN_CODES: ReadonlySet<string | undefined> = new Set([MANAGED_CARE_ORGANIZATION, PAYER, 'P5', '1I', 'X3'])

/** EB04 of managed care and of Medicaid. */
const MANAGED_TYPES: ReadonlySet<string | undefined> = new Set(['HM', 'MC'])

/** EB03 of medical coverage. Carved-out services (behavioral, dental, drugs, transport) are not the patient's plan. */
const MEDICAL = ['1', '47', '48', '50', PHYSICIAN, OFFICE_VISIT]

/**
 * The managed care plan that a Medicaid program names for the patient's medical care. Plans of carved-out services stay among the related
 * entities. Source: x12-271.md 10.
 */
export function findManagedCarePlan(answer: Answer): FoundPlan | undefined {
  if (!answer.isMedicaid) return undefined
  const { patient, dateOfService } = answer
  const plans = patient.benefits.flatMap((row) => {
    const organization = isInForce(row, dateOfService) ? managedCareOrganization(row, answer) : undefined
    return organization ? [{ row, organization }] : []
  })
  const [best] = plans.toSorted((a, b) => clarity(b.organization, b.row) - clarity(a.organization, a.row))
  if (!best) return undefined
  const { row, organization } = best
  const recipientId = [patient.dependent, patient.subscriber]
    .flatMap((member) => member?.references ?? [])
    .find(({ qualifier, value }) => qualifier === RECIPIENT_ID && value)?.value
  return {
    row,
    payerName: organization.lastName,
    memberId: rowReference(row, MEMBER_ID_REFERENCE, RECIPIENT_ID) ?? recipientId,
  }
}

/** The plan that a row of a Medicaid answer names, if any. */
export function managedCareOrganization(row: BenefitRow, answer: Answer): Party | undefined {
  if (!answer.isMedicaid || !isMedicalRow(row) || !namesPlans(row, answer) || isAdvantageRow(row, answer))
    return undefined
  return organizationsOf(row).find((party) => {
    if (
      isInquiredPayer(answer, party) ||
      isProgram(party) ||
      programOfName(party.lastName ?? '') ||
      party.idQualifier === NPI
    )
      return false
    if (row.code === OTHER_PAYER && isOtherInsurance(row, party)) return false
    return PLAN_CODES.has(party.entityCode) || (party.entityCode === PROVIDER && isManagedCare(row))
  })
}

function namesPlans(row: BenefitRow, answer: Answer): boolean {
  if (row.code === OTHER_PAYER || row.code === CONTACT_ENTITY) return true
  if (row.code === MANAGED_CARE_COORDINATOR || row.code === PRIMARY_CARE_PROVIDER) return true
  if (!isActiveRow(row)) return false
  return isManagedCare(row) || (isOfProgram(answer) && (CAPITATED.has(row.code) || namesOrganization(row)))
}

/** True when the state's program answers, and not one of its plans. */
function isOfProgram({ patient, payer }: Answer): boolean {
  return [payer.name, patient.payer?.lastName].some((name) => name !== undefined && isMedicaidName(name))
}

const namesOrganization = (row: BenefitRow) =>
  organizationsOf(row).some(({ entityCode }) => entityCode === MANAGED_CARE_ORGANIZATION)

/** EB01: full risk capitation, services capitated. */
const CAPITATED: ReadonlySet<string> = new Set(['2', '3'])

/** By its type, or by the words of its plan name and messages; Medicaid alone does not imply managed care. */
function isManagedCare(row: BenefitRow): boolean {
  return row.insuranceType === 'HM' || saysManagedCare(row)
}

function saysManagedCare(row: BenefitRow): boolean {
  const { planDescription } = row
  if (planDescription !== undefined && states(MANAGED_CARE_NAME, planDescription)) return true
  return evaluatedTexts(row).some((text) => states(MANAGED_CARE_NAME, text))
}

const evaluatedTexts = (row: BenefitRow) => textsOf(row).slice(0, MOST_TEXTS)

/**
 * Our choice: an R row of a type that is neither managed care nor Medicaid (commercial, Medicare, a group policy) is other insurance that
 * pays before Medicaid, unless its words or its entity identify it as the plan.
 */
function isOtherInsurance(row: BenefitRow, { entityCode }: Party): boolean {
  if (row.insuranceType === undefined || MANAGED_TYPES.has(row.insuranceType)) return false
  return entityCode !== MANAGED_CARE_ORGANIZATION && !saysManagedCare(row)
}

function isMedicalRow(row: BenefitRow): boolean {
  if (isLimitedByName(row, MEDICAL) || evaluatedTexts(row).some((text) => states(MEDICAL_IS_FFS, text))) return false
  return isPlanRow(row) || MEDICAL.some((code) => row.serviceTypeCodes.includes(code))
}

/** A program is not a plan, unless the answer names it as one. */
export function isProgram({ entityCode, lastName = '' }: Party): boolean {
  return entityCode !== MANAGED_CARE_ORGANIZATION && isMedicaidName(lastName) && !states(MANAGED_CARE_NAME, lastName)
}

/** How clearly a row identifies the organization as the plan. */
function clarity({ entityCode }: Party, row: BenefitRow): number {
  if (entityCode === MANAGED_CARE_ORGANIZATION) return 3
  if (row.code === MANAGED_CARE_COORDINATOR || isManagedCare(row)) return 2
  return row.code === PRIMARY_CARE_PROVIDER ? 0 : 1
}
