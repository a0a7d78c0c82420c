// Source: types.md, "Tags".
import { type Static, Type } from 'typebox'

/** Unique, so it must fit into an index row (2,704 bytes) even with four bytes per character. */
const VALUE_MAX = 400

export const MutableTag = Type.Object({
  value: Type.String({ maxLength: VALUE_MAX }),
  description: Type.Optional(Type.String()),
  alert: Type.Optional(Type.Boolean()),
})
export type MutableTag = Static<typeof MutableTag>
