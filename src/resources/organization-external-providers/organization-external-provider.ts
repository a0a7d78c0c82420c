import { badRequest } from '../../contract/errors.ts'
import { defineRecord } from '../../records/record.ts'
import { Address, ExternalProvider } from '../example-people.ts'
import { refuseBlank } from '../existing-values.ts'
import { addressesAt, refuseDomesticAreas } from '../international-addresses.ts'
import { MutableOrganizationExternalProvider } from './organization-external-provider.schema.ts'

/** A provider outside the organization who refers or treats its patients. Source: rules.md 15. */
export const organizationExternalProvider = defineRecord({
  name: 'organization_external_provider',
  label: 'Organization external provider',
  mutable: MutableOrganizationExternalProvider,
  example: {
    name: ExternalProvider.name,
    types: ['REFERRING'],
    npi: '1999999984',
    phone_number: '207-555-0199',
    license_type: 'MD',
    addresses: [{ ...Address, use: 'WORK', line: ['12 Elm St'] }],
  },
  pathVersions: { update: 'next', deactivate: 'next' },
  patients: 'none',
  async prepare(body, context) {
    await refuseBlank(body, context, ({ name }) => ({ 'name.family': name.family }))
    await refuseDomesticAreas(body, context, ({ addresses }) => addressesAt('addresses', addresses))
    return body
  },
  // The interface requires 400 here where other records return 409.
  uniqueness: { organization_external_provider_npi_unique: () => badRequest('npi is in use by another provider') },
})
