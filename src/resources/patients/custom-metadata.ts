// A patient's custom metadata must match the organization's metadata schemas. Source: rules.md 6, 14.

import type { Static } from 'typebox'
import { badRequest } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import type { RuleContext } from '../../records/record.ts'
import type { CustomMetadataEntry } from './patient-parts.schema.ts'

interface Field {
  key: string
  type: string
  /** A set, because it is looked up for every value, and a body may contain tens of thousands. */
  enumValues: ReadonlySet<string>
}

/**
 * A schema may have 1 MB, and a patient may name many: they are read a few at a time, more where they are small, and checked in turns, so that other
 * calls proceed.
 */
const SCHEMAS_AT_FIRST = 8
const SCHEMAS_AT_A_TIME = 64

/**
 * Of each schema only the fields that the patient has: the database finds them in less time than the service needs to parse all. A patient may have
 * thousands of keys: `in (select …)` looks each field up in a hash table of them, where `= any($3)` in a kept plan goes through all of them.
 */
const schemasStatement = {
  name: 'metadata_schemas_of_entries',
  text: `select id, (select json_agg(field) from jsonb_array_elements(body -> 'fields') field where field ->> 'key' in (select unnest($3::text[])))
    from metadata_schema
    where organization_id = $1 and id = any($2::uuid[]) and not deactivated
    order by id limit $4`,
  maxBytes: CHUNK_BYTES,
}

/**
 * @throws BadRequestError for a schema that does not exist or is deactivated, a key that it lacks, or a value of the
 * wrong type, unless the replaced version contains the same.
 */
export async function checkCustomMetadata(
  entries: Static<typeof CustomMetadataEntry>[] | undefined,
  context: RuleContext,
): Promise<void> {
  if (!entries || entries.length === 0) return
  const faults = await findFaults(entries, context)
  if (faults.length === 0) return
  const before = await readReplaced(context)
  const fault = faults.find(({ schemaId, pair }) => !before.has(keyOf(schemaId, pair)))
  if (fault) throw badRequest(fault.message)
}

/** In the order of the entries. */
async function findFaults(entries: readonly Entry[], { actor, deps }: RuleContext): Promise<EntryFault[]> {
  const bySchema = new Map<string, number[]>()
  for (const [index, { metadata_schema_id: id }] of entries.entries()) {
    const places = bySchema.get(id) ?? []
    places.push(index)
    bySchema.set(id, places)
  }
  const faults: EntryFault[][] = []
  const check = (id: string, fields?: Map<string, Field>) => {
    for (const index of bySchema.get(id) ?? [])
      faults[index] = faultsOf(entries[index] as Entry, `custom_metadata[${index}]`, fields)
    bySchema.delete(id)
  }
  let ids = [...bySchema.keys()].filter(isUuid)
  const keys = [...new Set(entries.flatMap(({ key_value_pairs }) => Object.keys(key_value_pairs)))]
  for (let most = SCHEMAS_AT_FIRST; most > 0; ) {
    const rows = await deps.database.rows(schemasStatement, [actor.organizationId, ids, keys, most])
    for (const [id = '', fields] of rows) {
      await takeTurn(actor.organizationId)
      check(id, fieldsByKey(fields ?? '[]'))
    }
    const last = rows.at(-1)?.[0] ?? ''
    ids = ids.filter((id) => id > last)
    // As many as fitted, where they are large: the database would read the others for nothing.
    most = rows.isCut ? rows.length : rows.length === most ? Math.min(2 * most, SCHEMAS_AT_A_TIME) : 0
  }
  for (const id of bySchema.keys()) {
    await takeTurn(actor.organizationId)
    check(id)
  }
  return faults.flat()
}

/** The problem and the pair of the entry that has it; no pair where the schema itself is the problem. */
interface EntryFault {
  message: string
  schemaId: string
  pair?: [string, unknown]
}

type Entry = Static<typeof CustomMetadataEntry>

/** `fields`: those of the schema of the entry, if that is active. */
function faultsOf(entry: Entry, place: string, fields: ReadonlyMap<string, Field> | undefined): EntryFault[] {
  const schemaId = entry.metadata_schema_id
  const pairs = Object.entries(entry.key_value_pairs)
  if (!fields) {
    const message = `${place}.metadata_schema_id must be that of an active metadata schema`
    return [{ message, schemaId }, ...pairs.map((pair) => ({ message, schemaId, pair }))]
  }
  return pairs.flatMap(([key, value]) => {
    const field = fields.get(key)
    const fault = { schemaId, pair: [key, value] as [string, unknown] }
    // The key is the client's own text, so the message does not repeat it.
    if (!field) return [{ ...fault, message: `${place}.key_value_pairs has a key that its schema lacks` }]
    if (!fits(field, value))
      return [{ ...fault, message: `${place}.key_value_pairs has a value that is not a valid ${field.type}` }]
    return []
  })
}

/**
 * The schemas and pairs of the replaced version: they may stay, regardless of changes to their schema. Older versions may name a schema in
 * capitals (decisions/0244-ids-in-one-spelling.md).
 */
async function readReplaced({ replaced }: RuleContext): Promise<Set<string>> {
  const before = replaced ? (((await replaced.read()).custom_metadata ?? []) as Entry[]) : []
  return new Set(
    before.flatMap(({ metadata_schema_id, key_value_pairs }) => {
      const id = metadata_schema_id.toLowerCase()
      return [keyOf(id), ...Object.entries(key_value_pairs).map((pair) => keyOf(id, pair))]
    }),
  )
}

function keyOf(schemaId: string, pair?: [string, unknown]): string {
  return JSON.stringify([schemaId, ...(pair ?? [])])
}

function fieldsByKey(fields: string): Map<string, Field> {
  const stored = JSON.parse(fields) as { key: string; type: string; enum_values?: string[] }[]
  return new Map(stored.map(({ key, type, enum_values }) => [key, { key, type, enumValues: new Set(enum_values) }]))
}

function fits({ type, enumValues }: Field, value: unknown): boolean {
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
      return typeof value === 'string' && enumValues.has(value)
    default:
      return false
  }
}
