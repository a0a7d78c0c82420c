import { isActiveRow, isPlanRow, textsOf } from '../../../x12/benefit-row.ts'
import {
  CONTACT_ENTITY,
  MANAGED_CARE_COORDINATOR,
  OTHER_PAYER,
  PRIMARY_CARE_PROVIDER,
} from '../../../x12/codes/benefits.ts'
import { DATE } from '../../../x12/codes/dates.ts'
import { MANAGED_CARE_ORGANIZATION, PAYER, PROVIDER } from '../../../x12/codes/entities.ts'
import { NPI } from '../../../x12/codes/identification.ts'
import { MEMBER_ID_REFERENCE, PLAN_NETWORK, PLAN_NUMBER, RECIPIENT_ID } from '../../../x12/codes/references.ts'
import { OFFICE_VISIT, PHYSICIAN } from '../../../x12/codes/service-types.ts'
import type { BenefitRow, Party } from '../../../x12/model.ts'
import { MOST_TEXTS } from '../payer-text.ts'
import {
  isStateProgram,
  MANAGED_CARE_CODE,
  MANAGED_CARE_NAME,
  MANAGED_CARE_PROGRAM,
  MEDICAL_IS_FFS,
  PRACTICE_NAME,
} from '../words/names/payer-names.ts'
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
    if (PLAN_CODES.has(party.entityCode)) return true
    return party.entityCode === PROVIDER && (isManagedCare(row) || isCoordinator(row, party))
  })
}

/** FL names the plan as a provider (1P) below EB01 MC; a practice there coordinates care for a fee. */
const isCoordinator = ({ code }: BenefitRow, { lastName = '' }: Party) =>
  code === MANAGED_CARE_COORDINATOR && !PRACTICE_NAME.test(lastName)

/**
 * The managed care plan of medical care of which the program of a state itself names no organization, by the name that the row has, or '' without
 * one: capitated services, a coordinator or contact of the type HM, the name of a program of managed care. Source: companion guides of TX, KS, NC.
 */
export function findUnnamedPlan(answer: Answer): string | undefined {
  const { patient, payer, dateOfService } = answer
  if (![payer.name, patient.payer?.lastName].some((name) => name !== undefined && isStateProgram(name)))
    return undefined
  const rows = patient.benefits.filter(
    (row) => namesUnnamedPlan(row) && isInForce(row, dateOfService) && isMedicalRow(row),
  )
  if (rows.length === 0) return undefined
  return rows.map(nameInRow).find((name) => name !== '') ?? ''
}

function namesUnnamedPlan(row: BenefitRow): boolean {
  const { code, insuranceType, planDescription = '', entities, references } = row
  if (entities.length > 0) return false
  if (code === MANAGED_CARE_COORDINATOR) return insuranceType === 'HM' || isPlanName(planDescription)
  if (code === CONTACT_ENTITY || code === OTHER_PAYER) return insuranceType === 'HM' && isPlanName(planDescription)
  if (!isActiveRow(row)) return false
  if (CAPITATED.has(code) || states(MANAGED_CARE_PROGRAM, planDescription.toUpperCase())) return true
  if (insuranceType === 'HM' && nameInRow(row) !== '') return true
  const isNumbered = insuranceType !== 'MC' || references.some(({ qualifier }) => PLAN_NUMBERS.has(qualifier))
  return isNumbered && MANAGED_CARE_CODE.test(planDescription)
}

const PLAN_NUMBERS: ReadonlySet<string> = new Set([PLAN_NUMBER, PLAN_NETWORK])

const isPlanName = (name: string) =>
  /[A-Z]{3}/i.test(name) && !PRACTICE_NAME.test(name) && !isMedicaidName(name) && !NO_PLAN.test(name)

/** A doctor or nurse who coordinates care, and categories of people. */
const NO_PLAN =
  /\b(?:CASE MANAG\w+|CATEGOR\w+|COORDINAT\w+|EXPANSION|FEE[ -]FOR[ -]SERVICE|FFS|FULL|HEALTH HOME|NONE?|PCCM|PCP|TITLE|WAIVER)\b/i

/** The name of the plan: EB05, or REF03 of a plan or network number. */
function nameInRow({ planDescription = '', references }: BenefitRow): string {
  const named = references.find(({ qualifier, description }) => PLAN_NUMBERS.has(qualifier) && description)
  if (named?.description) return named.description
  const isProgramName =
    MANAGED_CARE_CODE.test(planDescription) || states(MANAGED_CARE_PROGRAM, planDescription.toUpperCase())
  return !isProgramName && isPlanName(planDescription) ? planDescription : ''
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
  if (MANAGED_TYPES.has(row.insuranceType)) return false
  // VA states the other insurance without a type, from the day of its coordination.
  if (row.insuranceType === undefined && !row.dates.some(({ qualifier }) => qualifier === DATE.coordination))
    return false
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
