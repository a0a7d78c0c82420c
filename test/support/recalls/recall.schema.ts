import { type Static, Type } from 'typebox'

export const MutableRecall = Type.Object({
  patient_id: Type.String({ format: 'uuid' }),
  due_on: Type.String({ format: 'date' }),
  reason: Type.Optional(Type.String()),
  door_code: Type.Optional(Type.String()),
})
export type MutableRecall = Static<typeof MutableRecall>
