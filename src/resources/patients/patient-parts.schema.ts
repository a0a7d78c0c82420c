// The parts of a patient record. Source: types.md, "Patients".
import { Type } from 'typebox'
import {
  AdditionalPayerInformation,
  Address,
  ContactPoint,
  CoverageId,
  ExternalProvider,
  HumanName,
  Int32,
  MetadataSchemaId,
  PatientServiceFacility,
  PayerId,
  Period,
  Relationship,
} from '../../contract/common.schema.ts'

export const AdvancedDirective = Type.Enum([
  'NONE',
  'DURABLE_POWER_OF_ATTORNEY',
  'LIVING_WILL',
  'DO_NOT_RESUSCITATE',
  'STANDARD_PRECAUTIONS',
  'FALL_RISK',
])

export const AuthorizationUnit = Type.Enum(['VISIT', 'UNIT'])

export const Authorization = Type.Object({
  payer_id: PayerId,
  payer_name: Type.String(),
  additional_payer_information: Type.Optional(AdditionalPayerInformation),
  authorization_number: Type.String(),
  cpt_code: Type.String(),
  apply_for_all_cpt_codes: Type.Optional(Type.Boolean()),
  no_prior_authorization_required: Type.Optional(Type.Boolean()),
  units: AuthorizationUnit,
  quantity: Type.Optional(Int32),
  period: Type.Optional(Period),
  notes: Type.Optional(Type.String()),
  billing_provider_npi: Type.Optional(Type.String()),
  service_facility: Type.Optional(PatientServiceFacility),
  dx_codes: Type.Optional(Type.Array(Type.String())),
})

export const Contact = Type.Object({
  relationship: Type.Array(Relationship),
  name: HumanName,
  telecoms: Type.Array(ContactPoint),
  addresses: Type.Array(Address),
  period: Type.Optional(Period),
  hipaa_authorization: Type.Optional(Type.Boolean()),
})

export const CoveragesForRelatedCauses = Type.Object({
  coverages: Type.Array(CoverageId),
})

export const CustomMetadataEntry = Type.Object({
  metadata_schema_id: MetadataSchemaId,
  key_value_pairs: Type.Record(Type.String(), Type.Unknown()),
})

export const DoNotInvoiceReason = Type.Enum([
  'BANKRUPTCY',
  'DECEASED',
  'HARDSHIP',
  'OTHER',
  'COLLECTIONS',
  'BAD_ADDRESS',
  'PROFESSIONAL_COURTESY',
])

export const ElectronicCommunicationConsent = Type.Object({
  text_communication_consent: Type.Optional(Type.Boolean()),
  email_communication_consent: Type.Optional(Type.Boolean()),
})

/** Unique together, so both must fit into one index row (2,704 bytes) even with four bytes per character. */
const EXTERNAL_KEY_MAX = 255

export const ExternalProvenance = Type.Object({
  external_id: Type.String({ maxLength: EXTERNAL_KEY_MAX }),
  system_name: Type.String({ maxLength: EXTERNAL_KEY_MAX }),
})

export const FilingOrder = Type.Object({
  coverages: Type.Array(CoverageId),
})

export const Guarantor = Type.Object({
  name: HumanName,
  telecom: Type.Optional(ContactPoint),
  email: Type.Optional(Type.String()),
  birth_date: Type.Optional(Type.String({ format: 'date' })),
  address: Address,
})

export const InferredPatientMetadata = Type.Object({
  inferred_encounter_id: Type.String(),
  inferred_encounter_latest_date_of_service: Type.String({ format: 'date' }),
})

export const MaritalStatus = Type.Enum([
  'ANNULLED',
  'DIVORCED',
  'INTERLOCUTORY',
  'SEPARATED',
  'MARRIED',
  'COMMON_LAW',
  'POLYGAMOUS',
  'DOMESTIC_PARTNER',
  'UNMARRIED',
  'NEVER_MARRIED',
  'WIDOWED',
  'UNKNOWN',
])

export const ReferralSource = Type.Enum(['HOSPITAL', 'REFERRING_MD', 'SELF', 'OTHER'])

export const ReferralType = Type.Enum(['DIRECTED', 'ROTATION', 'OVERNIGHT'])

export const SpecializationCategory = Type.Enum([
  'BEHAVIORAL_HEALTH_THERAPY',
  'CARDIOLOGY',
  'DERMATOLOGY',
  'ENDOCRINOLOGY',
  'ENT',
  'GASTROENTEROLOGY',
  'GENERAL_SURGERY',
  'GENETICS',
  'HEMATOLOGY',
  'INFECTIOUS_DISEASE',
  'NEUROLOGY',
  'NUTRITIONAL_THERAPY',
  'OB_GYN',
  'ONCOLOGY',
  'OPHTHALMOLOGY',
  'ORTHOPEDICS',
  'PAIN_MANAGEMENT',
  'PEDIATRICS',
  'PHYSICAL_THERAPY',
  'PODIATRY',
  'PRIMARY_CARE',
  'PSYCHIATRY',
  'PULMONOLOGY',
  'RADIOLOGY',
  'RHEUMATOLOGY',
  'SCREENING',
  'UROLOGY',
  'OTHER',
])

export const OriginationDetail = Type.Object({
  referral_source: ReferralSource,
  referring_provider: Type.Optional(ExternalProvider),
  specialization_categories: Type.Optional(Type.Array(SpecializationCategory)),
  referral_type: Type.Optional(ReferralType),
})

export const ReferralUnit = Type.Enum(['VISIT', 'UNIT'])

export const Referral = Type.Object({
  provider: ExternalProvider,
  referral_number: Type.String(),
  period: Type.Optional(Period),
  notes: Type.Optional(Type.String()),
  serviceFacility: Type.Optional(PatientServiceFacility),
  units: Type.Optional(ReferralUnit),
  quantity: Type.Optional(Int32),
  cptCodes: Type.Optional(Type.Array(Type.String())),
  applyForAllCptCodes: Type.Optional(Type.Boolean()),
})
