// Invented people for the examples of the API description.
import type { Static } from 'typebox'
import type * as common from '../contract/common.schema.ts'

export const patientId = '0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55'
export const coverageId = '0197a2c4-8f02-7a6b-8b13-2c9d4e5f6071'

export const Address: Static<typeof common.Address> = {
  use: 'HOME',
  line: ['4 Quay St'],
  city: 'Portland',
  state: 'ME',
  postal_code: '04101',
  country: 'US',
}
export const HumanName: Static<typeof common.HumanName> = { family: 'Marlowe', given: ['Iris', 'Quinn'], use: 'USUAL' }
export const ContactPoint: Static<typeof common.ContactPoint> = { value: '207-555-0142', use: 'MOBILE' }
export const ExternalProvider: Static<typeof common.ExternalProvider> = {
  name: { family: 'Okafor', given: ['Ada'], use: 'OFFICIAL' },
  type: 'REFERRING',
  npi: '1999999984',
  telecoms: [{ value: '207-555-0199', use: 'WORK' }],
}
