// The words that Stedi's eligibility check of 2026-06-01 uses for the codes of a 271: read by the connector, written by the sandbox.
// Source: the published description of `POST /2026-06-01/eligibility-check` (Stedi's documentation and SDK).
import { codeTable } from '../../x12/codes/code-table.ts'

/** EB01 1 to 8: `benefits.statuses[].status`. */
export const statusWords = codeTable({
  1: 'ACTIVE_COVERAGE',
  2: 'ACTIVE_FULL_RISK_CAPITATION',
  3: 'ACTIVE_SERVICES_CAPITATED',
  4: 'ACTIVE_SERVICES_CAPITATED_TO_PRIMARY_CARE_PROVIDER',
  5: 'ACTIVE_PENDING_INVESTIGATION',
  6: 'INACTIVE',
  7: 'INACTIVE_PENDING_ELIGIBILITY_UPDATE',
  8: 'INACTIVE_PENDING_INVESTIGATION',
})

/** The other EB01 codes: the list in `benefits` that holds such rows. */
export const benefitLists = codeTable({
  A: 'coInsurance',
  B: 'coPayment',
  C: 'deductible',
  CB: 'coverageBasis',
  D: 'benefitDescription',
  E: 'exclusions',
  F: 'limitations',
  G: 'outOfPocket',
  H: 'unlimited',
  I: 'nonCovered',
  J: 'costContainment',
  K: 'reserve',
  L: 'primaryCareProvider',
  M: 'preExistingCondition',
  MC: 'managedCareCoordinator',
  N: 'servicesRestrictedToFollowingProvider',
  O: 'notDeemedMedicalNecessity',
  P: 'benefitDisclaimer',
  Q: 'secondSurgicalOpinionRequired',
  R: 'otherOrAdditionalPayer',
  S: 'priorYearsHistory',
  T: 'cardReportedStolen',
  U: 'contactFollowingEntityForInformation',
  V: 'cannotProcess',
  W: 'otherSourceOfData',
  X: 'healthCareFacility',
  Y: 'spendDown',
})

/** EB02. */
export const levelWords = codeTable({
  CHD: 'CHILDREN_ONLY',
  DEP: 'DEPENDENTS_ONLY',
  ECH: 'EMPLOYEE_AND_CHILDREN',
  EMP: 'EMPLOYEE_ONLY',
  ESP: 'EMPLOYEE_AND_SPOUSE',
  FAM: 'FAMILY',
  IND: 'INDIVIDUAL',
  SPC: 'SPOUSE_AND_CHILDREN',
  SPO: 'SPOUSE_ONLY',
})

/** EB04: the codes of 5010. */
export const insuranceTypeWords = codeTable({
  12: 'MEDICARE_SECONDARY_WORKING_AGED_BENEFICIARY_OR_SPOUSE_WITH_EMPLOYER_GROUP_HEALTH_PLAN',
  13: 'MEDICARE_SECONDARY_ENDSTAGE_RENAL_DISEASE_BENEFICIARY_IN_THE_MANDATED_COORDINATION_PERIOD_WITH_AN_EMPLOYERS_GROUP_HEALTH_PLAN',
  14: 'MEDICARE_SECONDARY_NOFAULT_INSURANCE_INCLUDING_AUTO_IS_PRIMARY',
  15: 'MEDICARE_SECONDARY_WORKERS_COMPENSATION',
  16: 'MEDICARE_SECONDARY_PUBLIC_HEALTH_SERVICE_PHS_OR_OTHER_FEDERAL_AGENCY',
  41: 'MEDICARE_SECONDARY_BLACK_LUNG',
  42: 'MEDICARE_SECONDARY_VETERANS_ADMINISTRATION',
  43: 'MEDICARE_SECONDARY_DISABLED_BENEFICIARY_UNDER_AGE_65_WITH_LARGE_GROUP_HEALTH_PLAN_LGHP',
  47: 'MEDICARE_SECONDARY_OTHER_LIABILITY_INSURANCE_IS_PRIMARY',
  AP: 'AUTO_INSURANCE_POLICY',
  C1: 'COMMERCIAL',
  CO: 'CONSOLIDATED_OMNIBUS_BUDGET_RECONCILIATION_ACT_COBRA',
  CP: 'MEDICARE_CONDITIONALLY_PRIMARY',
  D: 'DISABILITY',
  DB: 'DISABILITY_BENEFITS',
  E: 'MEDICARE_POINT_OF_SERVICE_POS',
  EP: 'EXCLUSIVE_PROVIDER_ORGANIZATION',
  FF: 'FAMILY_OR_FRIENDS',
  GP: 'GROUP_POLICY',
  HM: 'HEALTH_MAINTENANCE_ORGANIZATION_HMO',
  HN: 'HEALTH_MAINTENANCE_ORGANIZATION_HMO_MEDICARE_RISK',
  HS: 'SPECIAL_LOW_INCOME_MEDICARE_BENEFICIARY',
  IN: 'INDEMNITY',
  IP: 'INDIVIDUAL_POLICY',
  LC: 'LONG_TERM_CARE',
  LD: 'LONG_TERM_POLICY',
  LI: 'LIFE_INSURANCE',
  LT: 'LITIGATION',
  MA: 'MEDICARE_PART_A',
  MB: 'MEDICARE_PART_B',
  MC: 'MEDICAID',
  MH: 'MEDIGAP_PART_A',
  MI: 'MEDIGAP_PART_B',
  MP: 'MEDICARE_PRIMARY',
  OT: 'OTHER',
  PE: 'PROPERTY_INSURANCE_PERSONAL',
  PL: 'PERSONAL',
  PP: 'PERSONAL_PAYMENT_CASH_NO_INSURANCE',
  PR: 'PREFERRED_PROVIDER_ORGANIZATION_PPO',
  PS: 'POINT_OF_SERVICE_POS',
  QM: 'QUALIFIED_MEDICARE_BENEFICIARY',
  RP: 'PROPERTY_INSURANCE_REAL',
  SP: 'SUPPLEMENTAL_POLICY',
  TF: 'TAX_EQUITY_FISCAL_RESPONSIBILITY_ACT_TEFRA',
  U: 'MULTIPLE_OPTIONS_HEALTH_PLAN',
  WC: 'WORKERS_COMPENSATION',
  WU: 'WRAP_UP_POLICY',
})

/** EB06 and HSD05. */
export const periodWords = codeTable({
  6: 'HOUR',
  7: 'DAY',
  13: '24_HOURS',
  21: 'YEARS',
  22: 'SERVICE_YEAR',
  23: 'CALENDAR_YEAR',
  24: 'YEAR_TO_DATE',
  25: 'CONTRACT',
  26: 'EPISODE',
  27: 'VISIT',
  28: 'OUTLIER',
  29: 'REMAINING',
  30: 'EXCEEDED',
  31: 'NOT_EXCEEDED',
  32: 'LIFETIME',
  33: 'LIFETIME_REMAINING',
  34: 'MONTH',
  35: 'WEEK',
  36: 'ADMISSION',
})

/** EB09. The ages (S7, S8) are in `serviceLimits`. */
export const quantityWords = codeTable({
  '8H': 'MINIMUM',
  99: 'QUANTITY_USED',
  CA: 'COVERED_ACTUAL',
  CE: 'COVERED_ESTIMATED',
  D3: 'NUMBER_OF_CO_INSURANCE_DAYS',
  DB: 'DEDUCTIBLE_BLOOD_UNITS',
  DY: 'DAYS',
  HS: 'HOURS',
  LA: 'LIFE_TIME_RESERVE_ACTUAL',
  LE: 'LIFE_TIME_RESERVE_ESTIMATED',
  M2: 'MAXIMUM',
  MN: 'MONTH',
  P6: 'NUMBER_OF_SERVICES_OR_PROCEDURES',
  QA: 'QUANTITY_APPROVED',
  VS: 'VISITS',
  YY: 'YEARS',
})

/** HSD01. */
export const deliveryQuantityWords = codeTable({ DY: 'DAYS', FL: 'UNITS', HS: 'HOURS', MN: 'MONTH', VS: 'VISITS' })

/** HSD03. */
export const frequencyWords = codeTable({ DA: 'DAYS', MO: 'MONTHS', VS: 'VISIT', WK: 'WEEK', YR: 'YEARS' })

/** HSD07. */
export const scheduleWords = codeTable({
  1: 'FIRST_WEEK_OF_THE_MONTH',
  2: 'SECOND_WEEK_OF_THE_MONTH',
  3: 'THIRD_WEEK_OF_THE_MONTH',
  4: 'FOURTH_WEEK_OF_THE_MONTH',
  5: 'FIFTH_WEEK_OF_THE_MONTH',
  6: 'FIRST_AND_THIRD_WEEKS_OF_THE_MONTH',
  7: 'SECOND_AND_FOURTH_WEEKS_OF_THE_MONTH',
  8: 'FIRST_WORKING_DAY_OF_PERIOD',
  9: 'LAST_WORKING_DAY_OF_PERIOD',
  A: 'MONDAY_THROUGH_FRIDAY',
  B: 'MONDAY_THROUGH_SATURDAY',
  C: 'MONDAY_THROUGH_SUNDAY',
  D: 'MONDAY',
  E: 'TUESDAY',
  F: 'WEDNESDAY',
  G: 'THURSDAY',
  H: 'FRIDAY',
  J: 'SATURDAY',
  K: 'SUNDAY',
  L: 'MONDAY_THROUGH_THURSDAY',
  M: 'IMMEDIATELY',
  N: 'AS_DIRECTED',
  O: 'DAILY_MONDAY_THROUGH_FRIDAY',
  P: 'HALF_MONDAY_AND_HALF_THURSDAY',
  Q: 'HALF_TUESDAY_AND_HALF_THURSDAY',
  R: 'HALF_WEDNESDAY_AND_HALF_FRIDAY',
  S: 'ONCE_ANYTIME_MONDAY_THROUGH_FRIDAY',
  T: 'HALF_TUESDAY_AND_HALF_FRIDAY',
  U: 'HALF_MONDAY_AND_HALF_WEDNESDAY',
  V: 'THIRD_MONDAY_THIRD_WEDNESDAY_AND_THIRD_FRIDAY',
  W: 'WHENEVER_NECESSARY',
  X: 'HALF_BY_WEDNESDAY_BALANCE_BY_FRIDAY',
  Y: 'NONE',
  SG: 'TUESDAY_THROUGH_FRIDAY',
  SL: 'MONDAY_TUESDAY_AND_THURSDAY',
  SP: 'MONDAY_TUESDAY_AND_FRIDAY',
  SX: 'WEDNESDAY_AND_THURSDAY',
  SY: 'MONDAY_WEDNESDAY_AND_THURSDAY',
  SZ: 'TUESDAY_THURSDAY_AND_FRIDAY',
})

/** HSD08. */
export const patternWords = codeTable({
  A: 'FIRST_SHIFT',
  B: 'SECOND_SHIFT',
  C: 'THIRD_SHIFT',
  D: 'AM',
  E: 'PM',
  F: 'AS_DIRECTED',
  G: 'ANY_SHIFT',
  Y: 'NONE',
})

/** EB11; U has no word. */
export const authorizationWords = codeTable({ Y: 'REQUIRED', N: 'NOT_REQUIRED' })

/** EB12; U has no word. */
export const networkWords = codeTable({ Y: 'IN_NETWORK', N: 'OUT_OF_NETWORK', W: 'IN_AND_OUT_OF_NETWORK' })

/** EB13-1; EB03 is `STC`. */
export const procedureSystems = codeTable({ AD: 'CDT', CJ: 'CPT', HC: 'HCPCS', ID: 'ICD-10-PCS', N4: 'NDC' })
export const SERVICE_TYPE_SYSTEM = 'STC'

/** NM101 of the payer, the provider and the related entities. */
export const entityWords = codeTable({
  13: 'CONTRACTED_SERVICE_PROVIDER',
  '1I': 'PREFERRED_PROVIDER_ORGANIZATION',
  '1P': 'PROVIDER',
  '2B': 'THIRD_PARTY_ADMINISTRATOR',
  36: 'EMPLOYER',
  73: 'OTHER_PHYSICIAN',
  80: 'HOSPITAL',
  FA: 'FACILITY',
  GP: 'GATEWAY_PROVIDER',
  GW: 'GROUP',
  I3: 'INDEPENDENT_PHYSICIANS_ASSOCIATION',
  IL: 'INSURED_OR_SUBSCRIBER',
  LR: 'LEGAL_REPRESENTATIVE',
  OC: 'ORIGIN_CARRIER',
  P3: 'PRIMARY_CARE_PROVIDER',
  P4: 'PRIOR_INSURANCE_CARRIER',
  P5: 'PLAN_SPONSOR',
  PR: 'PAYER',
  PRP: 'PRIMARY_PAYER',
  SEP: 'SECONDARY_PAYER',
  TTP: 'TERTIARY_PAYER',
  VER: 'PARTY_PERFORMING_VERIFICATION',
  VN: 'VENDOR',
  VY: 'ORGANIZATION_COMPLETING_CONFIGURATION_CHANGE',
  X3: 'UTILIZATION_MANAGEMENT_ORGANIZATION',
  Y2: 'MANAGED_CARE_ORGANIZATION',
})

/** NM110. */
export const entityRelationshipWords = codeTable({
  '01': 'PARENT',
  '02': 'CHILD',
  27: 'DOMESTIC_PARTNER',
  41: 'SPOUSE',
  48: 'EMPLOYEE',
  65: 'OTHER',
  72: 'UNKNOWN_RELATIONSHIP',
})

/** INS02. */
export const relationshipWords = codeTable({
  '01': 'SPOUSE',
  19: 'CHILD',
  20: 'EMPLOYEE',
  21: 'UNKNOWN',
  39: 'ORGAN_DONOR',
  40: 'CADAVER_DONOR',
  53: 'LIFE_PARTNER',
  G8: 'OTHER_RELATIONSHIP',
})

/** DMG03. */
export const genderWords = codeTable({ F: 'FEMALE', M: 'MALE', U: 'UNKNOWN' })

/** PRV01. */
export const providerWords = codeTable({
  AD: 'ADMITTING',
  AT: 'ATTENDING',
  BI: 'BILLING',
  CO: 'CONSULTING',
  CV: 'COVERING',
  H: 'HOSPITAL',
  HH: 'HOME_HEALTH_CARE',
  LA: 'LABORATORY',
  OT: 'OTHER_PHYSICIAN',
  P1: 'PHARMACIST',
  P2: 'PHARMACY',
  PC: 'PRIMARY_CARE_PHYSICIAN',
  PE: 'PERFORMING',
  R: 'RURAL_HEALTH_CLINIC',
  RF: 'REFERRING',
  SB: 'SUBMITTING',
  SK: 'SKILLED_NURSING_FACILITY',
  SU: 'SUPERVISING',
})

/** TRN01. */
export const traceWords = codeTable({ 1: 'CURRENT_TRANSACTION', 2: 'REFERENCED_TRANSACTION' })

/** The loop of an AAA. */
export const locationWords = codeTable({
  '2000A': 'ENVELOPE',
  '2100A': 'PAYER',
  '2100B': 'PROVIDER',
  '2100C': 'SUBSCRIBER',
  '2110C': 'SUBSCRIBER_BENEFITS',
  '2100D': 'DEPENDENT',
  '2110D': 'DEPENDENT_BENEFITS',
})

/** PER03, PER05, PER07: the list of a contact that holds such numbers. */
export const contactLists = codeTable({
  TE: 'phoneNumbers',
  EM: 'emails',
  FX: 'faxNumbers',
  ED: 'ediNumbers',
  UR: 'urls',
})

/** NM108: the key of NM109, for each kind of party. */
export const payerIdWords = codeTable({ PI: 'identification', 24: 'ein', 46: 'etin', FI: 'tin', NI: 'naicId' })
export const providerIdWords = codeTable({
  XX: 'npi',
  FI: 'tin',
  24: 'ein',
  34: 'ssn',
  PP: 'pharmacyProcessorNumber',
  SV: 'serviceProviderNumber',
})
export const entityIdWords = codeTable({
  XX: 'npi',
  PI: 'payerId',
  MI: 'memberId',
  24: 'ein',
  34: 'ssn',
  46: 'etin',
  FA: 'facilityId',
  FI: 'tin',
  NI: 'naicId',
  PP: 'pharmacyProcessorNumber',
  SV: 'serviceProviderNumber',
})

/** REF01 of values that have a name (REF03): `{number, name}`. */
export const namedReferenceWords = codeTable({ 18: 'plan', '6P': 'group', N6: 'planNetwork' })

/** REF01 of a subscriber or a dependent. */
export const memberReferenceWords = codeTable({
  '1L': 'groupOrPolicyNumber',
  '1W': 'memberId',
  '3H': 'caseNumber',
  49: 'familyUnitNumber',
  CE: 'classOfContractCode',
  CT: 'contractNumber',
  EA: 'medicalRecordId',
  EJ: 'patientAccountNumber',
  F6: 'mbi',
  GH: 'identificationCardSerialNumber',
  HJ: 'identityCardNumber',
  IF: 'issueNumber',
  IG: 'insurancePolicyNumber',
  MRC: 'eligibilityCategory',
  NQ: 'medicaidRecipientId',
  Q4: 'priorIdentifierNumber',
  SY: 'ssn',
  Y4: 'agencyClaimNumber',
})

/** REF01 under an EB; N6 is the `network`. */
export const benefitReferenceWords = codeTable({
  '1L': 'groupOrPolicyNumber',
  '1W': 'memberId',
  49: 'familyUnitNumber',
  '9F': 'referralNumber',
  ALS: 'alternativeListId',
  CLI: 'coverageListId',
  F6: 'mbi',
  FO: 'drugFormularyNumber',
  G1: 'priorAuthNumber',
  IG: 'insurancePolicyNumber',
  M7: 'medicalAssistanceCategory',
  NQ: 'medicaidRecipientId',
})

/** REF01 of the provider; a state license (0B) is `{number, state}`. */
export const providerReferenceWords = codeTable({
  '1C': 'medicareProviderNumber',
  '1D': 'medicaidProviderNumber',
  '1J': 'facilityIdNumber',
  '4A': 'personalIdentificationNumber',
  CT: 'contractNumber',
  EL: 'electronicDevicePin',
  EO: 'submitterId',
  JD: 'userId',
  N5: 'planNetworkId',
  N7: 'facilityNetworkId',
  Q4: 'priorIdentifierNumber',
})

/** The DTP01 codes of a named date: one code, or one for its beginning, one for its end and one for a range. */
interface DateWord {
  begin: string
  end?: string
  range?: string
}

/** `dates` of a subscriber, a dependent and a benefit. */
export const dateWords: ReadonlyMap<string, DateWord> = new Map(
  Object.entries({
    discharge: { begin: '096' },
    issue: { begin: '102' },
    effectiveDateOfChange: { begin: '152' },
    period: { begin: '193', end: '194' },
    completion: { begin: '198' },
    coordinationOfBenefits: { begin: '290' },
    plan: { begin: '346', end: '347', range: '291' },
    benefit: { begin: '348', end: '349', range: '292' },
    primaryCareProvider: { begin: '295' },
    latestVisit: { begin: '304' },
    eligibility: { begin: '356', end: '357', range: '307' },
    added: { begin: '318' },
    cobra: { begin: '340', end: '341' },
    premiumPaidToDate: { begin: '342', end: '343' },
    enrollment: { begin: '382' },
    admission: { begin: '435' },
    dateOfDeath: { begin: '442' },
    certification: { begin: '458' },
    service: { begin: '472' },
    policy: { begin: '539', end: '540' },
    dateOfLastUpdate: { begin: '636' },
    status: { begin: '771' },
  }),
)
