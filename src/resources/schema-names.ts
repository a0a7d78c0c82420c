// The names of the schemas in the API description: those of each record, and the names under which resources and shared
// schemas are exported.
import { type TSchema, Type } from 'typebox'
import * as common from '../contract/common.schema.ts'
import { sessionSchemas } from '../platform/auth/session.routes.ts'
import { AuthGetTokenRequest, AuthGetTokenResponse } from '../platform/auth/token.routes.ts'
import type { VersionedRecord } from '../records/record.ts'
import { type Resource, recordsOf } from '../records/resource.ts'

/** Where a schema has several names, the last one counts. */
export function schemaNames(resources: readonly Resource[]): Record<string, TSchema> {
  const exported = Object.assign({}, common, ...resources.map(({ schemas }) => schemas)) as Record<string, unknown>
  return {
    ...Object.fromEntries(recordsOf(resources).map((record) => [`Mutable${nameOf(record)}`, record.mutable])),
    AuthGetTokenRequest,
    AuthGetTokenResponse,
    ...sessionSchemas,
    ...Object.fromEntries(
      Object.entries(exported).filter((entry): entry is [string, TSchema] => Type.IsSchema(entry[1])),
    ),
    ...Object.fromEntries(recordsOf(resources).map((record) => [nameOf(record), record.wire])),
  }
}

/** The examples of records, by the names of their body schemas. */
export function recordExamples(resources: readonly Resource[]): Record<string, unknown> {
  const names = new Map(Object.entries(schemaNames(resources)).map(([name, schema]) => [schema, name]))
  return Object.fromEntries(recordsOf(resources).map(({ mutable, example }) => [names.get(mutable), example]))
}

/** `metadata_schema` becomes MetadataSchema. */
function nameOf({ name }: VersionedRecord): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
