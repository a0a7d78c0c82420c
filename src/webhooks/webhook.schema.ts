// Webhooks on the wire, an extension of the interface. Source: docs/events.md.
import { type Static, Type } from 'typebox'

const eventTypes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 })

export const MutableWebhook = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  /** `patient.created`, `patient.*` or `*`. */
  event_types: eventTypes,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  /** True sends the record with each event; otherwise a delivery contains ids only. */
  includes_record: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
})
export type MutableWebhook = Static<typeof MutableWebhook>

export const Webhook = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  ...MutableWebhook.properties,
  includes_record: Type.Boolean(),
  enabled: Type.Boolean(),
  /** Why and when the service itself disabled it. */
  disabled_reason: Type.Optional(Type.String()),
  disabled_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** The time since which no attempt has succeeded. */
  failing_since: Type.Optional(Type.String({ format: 'date-time' })),
  /** While it fails: nothing is sent before, unless it is requested. */
  next_attempt_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** Until then the secret before the newest signs as well. A new secret ends it at once. */
  previous_secret_expires_at: Type.Optional(Type.String({ format: 'date-time' })),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type Webhook = Static<typeof Webhook>

/** The secret that signs deliveries; it is shown when the webhook is created, and never again. */
export const WebhookWithSecret = Type.Object({ ...Webhook.properties, secret: Type.String() })

export const RotatedSecret = Type.Object({
  secret: Type.String(),
  /** Until then deliveries are signed with the previous secret as well. */
  previous_secret_expires_at: Type.String({ format: 'date-time' }),
})

export const WebhookDelivery = Type.Object({
  number: Type.Integer(),
  /** The event's id: the header `webhook-id` of every attempt. */
  event_id: Type.String(),
  event_type: Type.String(),
  record_id: Type.String(),
  status: Type.Enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: Type.Integer(),
  due_at: Type.Optional(Type.String({ format: 'date-time' })),
  first_attempt_at: Type.Optional(Type.String({ format: 'date-time' })),
  last_attempt_at: Type.Optional(Type.String({ format: 'date-time' })),
  response_status: Type.Optional(Type.Integer()),
  duration_ms: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
})

/** The period whose events are sent again. */
export const ReplayRequest = Type.Object({
  since: Type.String({ format: 'date-time' }),
  until: Type.Optional(Type.String({ format: 'date-time' })),
})

export const ReplayResult = Type.Object({ deliveries: Type.Integer() })

export const WebhookTestResult = Type.Object({
  delivered: Type.Boolean(),
  response_status: Type.Optional(Type.Integer()),
  duration_ms: Type.Integer(),
  error: Type.Optional(Type.String()),
})
