import { codeTable } from './code-table.ts'

/** NM101: the payer. */
export const PAYER = 'PR'
/** NM101: the provider. */
export const PROVIDER = '1P'
/** NM101: the insured or subscriber. */
export const INSURED = 'IL'
/** NM101 of an administrator of another payer. */
export const THIRD_PARTY_ADMINISTRATOR = '2B'
/** NM101: the organization that manages a person's care. */
export const MANAGED_CARE_ORGANIZATION = 'Y2'
/** NM101 of a network of providers. */
export const PREFERRED_PROVIDERS = '1I'

/** NM101, X12 element 98: the parties of a 270 and a 271, mostly in 2120. */
export const entityNames = codeTable({
  '03': 'Dependent',
  13: 'Contracted Service Provider',
  '1I': 'Preferred Provider Organization (PPO)',
  '1P': 'Provider',
  '2B': 'Third-Party Administrator',
  36: 'Employer',
  40: 'Receiver',
  41: 'Submitter',
  71: 'Attending Physician',
  72: 'Operating Physician',
  73: 'Other Physician',
  74: 'Corrected Insured',
  77: 'Service Location',
  80: 'Hospital',
  82: 'Rendering Provider',
  85: 'Billing Provider',
  87: 'Pay-to Provider',
  DK: 'Ordering Physician',
  DN: 'Referring Provider',
  DQ: 'Supervising Physician',
  FA: 'Facility',
  GP: 'Gateway Provider',
  GW: 'Group',
  I3: 'Independent Physicians Association (IPA)',
  IL: 'Insured or Subscriber',
  LR: 'Legal Representative',
  OC: 'Origin Carrier',
  P3: 'Primary Care Provider',
  P4: 'Prior Insurance Carrier',
  P5: 'Plan Sponsor',
  PR: 'Payer',
  PRP: 'Primary Payer',
  QC: 'Patient',
  QD: 'Responsible Party',
  S4: 'Guardian',
  SEP: 'Secondary Payer',
  SJ: 'Service Provider',
  TTP: 'Tertiary Payer',
  VER: 'Party Performing Verification',
  VN: 'Vendor',
  VY: 'Organization Completing Configuration Change',
  X3: 'Utilization Management Organization',
  Y2: 'Managed Care Organization',
})

/** NM101 of a payer by its place in the order of payers, and that place. Source: x12-271.md 10. */
export const PAYER_ORDERS: ReadonlyMap<string | undefined, 'PRIMARY' | 'SECONDARY' | 'TERTIARY'> = new Map([
  ['PRP', 'PRIMARY'],
  ['SEP', 'SECONDARY'],
  ['TTP', 'TERTIARY'],
])

/** NM102, X12 element 1065. */
export const entityTypeNames = codeTable({
  1: 'Person',
  2: 'Non-Person Entity',
})
