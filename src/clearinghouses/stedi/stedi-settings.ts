import { type Static, Type } from 'typebox'
import type { Networks } from '../../platform/outbound/public-address.ts'
import { commonSettings, httpUrl, secret, text } from '../connector-settings.ts'

/** The operation that groups benefits by plan, and its predecessor, which only gets fixes. */
export const PLANS_VERSION = '2026-06-01'
export const LEGACY_VERSION = '2024-04-01'
export const eligibilityVersions = [PLANS_VERSION, LEGACY_VERSION] as const
export type EligibilityVersion = (typeof eligibilityVersions)[number]

/** The initial limit of a Stedi account (clearinghouse.md A1). */
export const STEDI_MAX_CONCURRENCY = 5

/** The settings of a Stedi connector in their stored form. */
export const StediConnectorSettings = Type.Object(
  {
    ...commonSettings,
    /** The key determines whether access is to production or test. */
    apiKey: secret(200),
    /** Both forms are in use; the documentation has the bare key. */
    authorization: Type.Optional(Type.Enum(['bare', 'Key'])),
    /** The operation for eligibility checks; by default the newer one. */
    eligibilityVersion: Type.Optional(Type.Enum(eligibilityVersions)),
    /** The full address of the newer eligibility check; by default derived from `url`. */
    eligibilityUrl: Type.Optional(httpUrl),
    /** The legacy eligibility check, coordination of benefits and discovery, with the version in the path. */
    url: Type.Optional(httpUrl),
    /** Accepted for settings stored by older versions; not used. */
    managerUrl: Type.Optional(Type.Unsafe<string>({ ...httpUrl, deprecated: true })),
    /** The payer directory. */
    payersUrl: Type.Optional(httpUrl),
    /** X-Forwarded-For, which CMS requires: origin first. */
    forwardedFor: Type.Optional(text(500)),
    /** Stedi's own ids of payers, by payer id. */
    payerIds: Type.Optional(Type.Record(Type.String(), text(80))),
    tls: Type.Optional(Type.Object({ ca: Type.Optional(text(200_000)) }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** The settings for access to Stedi. Source: clearinghouse.md A1. */
export type StediSettings = Static<typeof StediConnectorSettings> & {
  name?: string
  /** Set when the organization chose the address: the networks it may reach besides the public Internet. */
  allowedNetworks?: Networks
  /** The polling interval of a running discovery. */
  pollEveryMs?: number
}

interface StediUrls {
  healthcare: string
  /** The address of the operation that groups benefits by plan. */
  eligibility: string
  payers: string
}

const HOSTS = {
  url: 'https://healthcare.us.stedi.com/2024-04-01',
  eligibilityUrl: 'https://healthcare.us.stedi.com/2026-06-01/eligibility-check',
  payersUrl: 'https://payers.us.stedi.com/2024-04-01',
} as const

/** @throws Error when the settings are unusable. */
export function requireUsable(settings: StediSettings): StediUrls {
  // A header value: visible ASCII only (RFC 9110 5.5), so that a pasted line end is found here and not in a request.
  if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) throw new Error('clearinghouse apiKey must be a key without blanks')
  for (const name of ['timeoutMs', 'maxConcurrency', 'pollEveryMs'] as const) {
    const value = settings[name]
    if (value !== undefined && !(value > 0)) throw new Error(`clearinghouse ${name} must be positive`)
  }
  const healthcare = usableUrl(settings, 'url')
  return {
    healthcare,
    eligibility: settings.eligibilityUrl === undefined ? plansUrlOf(healthcare) : usableUrl(settings, 'eligibilityUrl'),
    payers: usableUrl(settings, 'payersUrl'),
  }
}

/** Without a trailing slash. */
function usableUrl(settings: StediSettings, name: keyof typeof HOSTS): string {
  const text = settings[name] ?? HOSTS[name]
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error(`clearinghouse ${name} must be an http or https URL`)
  if (url.username || url.password) throw new Error(`clearinghouse ${name} must not carry credentials: use apiKey`)
  return text.replace(/\/+$/, '')
}

/** The address on the same host with the newer version in its path. */
function plansUrlOf(healthcare: string): string {
  return `${healthcare.replace(/\/\d{4}-\d{2}-\d{2}$/, '')}/${PLANS_VERSION}/eligibility-check`
}
