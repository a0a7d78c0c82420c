// The keys of Availity's Coverage for the elements of a 271, for reading it and for answering in its form. Source: clearinghouse.md C; the
// field descriptions of Availity's Coverages 1.0.0.

import { benefitNames, NON_COVERED } from '../../x12/codes/benefits.ts'
import type { BenefitRow } from '../../x12/model.ts'

/** The keys of a benefit's details, and the EB01 of each. */
export const detailCodes = {
  benefitDescriptions: 'D',
  costContainment: 'J',
  coverageBasis: 'CB',
  exclusions: 'E',
  limitations: 'F',
  nonCovered: 'I',
  preexistingConditions: 'M',
  reserve: 'K',
} as const

/** The keys inside `amounts`, and the EB01 of each. */
export const amountCodes = { coInsurance: 'A', coPayment: 'B', deductibles: 'C', outOfPocket: 'G' } as const

/** EB12 of the details in each list: `noNetwork` is a row without a network, `notApplicableNetwork` applies to all networks. */
export const networkCodes = {
  inNetwork: 'Y',
  outOfNetwork: 'N',
  noNetwork: undefined,
  notApplicableNetwork: 'W',
} as const

/**
 * Availity's keys of a beginning and an end, and the DTP01 of each. Our choice: `coverage` dates count as the plan's, because payers mean
 * the plan by them; the plan's own dates take precedence when a payer sends both.
 */
export const periodCodes = [
  { start: 'planStartDate', end: 'planEndDate', startCode: '346', endCode: '347' },
  { start: 'coverageStartDate', end: 'coverageEndDate', startCode: '346', endCode: '347' },
  { start: 'eligibilityStartDate', end: 'eligibilityEndDate', startCode: '356', endCode: '357' },
  { start: 'policyEffectiveDate', end: 'policyExpirationDate', startCode: '539', endCode: '540' },
  { start: 'benefitBeginDate', end: 'benefitEndDate', startCode: '348', endCode: '349' },
  { start: 'cobraStartDate', end: 'cobraEndDate', startCode: '340', endCode: '341' },
  { start: 'premiumPaidToBeginDate', end: 'premiumPaidToEndDate', startCode: '342', endCode: '343' },
  { start: 'periodStartDate', end: 'periodEndDate', startCode: '193', endCode: '194' },
] as const

/** Availity's keys of single days, and the DTP01 of each. */
export const dayCodes = {
  addedDate: '318',
  admissionDate: '435',
  certificationDate: '458',
  completionDate: '198',
  dischargeDate: '096',
  effectiveChangeDate: '152',
  issueDate: '102',
  lastUpdateDate: '636',
  lastVisitDate: '304',
  planEnrollmentDate: '382',
  primaryCareProviderDate: '295',
  serviceDate: '472',
  statusDate: '771',
} as const

/** Texts of a plan or a detail, and the REF01 of each. */
export const referenceCodes = {
  groupNumber: '6P',
  planNumber: '18',
  policyNumber: '1L',
  insurancePolicyNumber: 'IG',
  planNetworkId: 'N6',
  memberIdentificationNumber: '1W',
  priorAuthorizationNumber: 'G1',
  referralNumber: '9F',
  healthInsuranceClaimNumber: 'F6',
  medicaidRecipientIdentificationNumber: 'NQ',
  familyUnitNumber: '49',
  contractNumber: 'CT',
  identificationCardSerialNumber: 'GH',
  identityCardNumber: 'HJ',
  issueNumber: 'IF',
  medicalRecordNumber: 'EA',
  priorIdentificationNumber: 'Q4',
  agencyClaimNumber: 'Y4',
} as const

/** The same of a contact, where some have other names. */
export const contactReferenceCodes = {
  groupNumber: '6P',
  policyNumber: '1L',
  planNetworkId: 'N6',
  priorAuthorizationNumber: 'G1',
  referralNumber: '9F',
  healthInsuranceClaimNumber: 'F6',
  medicaidRecipientId: 'NQ',
  medicalAssistanceCategoryId: 'M7',
  familyUnitNumber: '49',
  alternateListId: 'ALS',
  coverageListlId: 'CLI',
  drugFormularyNumber: 'FO',
} as const

/** NM108 of a contact, and Availity's key of NM109. */
export const partyIdKeys = {
  XX: 'npi',
  PI: 'payerId',
  XV: 'planId',
  MI: 'memberId',
  FI: 'taxId',
  '24': 'ein',
  '34': 'ssn',
  SV: 'payerAssignedProviderId',
  FA: 'facilityId',
  NI: 'naicId',
  '46': 'etin',
  PP: 'pharmacyProcessorNumber',
  II: 'suhi',
} as const

/** Texts that describe one of these references. */
export const referenceDescriptions = { groupName: '6P', planNetworkName: 'N6' } as const

/** The rank of another payer, and its NM101. */
export const payerRanks = { primary: 'PRP', secondary: 'SEP', tertiary: 'TTP' } as const

/** PER03 and Availity's key of the number. */
export const contactKeys = {
  TE: 'phone',
  FX: 'fax',
  EM: 'emailAddress',
  UR: 'url',
  WP: 'workPhone',
  ED: 'ediAccessNumber',
} as const

/** Availity's keys of HSD02 to HSD08. */
export const deliveryKeys = {
  quantityQualifier: 'quantityQualifierCode',
  quantity: 'quantity',
  frequencyUnit: 'perCode',
  modulus: 'amount',
  periodQualifier: 'timePeriodCode',
  periodCount: 'timePeriods',
  pattern: 'patternCode',
  timePattern: 'timeCode',
} as const

/** Plans have the status `Active` where benefits have `Active Coverage`. */
const codesByStatus = new Map([
  ...Object.entries(benefitNames).map(([code, name]) => [name.toLowerCase(), code] as const),
  ['active', '1'],
])

/** EB01 1 to 8, or I, from a status code or, without one, from its exact name; any other status is not coverage. */
export function statusCodeOf(code: string | undefined, status: string | undefined): string | undefined {
  const known = code?.trim() || codesByStatus.get(status?.trim().toLowerCase() ?? '')
  return known !== undefined && /^[1-8I]$/.test(known) ? known : undefined
}

/** True for a row that Availity writes as a status of its service: of EB01 1 to 8 and I, what is not covered has a list of its own. */
export const isStatus = ({ code }: BenefitRow): boolean =>
  statusCodeOf(code, undefined) !== undefined && code !== NON_COVERED
