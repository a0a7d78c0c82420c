import { type Static, Type } from 'typebox'
import type { Networks } from '../../platform/outbound/public-address.ts'
import { commonSettings, httpUrl, secret, text } from '../connector-settings.ts'

export const DEFAULT_URL = 'https://api.availity.com/v1'
export const DEFAULT_SCOPE = 'healthcare-hipaa-transactions healthcare-hipaa-transactions-standard'

/** The settings of an Availity connector in their stored form. */
export const AvailityConnectorSettings = Type.Object(
  {
    ...commonSettings,
    clientId: text(200),
    clientSecret: secret(500),
    /** The base address of `/token` and `/coverages`; older accounts use `https://api.availity.com/availity/v1`. */
    url: Type.Optional(httpUrl),
    /** Demo and live access share the host and differ only in the scope. */
    scope: Type.Optional(text(500)),
    /** Availity's id of the submitter, for payers that require one. */
    submitterId: Type.Optional(text(80)),
    /** `serviceType[]` when a payer's configuration requires that spelling. */
    serviceTypeName: Type.Optional(Type.Enum(['serviceType', 'serviceType[]'])),
    /** X-Api-Mock-Scenario-ID: selects the canned answer of a demo account. */
    mockScenario: Type.Optional(text(100)),
    /** Between two polls; the first comes after half of it. */
    pollMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
    /** PEM text of a private authority. */
    tls: Type.Optional(Type.Object({ ca: text(200_000) }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** The settings for access to Availity. Source: clearinghouse.md C. */
export type AvailitySettings = Static<typeof AvailityConnectorSettings> & {
  name?: string
  /** Set when the organization chose the address: the networks it may reach besides the public Internet. */
  allowedNetworks?: Networks
}
