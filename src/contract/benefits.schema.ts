// What a payer's answer says, as the interface shows it. Source: types.md, "Coverages". The spelling of keys is the interface's own.
import { Type } from 'typebox'
import { recordId } from './common.schema.ts'
import { SERVICE_TYPE_CODES } from './wire-codes.ts'

export const ServiceTypeCode = Type.Enum([...SERVICE_TYPE_CODES])

export const MemberAddress = Type.Object({
  address1: Type.Optional(Type.String()),
  address2: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
  country_code: Type.Optional(Type.String()),
  country_sub_division_code: Type.Optional(Type.String()),
})

export const BenefitType = Type.Enum([
  'DEDUCTIBLE',
  'DEDUCTIBLE_CONTRACT',
  'DEDUCTIBLE_REMAINING',
  'DEDUCTIBLE_YEAR_TO_DATE',
  'OOP_MAX',
  'OOP_MAX_CONTRACT',
  'OOP_MAX_REMAINING',
  'OOP_MAX_YEAR_TO_DATE',
  'COPAY',
  'COINSURANCE',
  'NON_COVERED',
  'LIMITATION',
])

export const RelatedEntityContact = Type.Object({
  mode: Type.Optional(Type.String()),
  value: Type.Optional(Type.String()),
})

export const BenefitsRelatedEntity = Type.Object({
  entityIdentifier: Type.Optional(Type.String()),
  entityType: Type.Optional(Type.String()),
  entityName: Type.Optional(Type.String()),
  contactInformation: Type.Optional(Type.Array(RelatedEntityContact)),
  serviceTypeCodes: Type.Optional(Type.Array(ServiceTypeCode)),
})

export const CoverageLevel = Type.Enum([
  'EMPLOYEE_AND_CHILDREN',
  'EMPLOYEE_ONLY',
  'EMPLOYEE_AND_SPOUSE',
  'FAMILY',
  'INDIVIDUAL',
])

export const CoverageValueUnit = Type.Enum(['PERCENT', 'CURRENCY', 'COUNT'])

export const NonCoveredDetail = Type.Object({
  type: BenefitType,
  coverageLevel: CoverageLevel,
  unit: CoverageValueUnit,
  value: Type.Number(),
  additional_notes: Type.Optional(Type.String()),
  service_type_codes: Type.Optional(Type.Array(ServiceTypeCode)),
})

export const CoverageDetails = Type.Object({
  type: BenefitType,
  coverageLevel: CoverageLevel,
  unit: CoverageValueUnit,
  value: Type.Number(),
  additional_notes: Type.Optional(Type.String()),
})

export const CoverageValue = Type.Object({
  family: Type.Optional(Type.Number()),
  individual: Type.Optional(Type.Number()),
  employeeAndSpouse: Type.Optional(Type.Number()),
  employeeAndChildren: Type.Optional(Type.Number()),
})

export const PlanCoverageDetails = Type.Object({
  deductible: Type.Optional(CoverageValue),
  deductible_contract: Type.Optional(CoverageValue),
  deductible_remaining: Type.Optional(CoverageValue),
  deductible_year_to_date: Type.Optional(CoverageValue),
  oop_max: Type.Optional(CoverageValue),
  oop_max_contract: Type.Optional(CoverageValue),
  oop_max_remaining: Type.Optional(CoverageValue),
  oop_max_year_to_date: Type.Optional(CoverageValue),
  additional_notes: Type.Optional(Type.String()),
})

export const PlanCoverage = Type.Object({
  in_network: Type.Optional(PlanCoverageDetails),
  in_network_flat: Type.Optional(Type.Array(CoverageDetails)),
  out_of_network: Type.Optional(PlanCoverageDetails),
  out_of_network_flat: Type.Optional(Type.Array(CoverageDetails)),
})

export const ServiceCoverageDetails = Type.Object({
  copay: Type.Optional(CoverageValue),
  coinsurance: Type.Optional(CoverageValue),
  visits: Type.Optional(CoverageValue),
  visits_remaining: Type.Optional(CoverageValue),
  additional_notes: Type.Optional(Type.String()),
})

export const ServiceCoverage = Type.Object({
  service_code: ServiceTypeCode,
  in_network: Type.Optional(ServiceCoverageDetails),
  in_network_flat: Type.Optional(Type.Array(CoverageDetails)),
  out_of_network: Type.Optional(ServiceCoverageDetails),
  out_of_network_flat: Type.Optional(Type.Array(CoverageDetails)),
})

export const CoverageBenefits = Type.Object({
  plan_coverage: Type.Optional(PlanCoverage),
  service_specific_coverage: Type.Optional(Type.Array(ServiceCoverage)),
  benefits_related_entities: Type.Optional(Type.Array(BenefitsRelatedEntity)),
  non_covered_details: Type.Optional(Type.Array(NonCoveredDetail)),
  notes: Type.Optional(Type.String()),
  autoUpdatedEligibilityCheckId: Type.Optional(recordId()),
})

export const ExpandedMemberInfo = Type.Object({
  member_id: Type.Optional(Type.String()),
  group_number: Type.Optional(Type.String()),
  first_name: Type.Optional(Type.String()),
  middle_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  date_of_birth: Type.Optional(Type.String()),
  gender: Type.Optional(Type.String()),
  address: Type.Optional(MemberAddress),
})

export const PlanDate = Type.Object({
  start_date: Type.String({ format: 'date' }),
  end_date: Type.Optional(Type.String({ format: 'date' })),
  field_name: Type.String(),
})

export const PlanMetadata = Type.Object({
  payer_name: Type.Optional(Type.String()),
  insurance_type: Type.Optional(Type.String()),
  insurance_type_code: Type.Optional(Type.String()),
  plan_name: Type.Optional(Type.String()),
  member_id: Type.Optional(Type.String()),
  group_number: Type.Optional(Type.String()),
  start_date: Type.Optional(Type.String({ format: 'date' })),
  end_date: Type.Optional(Type.String({ format: 'date' })),
  plan_dates: Type.Optional(Type.Array(PlanDate)),
  subscriber: Type.Optional(ExpandedMemberInfo),
  dependent: Type.Optional(ExpandedMemberInfo),
  trading_partner: Type.Optional(Type.String()),
})
