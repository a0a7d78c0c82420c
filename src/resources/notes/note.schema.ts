// Source: types.md, "Notes".
import { type Static, Type } from 'typebox'

export const NoteType = Type.Enum(['GENERAL', 'ELIGIBILITY'])

export const MutableNote = Type.Object({
  value: Type.String(),
  type: Type.Optional(NoteType),
  author_email: Type.Optional(Type.String()),
  author_name: Type.Optional(Type.String()),
})
export type MutableNote = Static<typeof MutableNote>
