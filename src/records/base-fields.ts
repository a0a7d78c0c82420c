import { Type } from 'typebox'

/** The fields of every versioned record. Source: types.md BaseModel; rules.md 1.4. */
export const baseFields = {
  organization_id: Type.String(),
  deactivated: Type.Boolean(),
  version: Type.Integer(),
  updated_at: Type.String({ format: 'date-time' }),
  updating_user_id: Type.String(),
}
