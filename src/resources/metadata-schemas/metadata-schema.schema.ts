// Source: types.md, "Metadata schemas".
import { type Static, Type } from 'typebox'

/** Unique, so it must fit into an index row (2,704 bytes) even with four bytes per character. */
const NAME_MAX = 400

export const MetadataFieldType = Type.Enum(['STRING', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'ENUM'])

export const MetadataField = Type.Object({
  key: Type.String(),
  type: MetadataFieldType,
  enum_values: Type.Optional(Type.Array(Type.String())),
})
export type MetadataField = Static<typeof MetadataField>

export const MutableMetadataSchema = Type.Object({
  name: Type.String({ maxLength: NAME_MAX }),
  description: Type.Optional(Type.String()),
  fields: Type.Array(MetadataField),
})
export type MutableMetadataSchema = Static<typeof MutableMetadataSchema>
