import { Type } from 'typebox'
import type { Networks } from '../../platform/outbound/public-address.ts'
import { commonSettings, httpUrl, secret, text } from '../settings-parts.ts'

/** How Availity is reached. Source: clearinghouse.md C. */
export interface AvailitySettings {
  name?: string
  clientId: string
  clientSecret: string
  /** What `/token` and `/coverages` are under; older accounts have `https://api.availity.com/availity/v1`. */
  url?: string
  /** Demo and live share the host and differ in this alone. */
  scope?: string
  /** Availity's own id of who submits, where the payer wants one. */
  submitterId?: string
  /** `serviceType[]` where a payer's configuration asks for that spelling. */
  serviceTypeName?: 'serviceType' | 'serviceType[]'
  /** X-Api-Mock-Scenario-ID: which canned answer a demo account gets. */
  mockScenario?: string
  /** For one whole check: token, inquiry and every look whether it is answered. */
  timeoutMs?: number
  /** Checks open at a time; the rest wait. */
  maxConcurrency?: number
  /** Callers that may wait for a place; one more fails at once. */
  maxWaiting?: number
  maxResponseBytes?: number
  /** Between two looks; the first comes after half of it. */
  pollMs?: number
  /** PEM text of a private authority. */
  tls?: { ca?: string }
  /** Where the organization chose the address: what it may reach beside the public Internet. */
  allowedNetworks?: Networks
}

export const DEFAULT_URL = 'https://api.availity.com/v1'
export const DEFAULT_SCOPE = 'healthcare-hipaa-transactions healthcare-hipaa-transactions-standard'

/** The settings of an Availity connector as an operator writes them. */
export const AvailityConnectorSettings = Type.Object(
  {
    ...commonSettings,
    clientId: text(200),
    clientSecret: secret(500),
    url: Type.Optional(httpUrl),
    scope: Type.Optional(text(500)),
    submitterId: Type.Optional(text(80)),
    serviceTypeName: Type.Optional(Type.Enum(['serviceType', 'serviceType[]'])),
    mockScenario: Type.Optional(text(100)),
    pollMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
    tls: Type.Optional(Type.Object({ ca: text(200_000) }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)
