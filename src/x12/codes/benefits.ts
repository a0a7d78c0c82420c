import { codeTable } from './code-table.ts'

/** EB01, X12 element 1390. */
export const benefitNames = codeTable({
  1: 'Active Coverage',
  2: 'Active - Full Risk Capitation',
  3: 'Active - Services Capitated',
  4: 'Active - Services Capitated to Primary Care Physician',
  5: 'Active - Pending Investigation',
  6: 'Inactive',
  7: 'Inactive - Pending Eligibility Update',
  8: 'Inactive - Pending Investigation',
  A: 'Co-Insurance',
  B: 'Co-Payment',
  C: 'Deductible',
  CB: 'Coverage Basis',
  D: 'Benefit Description',
  E: 'Exclusions',
  F: 'Limitations',
  G: 'Out of Pocket (Stop Loss)',
  H: 'Unlimited',
  I: 'Non-Covered',
  J: 'Cost Containment',
  K: 'Reserve',
  L: 'Primary Care Provider',
  M: 'Pre-existing Condition',
  MC: 'Managed Care Coordinator',
  N: 'Services Restricted to Following Provider',
  O: 'Not Deemed a Medical Necessity',
  P: 'Benefit Disclaimer',
  Q: 'Second Surgical Opinion Required',
  R: 'Other or Additional Payor',
  S: 'Prior Year(s) History',
  T: 'Card(s) Reported Lost/Stolen',
  U: 'Contact Following Entity for Eligibility or Benefit Information',
  V: 'Cannot Process',
  W: 'Other Source of Data',
  X: 'Health Care Facility',
  Y: 'Spend Down',
})

/** EB01: active, pending investigation. */
export const UNDER_INVESTIGATION = '5'
/** EB01: co-insurance, a share. */
export const COINSURANCE = 'A'
/** EB01: co-payment, an amount. */
export const COPAYMENT = 'B'
/** EB01: deductible. */
export const DEDUCTIBLE = 'C'
/** EB01: out of pocket (stop loss). */
export const OUT_OF_POCKET = 'G'
/** EB01: limitations. */
export const LIMITATIONS = 'F'
/** EB01: benefit description, a text about the coverage as a whole. */
export const BENEFIT_DESCRIPTION = 'D'
/** EB01: benefit disclaimer. */
export const DISCLAIMER = 'P'
/** EB01: coverage basis, for whom the coverage is. */
export const COVERAGE_BASIS = 'CB'
/** EB01: spend down, the amount a Medicaid patient pays before the program pays. */
export const SPEND_DOWN_ROW = 'Y'
/** EB01: services restricted to the following provider, a lock-in. */
export const RESTRICTED_TO_PROVIDER = 'N'
/** EB01: cannot process. */
export const CANNOT_PROCESS = 'V'
/** EB01: primary care provider. */
export const PRIMARY_CARE_PROVIDER = 'L'
/** EB01: other or additional payer. */
export const OTHER_PAYER = 'R'
/** EB01: contact the following entity. */
export const CONTACT_ENTITY = 'U'
/** EB01: managed care coordinator. */
export const MANAGED_CARE_COORDINATOR = 'MC'
/** EB01: non-covered, exclusions. */
export const NON_COVERED = 'I'
export const EXCLUSIONS = 'E'

/** What a text under a row without EB01 begins with: the word by which a connector's form states a status that no code has. */
export const UNKNOWN_STATUS = 'STATUS '

const ACTIVE: ReadonlySet<string> = new Set(['1', '2', '3', '4', '5'])
const INACTIVE: ReadonlySet<string> = new Set(['6', '7', '8'])

/** True for EB01 1 to 5 only: an unknown code is never coverage. Source: 005010X279A1 2110C EB01. */
export const isActiveCode = (code: string): boolean => ACTIVE.has(code)

/** True for EB01 6 to 8. Source: 005010X279A1 2110C EB01. */
export const isInactiveCode = (code: string): boolean => INACTIVE.has(code)

/** EB12: the network that the row describes, not whether the inquiring provider is in the network. */
export const networkNames = codeTable({
  Y: 'Yes',
  N: 'No',
  W: 'Not Applicable',
  U: 'Unknown',
})
