// The shapes that this folder returns, spelled exactly as on the wire. Source: contract/types.md; mixed spelling: rules.md 1.3.

import type { ServiceTypeCode } from '../../contract/wire-codes.ts'

export type EligibilityStatus = 'ACTIVE' | 'INACTIVE' | 'UNKNOWN'

export interface ParsedResponse {
  eligibility_status: EligibilityStatus
  plan_metadata?: PlanMetadata
  benefits?: CoverageBenefits
}

export interface PlanMetadata {
  payer_name?: string
  insurance_type?: string
  insurance_type_code?: string
  plan_name?: string
  member_id?: string
  group_number?: string
  /** YYYY-MM-DD, like every date below. */
  start_date?: string
  end_date?: string
  plan_dates?: PlanDate[]
  subscriber?: ExpandedMemberInfo
  dependent?: ExpandedMemberInfo
  trading_partner?: string
}

export interface PlanDate {
  start_date: string
  end_date?: string
  field_name: string
}

export interface ExpandedMemberInfo {
  member_id?: string
  group_number?: string
  first_name?: string
  middle_name?: string
  last_name?: string
  date_of_birth?: string
  gender?: string
  address?: MemberAddress
}

export interface MemberAddress {
  address1?: string
  address2?: string
  city?: string
  state?: string
  postal_code?: string
  country_code?: string
  country_sub_division_code?: string
}

export interface CoverageBenefits {
  plan_coverage?: PlanCoverage
  service_specific_coverage?: ServiceCoverage[]
  benefits_related_entities?: BenefitsRelatedEntity[]
  non_covered_details?: NonCoveredDetail[]
  notes?: string
  autoUpdatedEligibilityCheckId?: string
}

export interface PlanCoverage {
  in_network?: PlanCoverageDetails
  in_network_flat?: CoverageDetails[]
  out_of_network?: PlanCoverageDetails
  out_of_network_flat?: CoverageDetails[]
}

export type PlanSlot =
  | 'deductible'
  | 'deductible_contract'
  | 'deductible_remaining'
  | 'deductible_year_to_date'
  | 'oop_max'
  | 'oop_max_contract'
  | 'oop_max_remaining'
  | 'oop_max_year_to_date'

export type PlanCoverageDetails = { [slot in PlanSlot]?: CoverageValue } & { additional_notes?: string }

export interface ServiceCoverage {
  service_code: ServiceTypeCode
  in_network?: ServiceCoverageDetails
  in_network_flat?: CoverageDetails[]
  out_of_network?: ServiceCoverageDetails
  out_of_network_flat?: CoverageDetails[]
}

export type ServiceSlot = 'copay' | 'coinsurance' | 'visits' | 'visits_remaining'

export type ServiceCoverageDetails = { [slot in ServiceSlot]?: CoverageValue } & { additional_notes?: string }

/** Dollars, percent (0..100) or a count, depending on the slot. */
export interface CoverageValue {
  family?: number
  individual?: number
  employeeAndSpouse?: number
  employeeAndChildren?: number
}

export type BenefitType =
  | 'DEDUCTIBLE'
  | 'DEDUCTIBLE_CONTRACT'
  | 'DEDUCTIBLE_REMAINING'
  | 'DEDUCTIBLE_YEAR_TO_DATE'
  | 'OOP_MAX'
  | 'OOP_MAX_CONTRACT'
  | 'OOP_MAX_REMAINING'
  | 'OOP_MAX_YEAR_TO_DATE'
  | 'COPAY'
  | 'COINSURANCE'
  | 'NON_COVERED'
  | 'LIMITATION'

export type CoverageLevel = 'EMPLOYEE_AND_CHILDREN' | 'EMPLOYEE_ONLY' | 'EMPLOYEE_AND_SPOUSE' | 'FAMILY' | 'INDIVIDUAL'

export type CoverageValueUnit = 'PERCENT' | 'CURRENCY' | 'COUNT'

export interface CoverageDetails {
  type: BenefitType
  coverageLevel: CoverageLevel
  unit: CoverageValueUnit
  value: number
  additional_notes?: string
}

export interface NonCoveredDetail extends CoverageDetails {
  service_type_codes?: ServiceTypeCode[]
}

export interface BenefitsRelatedEntity {
  entityIdentifier?: string
  entityType?: string
  entityName?: string
  contactInformation?: RelatedEntityContact[]
  serviceTypeCodes?: ServiceTypeCode[]
}

export interface RelatedEntityContact {
  mode?: string
  value?: string
}

export interface RequestCorrection {
  property: string
  request_value: string
  corrected_value: string
}

/** One reject reason in the clearinghouse's spelling, as in the raw response's `errors`. Source: clearinghouse.md A3. */
export interface ErrorDetails {
  field?: string
  code?: string
  description?: string
  followupAction?: string
  location?: string
  possibleResolutions?: string
}

/** `EligibilityCheckErrorDetails`: the interface's keys, which end in a question mark, and the plain ones. rules.md 13.3. */
export type WireErrorDetails = ErrorDetails & { [key in keyof ErrorDetails as `${key}?`]?: string }
