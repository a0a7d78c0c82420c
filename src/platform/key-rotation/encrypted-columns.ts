// Every place in the database with encrypted values. test/faults/rotate-data.test.ts compares the list with the
// database.
import type { Place } from '../crypto/encryption.ts'

export interface EncryptedColumn {
  table: string
  /**
   * The table whose name is part of the encryption's additional data, where it differs: the record's table, for its
   * history.
   */
  boundTo?: string
  column: string
  /** For JSON: the encrypted top-level field. */
  field?: string
  /** The columns of the primary key, in order, with their types. */
  key: Record<string, 'uuid' | 'text' | 'integer'>
  /** The key column that is the id of the place. */
  id: string
}

/** The place of a row's value, from the values of its key. */
export function placeOf({ table, boundTo, column, field, id }: EncryptedColumn, key: Record<string, string>): Place {
  return {
    table: boundTo ?? table,
    column: field === undefined ? column : `${column}.${field}`,
    ...(key.organization_id !== undefined && { organizationId: key.organization_id }),
    id: key[id] ?? '',
  }
}

const ofOrganization = { organization_id: 'uuid', id: 'uuid' } as const

/** Encrypted columns outside records. */
const standing: readonly EncryptedColumn[] = [
  { table: 'signing_key', column: 'private_key', key: { kid: 'text' }, id: 'kid' },
  { table: 'audit_key', column: 'sealed_key', key: { id: 'text' }, id: 'id' },
  { table: 'connector', column: 'settings', key: { organization_id: 'uuid', name: 'text' }, id: 'name' },
  { table: 'webhook', column: 'secret', key: ofOrganization, id: 'id' },
  { table: 'webhook', column: 'previous_secret', key: ofOrganization, id: 'id' },
  {
    table: 'user_second_factor',
    column: 'secret',
    key: { organization_id: 'uuid', user_id: 'uuid' },
    id: 'user_id',
  },
  { table: 'eligibility_check', column: 'request', field: 'portal_password', key: ofOrganization, id: 'id' },
  { table: 'eligibility_check', column: 'raw_inquiry', key: ofOrganization, id: 'id' },
  { table: 'eligibility_check', column: 'raw_response', key: ofOrganization, id: 'id' },
]

/** All encrypted columns: `records` are the program's record types, whose declarations name their encrypted fields. */
export function encryptedColumns(
  records: readonly { name: string; encrypts?: readonly string[] }[],
): EncryptedColumn[] {
  return [
    ...standing,
    ...records.flatMap(({ name, encrypts = [] }) => encrypts.flatMap((field) => ofField(name, field))),
  ]
}

function ofField(name: string, field: string): EncryptedColumn[] {
  const head: EncryptedColumn = { table: name, column: 'body', field, key: ofOrganization, id: 'id' }
  return [head, { ...head, table: `${name}_history`, boundTo: name, key: { ...ofOrganization, version: 'integer' } }]
}
