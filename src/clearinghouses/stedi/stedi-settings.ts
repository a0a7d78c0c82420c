import { Type } from 'typebox'
import type { Networks } from '../../platform/outbound/public-address.ts'
import { commonSettings, httpUrl, secret, text } from '../settings-parts.ts'

/** The operation that groups benefits by plan, and the one before it, which gets fixes alone. */
export const PLANS_VERSION = '2026-06-01'
export const LEGACY_VERSION = '2024-04-01'
export const eligibilityVersions = [PLANS_VERSION, LEGACY_VERSION] as const
export type EligibilityVersion = (typeof eligibilityVersions)[number]

/** The settings of a Stedi connector as an operator writes them. */
export const StediConnectorSettings = Type.Object(
  {
    ...commonSettings,
    apiKey: secret(200),
    authorization: Type.Optional(Type.Enum(['bare', 'Key'])),
    eligibilityVersion: Type.Optional(Type.Enum(eligibilityVersions)),
    eligibilityUrl: Type.Optional(httpUrl),
    url: Type.Optional(httpUrl),
    /** Of settings stored by older versions; nothing is asked there. */
    managerUrl: Type.Optional(httpUrl),
    payersUrl: Type.Optional(httpUrl),
    forwardedFor: Type.Optional(text(500)),
    /** Payer ids that Stedi knows under another id. */
    payerIds: Type.Optional(Type.Record(Type.String(), text(80))),
    tls: Type.Optional(Type.Object({ ca: Type.Optional(text(200_000)) }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** How Stedi is reached. Source: clearinghouse.md A1. */
export interface StediSettings {
  name?: string
  /** Production or test: the key decides. */
  apiKey: string
  /** Both forms are seen; the documentation has the bare key. */
  authorization?: 'bare' | 'Key'
  /** Which operation eligibility checks use; the newer one unless said otherwise. */
  eligibilityVersion?: EligibilityVersion
  /** The whole address of the newer eligibility check; beside `url` unless said otherwise. */
  eligibilityUrl?: string
  /** The legacy eligibility check, coordination of benefits and discovery, with the version in the path. */
  url?: string
  /** The payer directory. */
  payersUrl?: string
  /** For one whole exchange, and for one discovery with all its inquiries. Payers may take 60 s. */
  timeoutMs?: number
  /** Requests open at a time, which an account's plan limits; the rest wait. */
  maxConcurrency?: number
  /** Callers that may wait for a place; one more fails at once. */
  maxWaiting?: number
  maxResponseBytes?: number
  /** X-Forwarded-For, which CMS demands: origin first. */
  forwardedFor?: string
  /** Payer ids that Stedi knows under another id. */
  payerIds?: Readonly<Record<string, string>>
  /** PEM text of a private authority. */
  tls?: { ca?: string }
  /** Where the organization chose the address: what it may reach beside the public Internet. */
  allowedNetworks?: Networks
  /** How often a discovery that is still running is asked for. */
  pollEveryMs?: number
}

export interface StediUrls {
  healthcare: string
  /** Of the operation that groups benefits by plan. */
  eligibility: string
  payers: string
}

const HOSTS = {
  url: 'https://healthcare.us.stedi.com/2024-04-01',
  eligibilityUrl: 'https://healthcare.us.stedi.com/2026-06-01/eligibility-check',
  payersUrl: 'https://payers.us.stedi.com/2024-04-01',
} as const

/** @throws Error when the settings cannot work. */
export function requireUsable(settings: StediSettings): StediUrls {
  // A header value: visible ASCII only (RFC 9110 5.5), so that a pasted line end is found here and not in a request.
  if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) throw new Error('clearinghouse apiKey must be a key without blanks')
  for (const name of ['timeoutMs', 'maxConcurrency', 'maxResponseBytes', 'pollEveryMs'] as const) {
    const value = settings[name]
    if (value !== undefined && !(value > 0)) throw new Error(`clearinghouse ${name} must be positive`)
  }
  const healthcare = usableUrl(settings, 'url')
  return {
    healthcare,
    eligibility: settings.eligibilityUrl === undefined ? besides(healthcare) : usableUrl(settings, 'eligibilityUrl'),
    payers: usableUrl(settings, 'payersUrl'),
  }
}

/** Without a slash at its end. */
function usableUrl(settings: StediSettings, name: keyof typeof HOSTS): string {
  const text = settings[name] ?? HOSTS[name]
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error(`clearinghouse ${name} must be an http or https URL`)
  if (url.username || url.password) throw new Error(`clearinghouse ${name} must not carry credentials: use apiKey`)
  return text.replace(/\/+$/, '')
}

/** The same host with the other version in its path. */
function besides(healthcare: string): string {
  return `${healthcare.replace(/\/\d{4}-\d{2}-\d{2}$/, '')}/${PLANS_VERSION}/eligibility-check`
}
