// Keys that Stedi's JSON uses in place of the codes of a 271, shared by the code that writes that JSON and the code that reads it. Source:
// clearinghouse.md A2.
import { codeTable } from './code-table.ts'

/** REF01 under an EB: the keys of its value (REF02) and its description (REF03). */
export const benefitReferenceKeys: ReadonlyMap<string, readonly [value: string, description?: string]> = new Map([
  ['18', ['planNumber', 'planDescription']],
  ['1L', ['policyNumber']],
  ['1W', ['memberId']],
  ['49', ['familyUnitNumber']],
  ['6P', ['groupNumber', 'groupDescription']],
  ['9F', ['referralNumber']],
  ['ALS', ['alternativeListId']],
  ['CLI', ['coverageListId']],
  ['F6', ['hicNumber']],
  ['FO', ['drugFormularyNumber']],
  ['G1', ['priorAuthorizationNumber']],
  ['IG', ['insurancePolicyNumber']],
  ['M7', ['medicalAssistanceCategory']],
  ['N6', ['planNetworkIdNumber', 'planNetworkDescription']],
  ['NQ', ['medicaidRecipientIdNumber']],
])

/** REF01 values of a member that stand in the member's own object; `planInformation` repeats them. */
export const memberReferenceKeys: ReadonlyMap<string, readonly [value: string, description?: string]> = new Map([
  ['6P', ['groupNumber', 'groupDescription']],
  ['18', ['planNumber', 'planDescription']],
  ['N6', ['planNetworkIdNumber', 'planNetworkDescription']],
  ['SY', ['ssn']],
])

/** REF01 values that `planInformation` spells differently from the other objects. */
export const planReferenceSpellings = codeTable({
  EL: 'electronicDevicePin',
  N7: 'facilityNetworkIdentificationNumber',
  Q4: 'priorIdNumber',
})

/** REF03 in `planInformation`. */
export const planDescriptionKeys = codeTable({
  '18': 'planDescription',
  '6P': 'groupDescription',
  N6: 'planNetworkIdDescription',
})

/** `benefitsDateInformation` spells this one differently from `planDateInformation`. */
export const benefitDateSpellings = codeTable({ '342': 'premiumPaidtoDateBegin' })

/** NM108 of a provider: the key of its NM109. */
export const providerIdKeys = codeTable({
  '24': 'employersId',
  '34': 'ssn',
  FI: 'federalTaxpayersIdNumber',
  PI: 'payorIdentification',
  PP: 'pharmacyProcessorNumber',
  SV: 'serviceProviderNumber',
  XV: 'servicesPlanID',
  XX: 'npi',
})

/** NM108 of a payer: the key of its NM109. */
export const payerIdKeys = codeTable({
  '24': 'employersId',
  '46': 'etin',
  FI: 'federalTaxpayersIdNumber',
  NI: 'naic',
  PI: 'payorIdentification',
  XV: 'centersForMedicareAndMedicaidPlanId',
  XX: 'npi',
})

/** MPI01 to MPI07 of a member, in this order. Source: 005010X279A1 2100C MPI. */
export const militaryKeys = [
  'informationStatusCode',
  'employmentStatusCode',
  'governmentServiceAffiliationCode',
  'description',
  'militaryServiceRankCode',
  'dateTimePeriodFormatQualifier',
  'dateTimePeriod',
] as const
