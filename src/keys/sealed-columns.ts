// Every place in the database where sealed values stand. test/faults/rotate-data.test.ts holds the list against the database.
import { patient } from '../resources/patients/patient.ts'

export interface SealedColumn {
  table: string
  column: string
  /** For JSON: the field at its top that is sealed. */
  field?: string
  /** The primary key, in its order, with the types of its columns. */
  key: Record<string, 'uuid' | 'text' | 'integer'>
}

const ofOrganization = { organization_id: 'uuid', id: 'uuid' } as const

/** The records whose declaration seals fields. */
const sealingRecords = [patient]

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_key', column: 'private_key', key: { kid: 'text' } },
  { table: 'audit_key', column: 'sealed_key', key: { id: 'text' } },
  { table: 'connector', column: 'settings', key: { organization_id: 'uuid', name: 'text' } },
  { table: 'eligibility_check', column: 'request', field: 'portal_password', key: ofOrganization },
  { table: 'eligibility_check', column: 'raw_inquiry', key: ofOrganization },
  { table: 'eligibility_check', column: 'raw_response', key: ofOrganization },
  ...sealingRecords.flatMap(({ name, seals = [] }) =>
    seals.flatMap((field): SealedColumn[] => [
      { table: name, column: 'body', field, key: ofOrganization },
      { table: `${name}_history`, column: 'body', field, key: { ...ofOrganization, version: 'integer' } },
    ]),
  ),
]
