import { Type } from 'typebox'

/** What an event says of its record: ids and what happened, nothing of a patient. */
export const EventData = Type.Object({
  organization_id: Type.String(),
  record_type: Type.String(),
  id: Type.String(),
  version: Type.Optional(Type.Integer()),
  /** Where the record is read. */
  link: Type.String(),
  /** The fields that differ from the version before, as paths. */
  changed: Type.Optional(Type.Array(Type.String())),
  status: Type.Optional(Type.String()),
  not_ready_reason: Type.Optional(Type.String()),
  ready_source: Type.Optional(Type.String()),
  patient_id: Type.Optional(Type.String()),
  coverage_id: Type.Optional(Type.String()),
  appointment_id: Type.Optional(Type.String()),
  batch_id: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
})

export const Event = Type.Object({
  /** The same for every listener and every attempt: `webhook-id` of a delivery. */
  id: Type.String(),
  /** Its place in the organization's order: the `id:` of the live stream. */
  number: Type.Integer(),
  type: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  data: EventData,
})

export const EventPage = Type.Object({
  items: Type.Array(Event),
  /** Where to go on: `after` of the next call, or `Last-Event-ID` of the live stream. */
  last_event_id: Type.String(),
  /** True when there are more already. */
  has_more: Type.Boolean(),
  /** True when events after `after` are no longer kept: read the records again. */
  is_incomplete: Type.Boolean(),
})
