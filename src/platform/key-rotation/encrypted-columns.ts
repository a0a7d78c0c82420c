// Every place in the database where encrypted values stand. test/faults/rotate-data.test.ts holds the list against the database.
import type { Place } from '../crypto/encryption.ts'

export interface EncryptedColumn {
  table: string
  /** The table by whose name its values are bound, where that is another: a record's, for its history. */
  boundTo?: string
  column: string
  /** For JSON: the field at its top that is encrypted. */
  field?: string
  /** The primary key, in its order, with the types of its columns. */
  key: Record<string, 'uuid' | 'text' | 'integer'>
  /** The column of the key that is the id of the place. */
  id: string
}

/** Where the value of a row stands, by the values of its key. */
export function placeOf({ table, boundTo, column, field, id }: EncryptedColumn, key: Record<string, string>): Place {
  return {
    table: boundTo ?? table,
    column: field === undefined ? column : `${column}.${field}`,
    ...(key.organization_id !== undefined && { organizationId: key.organization_id }),
    id: key[id] ?? '',
  }
}

const ofOrganization = { organization_id: 'uuid', id: 'uuid' } as const

/** Where they stand beside records. */
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

/** All of them: `records` are those of the program, with what their declarations encrypt. */
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
