import { codeTable } from './code-table.ts'

/** NM108 and N103: the id is an NPI. */
export const NPI = 'XX'
/** NM108: the id is that of a payer. */
export const PAYER_ID = 'PI'
/** NM108: the id is that of a health plan. */
export const PLAN_ID = 'XV'
/** NM108: the number under which an organization pays taxes, by either name. */
export const TAX_ID = 'FI'
export const EMPLOYER_ID = '24'
/** NM108: the id is that of a member. */
export const MEMBER_ID = 'MI'

/** NM108 and N103, X12 element 66. Source: 005010X279A1 NM108. */
export const identificationNames = codeTable({
  24: "Employer's Identification Number",
  34: 'Social Security Number',
  46: 'Electronic Transmitter Identification Number (ETIN)',
  FA: 'Facility Identification',
  FI: "Federal Taxpayer's Identification Number",
  II: 'Standard Unique Health Identifier',
  MI: 'Member Identification Number',
  NI: 'National Association of Insurance Commissioners (NAIC) Identification',
  PI: 'Payor Identification',
  PP: 'Pharmacy Processor Number',
  SV: 'Service Provider Number',
  XV: 'Centers for Medicare and Medicaid Services PlanID',
  XX: 'National Provider Identifier (NPI)',
})

/** PRV01, X12 element 1221. */
export const providerRoleNames = codeTable({
  AD: 'Admitting',
  AT: 'Attending',
  BI: 'Billing',
  CO: 'Consulting',
  CV: 'Covering',
  H: 'Hospital',
  HH: 'Home Health Care',
  LA: 'Laboratory',
  OT: 'Other Physician',
  P1: 'Pharmacist',
  P2: 'Pharmacy',
  PC: 'Primary Care Physician',
  PE: 'Performing',
  R: 'Rural Health Clinic',
  RF: 'Referring',
  SB: 'Submitting',
  SK: 'Skilled Nursing Facility',
  SU: 'Supervising',
})

/** DMG03, X12 element 1068. */
export const genderNames = codeTable({ F: 'Female', M: 'Male', U: 'Unknown' })
