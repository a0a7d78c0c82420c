// The events of the trail as they are kept and shown: ids, codes and addresses, never what a patient's record says.
import { type Static, Type } from 'typebox'
import { isUuid } from '../../contract/formats.ts'

/** An event as a block keeps it. */
export const StoredAuditEvent = Type.Object({
  at: Type.String({ format: 'date-time' }),
  /** An operation id; `system.…` for what the service does by itself, `command.…` for what was typed on its machine. */
  operation: Type.String(),
  client_id: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  /** Who typed a command. */
  os_user: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  error_name: Type.Optional(Type.String()),
  request_id: Type.Optional(Type.String()),
  record_type: Type.Optional(Type.String()),
  record_ids: Type.Optional(Type.Array(Type.String())),
  /** Of the record after a write. */
  version: Type.Optional(Type.Integer()),
  patient_ids: Type.Optional(Type.Array(Type.String())),
  /** How many times, for refusals that say the same (refusals.ts). */
  times: Type.Optional(Type.Integer()),
  /** Of `command.audit prune`: the last block that was removed. */
  through: Type.Optional(Type.Integer()),
})
export type StoredAuditEvent = Static<typeof StoredAuditEvent>

/** As it is shown: with its place in the trail. */
export const AuditEvent = Type.Object({ id: Type.String(), ...StoredAuditEvent.properties })
export type AuditEvent = Static<typeof AuditEvent>

/** Whose trail it is when no organization is known: administration, and calls of nobody known. */
export const SERVICE_TRAIL = '00000000-0000-0000-0000-000000000000'

/** Without doubles, without what is no UUID, lower case. */
export function cleanIds(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id): id is string => id !== null && isUuid(id)).map((id) => id.toLowerCase()))]
}
