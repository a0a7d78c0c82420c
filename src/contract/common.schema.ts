// Wire types that several resources share. Source: types.md, "Common types of the pre-encounter group".
import { type TString, Type } from 'typebox'

export const AdditionalPayerInformation = Type.Object({
  availity_eligibility_id: Type.Optional(Type.String()),
  availity_payer_id: Type.Optional(Type.String()),
  availity_payer_name: Type.Optional(Type.String()),
  availity_remittance_payer_id: Type.Optional(Type.String()),
})

export const INT32_MAX = 2 ** 31 - 1

/** An integer of the interface. Published clients of C#, Java and Go read it into 32 bits, and one greater value would break their whole page. */
export const Int32 = Type.Integer({ minimum: -(2 ** 31), maximum: INT32_MAX })

export const AddressUse = Type.Enum(['HOME', 'WORK', 'TEMP', 'OLD', 'BILLING'])

export const Period = Type.Object({
  start: Type.Optional(Type.String({ format: 'date' })),
  end: Type.Optional(Type.String({ format: 'date' })),
})

export const Address = Type.Object({
  use: AddressUse,
  line: Type.Array(Type.String()),
  city: Type.String(),
  state: Type.String(),
  administrative_area: Type.Optional(Type.String()),
  postal_code: Type.String(),
  country: Type.String(),
  county: Type.Optional(Type.String()),
  period: Type.Optional(Period),
})

const CanonicalClinicalTrialId = Type.String()

export const CanonicalClinicalTrialAssociation = Type.Object({
  id: CanonicalClinicalTrialId,
  clinical_trial_arm: Type.Optional(Type.String()),
  period: Type.Optional(Period),
})

export const CanonicalNonInsurancePayerId = Type.String()

export const CanonicalNonInsurancePayerAssociation = Type.Object({
  id: CanonicalNonInsurancePayerId,
  member_id: Type.Optional(Type.String()),
  period: Type.Optional(Period),
  clinical_trial_info: Type.Optional(Type.Array(CanonicalClinicalTrialAssociation)),
})

const CanonicalProviderId = Type.String()

const CanonicalServiceFacilityId = Type.String()

export const ContactPointUse = Type.Enum(['HOME', 'WORK', 'TEMP', 'OLD', 'MOBILE'])

/**
 * Text that lists search and sort by is stored in indexes, whose entries are limited in size: 500 characters of four
 * bytes fit.
 */
const INDEXED_TEXT_MAX = 500

export const ContactPoint = Type.Object({
  value: Type.String({ maxLength: INDEXED_TEXT_MAX }),
  use: ContactPointUse,
  period: Type.Optional(Period),
})

/**
 * The id of a record, which the interface types as a plain string. It is stored in lower case, as those of type uuid are, and found in
 * capitals (decisions/0244-ids-in-one-spelling.md).
 */
export const recordId = (): TString => Type.String({ 'x-record-id': true })

export const CoverageId = Type.String({ format: 'uuid' })

export const DisabilityStatus = Type.Enum(['DISABLED', 'NON_DISABLED'])

export const Ethnicity = Type.Enum(['HISPANIC_OR_LATINO', 'NOT_HISPANIC_OR_LATINO', 'UNKNOWN', 'REFUSED'])

export const ExternalIdentifier = Type.Object({
  value: Type.String(),
  system: Type.String(),
  period: Type.Optional(Period),
})

export const ExternalProviderType = Type.Enum(['PRIMARY', 'REFERRING', 'ATTENDING'])

export const NameUse = Type.Enum(['USUAL', 'OFFICIAL', 'TEMP', 'NICKNAME', 'ANONYMOUS', 'OLD', 'MAIDEN'])

export const HumanName = Type.Object({
  family: Type.String({ maxLength: INDEXED_TEXT_MAX }),
  given: Type.Array(Type.String()),
  use: NameUse,
  period: Type.Optional(Period),
  suffix: Type.Optional(Type.String()),
})

export const PatientServiceFacility = Type.Object({
  service_facility_id: CanonicalServiceFacilityId,
})

export const ExternalProvider = Type.Object({
  name: HumanName,
  type: Type.Optional(ExternalProviderType),
  npi: Type.Optional(Type.String()),
  telecoms: Type.Array(ContactPoint),
  addresses: Type.Optional(Type.Array(Address)),
  period: Type.Optional(Period),
  canonical_id: Type.Optional(CanonicalProviderId),
  fax: Type.Optional(Type.String()),
  other_fax_numbers: Type.Optional(Type.Array(Type.String())),
  emails: Type.Optional(Type.Array(Type.String())),
  service_facilities: Type.Optional(Type.Array(PatientServiceFacility)),
})

export const Gender = Type.Enum([
  'MAN',
  'WOMAN',
  'NON_BINARY',
  'TWO_SPIRIT',
  'FEMALE_TO_MALE',
  'MALE_TO_FEMALE',
  'OTHER',
  'UNKNOWN',
  'REFUSED',
])

export const MetadataSchemaId = recordId()

export const NoteId = recordId()

export const OrganizationId = recordId()

export const PatientId = recordId()

export const PayerId = Type.String()

export const PayerPlanGroupId = Type.String({ format: 'uuid' })

export const Race = Type.Enum([
  'AMERICAN_INDIAN_OR_ALASKA_NATIVE',
  'WHITE',
  'BLACK',
  'ASIAN',
  'NATIVE_HAWAIIAN_OR_OTHER_PACIFIC_ISLANDER',
  'MIDDLE_EASTERN_OR_NORTH_AFRICAN',
  'OTHER',
  'UNKNOWN',
  'REFUSED',
])

export const Relationship = Type.Enum(['SELF', 'SPOUSE', 'CHILD', 'COMMON_LAW_SPOUSE', 'OTHER'])

export const Sex = Type.Enum(['FEMALE', 'MALE', 'UNKNOWN', 'REFUSED'])

export const SexualOrientation = Type.Enum([
  'HETEROSEXUAL',
  'HOMOSEXUAL',
  'BISEXUAL',
  'TWO_SPIRIT',
  'OTHER',
  'UNKNOWN',
  'REFUSED',
])

export const TagId = recordId()

export const UserId = recordId()
