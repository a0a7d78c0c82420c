// The events of the audit trail as they are stored and shown: ids, codes and addresses, never the content of a
// patient's record.
import { type Static, Type } from 'typebox'
import { isUuid, NIL_UUID } from '../../contract/formats.ts'

/** An event as a block stores it. */
export const StoredAuditEvent = Type.Object({
  at: Type.String({ format: 'date-time' }),
  /** An operation id; `system.…` for background work of the service, `command.…` for a command on its machine. */
  operation: Type.String(),
  client_id: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  /** The operating system account that ran a command. */
  os_user: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  error_name: Type.Optional(Type.String()),
  request_id: Type.Optional(Type.String()),
  record_type: Type.Optional(Type.String()),
  record_ids: Type.Optional(Type.Array(Type.String())),
  /** The version of the record after a write. */
  version: Type.Optional(Type.Integer()),
  patient_ids: Type.Optional(Type.Array(Type.String())),
  /** The number of refusals that this event counts (refusals.ts). */
  times: Type.Optional(Type.Integer()),
  /** For `command.audit prune`: the last block that was removed. */
  through: Type.Optional(Type.Integer()),
})
export type StoredAuditEvent = Static<typeof StoredAuditEvent>

/** An event as it is shown: with its position in the trail. */
export const AuditEvent = Type.Object({ id: Type.String(), ...StoredAuditEvent.properties })
export type AuditEvent = Static<typeof AuditEvent>

/** Clues to a patient whose id an answer does not show. None of them is stored. */
export interface Clues {
  mrns: string[]
  /** Ids of coverages, appointments, images or checks whose patients the answer does not name. */
  recordIds: string[]
}

/** An event, with the clues that its patients are found by when it is stored. */
export interface NotedEvent {
  event: StoredAuditEvent
  clues?: Clues | undefined
}

/** The trail of events without a known organization: administration, and calls of unknown callers. */
export const SERVICE_TRAIL = NIL_UUID

/** Removes duplicates and values that are not UUIDs, and converts to lower case. */
export function cleanIds(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id): id is string => id !== null && isUuid(id)).map((id) => id.toLowerCase()))]
}
