// API clients and their scopes on the wire, an extension of the interface. Source: docs/users.md.
import { type Static, Type } from 'typebox'

/** `patients:read`, `*:read`, `admin`; `all` alone grants everything, including scopes of later releases. */
const scopes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 200 })

export const NewApiClient = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), scopes })
export type NewApiClient = Static<typeof NewApiClient>

export const ApiClientScopes = Type.Object({ scopes })

export const ApiClient = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  /** A revoked client gets no tokens, and its existing tokens are refused. */
  revoked: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  /** Until then the secret before the newest works as well. A new secret ends it at once. */
  previous_secret_expires_at: Type.Optional(Type.String({ format: 'date-time' })),
})
export type ApiClient = Static<typeof ApiClient>

/** The credentials that a caller needs to obtain tokens. The secret is shown only here. */
export const ApiClientCredentials = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String(),
  organization_id: Type.String(),
})

export const ScopeDescription = Type.Object({
  scope: Type.String(),
  description: Type.String(),
  /** Whether the caller may grant it to a client. */
  grantable: Type.Boolean(),
})
