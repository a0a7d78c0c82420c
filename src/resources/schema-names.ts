// The names that the published description gives to schemas: of every record its own, and what resources and the schemas that they
// share export under a name.
import { type TSchema, Type } from 'typebox'
import * as common from '../contract/common.schema.ts'
import { sessionSchemas } from '../platform/auth/session.routes.ts'
import { AuthGetTokenRequest, AuthGetTokenResponse } from '../platform/auth/token.routes.ts'
import type { VersionedRecord } from '../records/record.ts'
import { type Resource, recordsOf } from '../records/resource.ts'

/** Where a schema has several names, the last counts. */
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

/** The examples of records, by the names of their bodies. */
export function recordExamples(resources: readonly Resource[]): Record<string, unknown> {
  const names = new Map(Object.entries(schemaNames(resources)).map(([name, schema]) => [schema, name]))
  return Object.fromEntries(recordsOf(resources).map(({ mutable, example }) => [names.get(mutable), example]))
}

/** `metadata_schema` is MetadataSchema. */
function nameOf({ name }: VersionedRecord): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
