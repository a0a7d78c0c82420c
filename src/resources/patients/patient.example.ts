import { Address, ContactPoint, coverageId, ExternalProvider, HumanName } from '../example-people.ts'
import type { MutablePatient } from './patient.schema.ts'

export const patientExample: MutablePatient = {
  name: HumanName,
  other_names: [],
  gender: 'WOMAN',
  birth_date: '1984-02-29',
  biological_sex: 'FEMALE',
  marital_status: 'MARRIED',
  primary_address: Address,
  other_addresses: [],
  primary_telecom: ContactPoint,
  other_telecoms: [],
  email: 'iris.marlowe@example.com',
  language: 'en',
  external_provenance: { external_id: 'HC-20817', system_name: 'Harbor Clinic' },
  contacts: [],
  general_practitioners: [ExternalProvider],
  filing_order: { coverages: [coverageId] },
}
