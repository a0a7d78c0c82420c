// Providers outside the organization, who refer patients or treat them elsewhere. Source: types.md, "Organization external providers"; rules.md 15.
import { type Static, Type } from 'typebox'
import { Address, HumanName } from '../../contract/common.schema.ts'
import { licenseTypes } from './license-types.ts'

/** Unique, so it must fit into an index row (2,704 bytes); real NPIs have ten digits. */
const NPI_MAX = 100

export const OrganizationExternalProviderType = Type.Enum(['REFERRING', 'PRIMARY', 'TREATING'])

export const LicenseType = Type.Enum([...licenseTypes])

export const MutableOrganizationExternalProvider = Type.Object({
  name: HumanName,
  types: Type.Array(OrganizationExternalProviderType),
  npi: Type.Optional(Type.String({ maxLength: NPI_MAX })),
  tax_id: Type.Optional(Type.String()),
  taxonomy_code: Type.Optional(Type.String()),
  phone_number: Type.Optional(Type.String()),
  other_phone_numbers: Type.Optional(Type.Array(Type.String())),
  fax_number: Type.Optional(Type.String()),
  other_fax_numbers: Type.Optional(Type.Array(Type.String())),
  emails: Type.Optional(Type.Array(Type.String())),
  license_type: Type.Optional(LicenseType),
  addresses: Type.Optional(Type.Array(Address)),
})
export type MutableOrganizationExternalProvider = Static<typeof MutableOrganizationExternalProvider>
