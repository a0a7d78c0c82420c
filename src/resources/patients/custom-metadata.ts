// A patient's custom metadata must fit the organization's metadata schemas. Source: rules.md 6, 14.
import type { Static } from 'typebox'
import { badRequest } from '../../errors.ts'
import type { RuleContext } from '../../records/record.ts'
import type { CustomMetadataEntry } from './patient-parts.schema.ts'

interface Field {
  key: string
  type: string
  enum_values?: string[]
}

const schemasStatement = {
  name: 'metadata_schemas_of_entries',
  text: `select id, body -> 'fields' from metadata_schema
    where organization_id = $1 and id::text = any($2::text[]) and not deactivated`,
}

/** @throws BadRequestError for a schema that is not there or deactivated, a key that it lacks, a value that does not fit. */
export async function checkCustomMetadata(
  entries: Static<typeof CustomMetadataEntry>[] | undefined,
  { actor, deps }: RuleContext,
): Promise<void> {
  if (!entries || entries.length === 0) return
  const ids = entries.map(({ metadata_schema_id }) => metadata_schema_id.toLowerCase())
  const rows = await deps.database.rows(schemasStatement, [actor.organizationId, ids])
  const schemas = new Map(rows.map(([id, fields]) => [id, fieldsByKey(fields ?? '[]')]))
  entries.forEach((entry, index) => {
    const place = `custom_metadata[${index}]`
    const fields = schemas.get(entry.metadata_schema_id.toLowerCase())
    if (!fields) throw badRequest(`${place}.metadata_schema_id must be that of an active metadata schema`)
    for (const [key, value] of Object.entries(entry.key_value_pairs)) {
      const field = fields.get(key)
      // The key is the client's own text, so the message does not repeat it.
      if (!field) throw badRequest(`${place}.key_value_pairs has a key that its schema lacks`)
      if (!fits(field, value)) throw badRequest(`${place}.key_value_pairs has a value that is no ${field.type}`)
    }
  })
}

function fieldsByKey(fields: string): Map<string, Field> {
  return new Map((JSON.parse(fields) as Field[]).map((field) => [field.key, field]))
}

function fits({ type, enum_values }: Field, value: unknown): boolean {
  switch (type) {
    case 'STRING':
      return typeof value === 'string'
    case 'INTEGER':
      return Number.isInteger(value)
    case 'DOUBLE':
      return typeof value === 'number'
    case 'BOOLEAN':
      return typeof value === 'boolean'
    case 'ENUM':
      return typeof value === 'string' && (enum_values ?? []).includes(value)
    default:
      return false
  }
}
