import { type Static, Type } from 'typebox'

/** What an event tells besides its subject: ids and the kind of change, no patient data. */
const EventDetail = Type.Object({
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
export type EventDetail = Static<typeof EventDetail>

export const EventData = Type.Object({
  organization_id: Type.String(),
  record_type: Type.String(),
  id: Type.String(),
  version: Type.Optional(Type.Integer()),
  /** The URL of the record. */
  link: Type.String(),
  ...EventDetail.properties,
})

export const Event = Type.Object({
  /** The same for every listener and every attempt: the `webhook-id` of a delivery. */
  id: Type.String(),
  /** Its position in the organization's order: the `id:` of the live stream. */
  number: Type.Integer(),
  type: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  data: EventData,
})

export const EventPage = Type.Object({
  items: Type.Array(Event),
  /** The position to resume from: `after` of the next call, or `Last-Event-ID` of the live stream. */
  last_event_id: Type.String(),
  /** True when there are more events already. */
  has_more: Type.Boolean(),
  /** True when events after `after` are no longer kept: read the records again. */
  is_incomplete: Type.Boolean(),
})
