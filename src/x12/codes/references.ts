import type { Reference } from '../model.ts'
import { codeTable } from './code-table.ts'

/** REF01 as the keys that Stedi's JSON uses for the values. */
export const referenceNames = codeTable({
  '0B': 'stateLicenseNumber',
  18: 'planNumber',
  '1C': 'medicareProviderNumber',
  '1D': 'medicaidProviderNumber',
  '1J': 'facilityIdNumber',
  '1L': 'policyNumber',
  '1W': 'memberId',
  '3H': 'caseNumber',
  49: 'familyUnitNumber',
  '4A': 'personalIdentificationNumber',
  '6P': 'groupNumber',
  '9F': 'referralNumber',
  ALS: 'alternativeListId',
  CE: 'classOfContractCode',
  CLI: 'coverageListId',
  CT: 'contractNumber',
  EA: 'medicalRecordIdentificationNumber',
  EJ: 'patientAccountNumber',
  EL: 'electronicDevicePinNumber',
  EO: 'submitterIdentificationNumber',
  F6: 'hicNumber',
  FO: 'drugFormularyNumber',
  G1: 'priorAuthorizationNumber',
  GH: 'idCardSerialNumber',
  HJ: 'idCardNumber',
  HPI: 'centersForMedicareAndMedicaidServicesNPI',
  IF: 'issueNumber',
  IG: 'insurancePolicyNumber',
  JD: 'userIdentification',
  M7: 'medicalAssistanceCategory',
  N5: 'providerPlanNetworkIdNumber',
  N6: 'planNetworkIdNumber',
  N7: 'facilityNetworkIdNumber',
  NQ: 'medicaidRecipientIdNumber',
  Q4: 'priorIdentifierNumber',
  SY: 'socialSecurityNumber',
  TJ: 'federalTaxpayersIdentificationNumber',
  Y4: 'agencyClaimNumber',
})

/** REF01: member id, group number (REF03 has the name of the group), insurance policy number. */
export const MEMBER_ID_REFERENCE = '1W'
export const GROUP_NUMBER = '6P'
export const POLICY_NUMBER = '1L'
/** REF01: plan network. REF03 has its name. */
export const PLAN_NETWORK = 'N6'
/** REF01: Medicaid recipient id. */
export const RECIPIENT_ID = 'NQ'
/** REF01: social security number. */
export const SOCIAL_SECURITY_NUMBER = 'SY'
/** REF01: plan number, Medicaid assistance category. REF03 has the name. */
export const PLAN_NUMBER = '18'
export const ASSISTANCE_CATEGORY = 'M7'

/** The name (REF03) beside the first reference of this qualifier that has one. */
export function referenceName(
  of: { references: readonly Reference[] } | undefined,
  wanted: string,
): string | undefined {
  return of?.references.find(({ qualifier, description }) => qualifier === wanted && description)?.description
}
