import { type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import { findUrlFault, type Networks } from '../platform/outbound/public-address.ts'
import { StartupError } from '../platform/startup-error.ts'
import { createAvailityClearinghouse } from './availity/availity-clearinghouse.ts'
import { AvailityConnectorSettings } from './availity/availity-settings.ts'
import type { Clearinghouse } from './clearinghouse.ts'
import type { Connection } from './clearinghouses.ts'
import { type CoreSettings, createCoreClearinghouse } from './core/core-clearinghouse.ts'
import { CoreConnectorSettings, findTlsFaults, type TlsTexts } from './core/core-settings.ts'
import { DEFAULT_LIMITS } from './settings-parts.ts'
import { createStediClearinghouse } from './stedi/stedi-clearinghouse.ts'
import { StediConnectorSettings } from './stedi/stedi-settings.ts'
import { withoutQuotes } from './unquoted.ts'

/** A kind of connector: what an operator may set, and what that makes. A new kind is one folder and one line below. */
interface ConnectorKind {
  settings: TObject
  create(settings: never): Clearinghouse
  /** Checks open at a time, unless the settings say otherwise. */
  maxConcurrency?: number
  /** Faults that the schema cannot see. */
  findFaults?(settings: never): string[]
}

const connectorKinds = {
  core: {
    settings: CoreConnectorSettings,
    create: (settings: CoreSettings) => createCoreClearinghouse(settings),
    findFaults: ({ tls }: { tls?: TlsTexts }) => findTlsFaults(tls),
  },
  // What an account has at first (clearinghouse.md A1).
  stedi: { settings: StediConnectorSettings, create: createStediClearinghouse, maxConcurrency: 5 },
  availity: { settings: AvailityConnectorSettings, create: createAvailityClearinghouse },
} satisfies Record<string, ConnectorKind>

/** Every setting that some kind takes. Which of them a kind needs, and that it takes no other, `findSettingsFaults` says. */
export const settingsOfAnyKind = Type.Partial(
  Type.Object({
    ...AvailityConnectorSettings.properties,
    ...StediConnectorSettings.properties,
    ...CoreConnectorSettings.properties,
  }),
)

export type ConnectorKindName = keyof typeof connectorKinds
const connectorKindNames = Object.keys(connectorKinds) as ConnectorKindName[]

export function isConnectorKind(name: string): name is ConnectorKindName {
  return Object.hasOwn(connectorKinds, name)
}

/** A connector as it is stored for an organization and as the environment describes it. */
export interface Connector {
  name: string
  kind: string
  settings: unknown
  /** Where the organization chose the address: what it may reach beside the public Internet. Without it any address. */
  allowedNetworks?: Networks | undefined
}

/** Everything that is wrong with these settings, by field and never by value; none when a connector can be made of them. */
export function findSettingsFaults(kind: ConnectorKindName, settings: unknown): string[] {
  const { settings: schema, findFaults }: ConnectorKind = connectorKinds[kind]
  if (Value.Check(schema, settings)) return findFaults?.(settings as never) ?? []
  const faults = Value.Errors(schema, settings).flatMap(({ keyword, instancePath, params, message }) => {
    const place = instancePath.slice(1).replaceAll('/', '.')
    const within = place === '' ? '' : `${place}.`
    const named = params as Record<string, string[]>
    switch (keyword) {
      case 'required':
        return (named.requiredProperties ?? []).map((name) => `${within}${name} is needed`)
      case 'additionalProperties':
        return (named.additionalProperties ?? []).map((name) => `${within}${name} is no setting of ${kind}`)
      case 'boolean':
        return []
      case 'enum':
        return [`${place} must be one of ${named.allowedValues?.join(', ')}`]
      default:
        return [`${place || 'the settings'} ${message}`]
    }
  })
  return [...new Set(faults)]
}

/** The connection of a connector. @throws StartupError for an unknown kind, and for settings that are wrong, with all their faults. */
export function connect({ name, kind, settings, allowedNetworks }: Connector): Connection {
  if (!isConnectorKind(kind)) {
    throw new StartupError(`there are no connectors of kind ${kind}, only of ${connectorKindNames.join(', ')}`)
  }
  const faults = [...findSettingsFaults(kind, settings), ...findAddressFaults(kind, settings, allowedNetworks)]
  if (faults.length > 0) throw new StartupError(`these settings are wrong: ${faults.join('; ')}`)
  const { retryHours = DEFAULT_LIMITS.retryHours, ...own } = settings as { retryHours?: number }
  return {
    name,
    kind,
    clearinghouse: withoutQuotes(create(kind, name, { ...own, allowedNetworks }), secretsIn(kind, settings)),
    retryForMs: retryHours * 3_600_000,
  }
}

function create(kind: ConnectorKindName, name: string, settings: object): Clearinghouse {
  const { create: make, maxConcurrency = DEFAULT_LIMITS.maxConcurrency }: ConnectorKind = connectorKinds[kind]
  try {
    return make({ timeoutMs: DEFAULT_LIMITS.timeoutMs, maxConcurrency, ...settings, name } as never)
  } catch (cause) {
    // Some faults are found by the connector alone; its errors name fields, too.
    throw new StartupError(`these settings are wrong: ${(cause as Error).message}`, { cause })
  }
}

/** Addresses that an organization may not choose. */
function findAddressFaults(kind: ConnectorKindName, settings: unknown, allowed: Networks | undefined): string[] {
  if (allowed === undefined) return []
  return addressesIn(kind, settings).flatMap(([field, url]) => findUrlFault(url, allowed, field) ?? [])
}

/** The fields that hold an address, with what they hold. */
function addressesIn(kind: ConnectorKindName, settings: unknown): [field: string, url: string][] {
  const found: [string, string][] = []
  mapMarked(connectorKinds[kind].settings, settings, 'x-address', (url, field) => {
    if (typeof url === 'string') found.push([field, url])
    return url
  })
  return found
}

/** In the place of every secret that is shown, and of one that stays as it is stored. */
const SET = '(set)'

/** The settings with `(set)` in the place of every secret. */
export function withoutSecrets(kind: ConnectorKindName, settings: unknown): unknown {
  return mapMarked(connectorKinds[kind].settings, settings, 'x-secret', () => SET)
}

/**
 * The settings with the stored secrets where they say `(set)`. Only while every address and the trusted authority stay: whoever may not see a
 * secret must not have it sent elsewhere. @throws StartupError
 */
export function withStoredSecrets(kind: ConnectorKindName, settings: unknown, stored: unknown): unknown {
  const known = new Map<string, unknown>()
  const schema = connectorKinds[kind].settings
  mapMarked(schema, stored, 'x-secret', (secret, field) => known.set(field, secret))
  return mapMarked(schema, settings, 'x-secret', (secret, field) => {
    if (secret !== SET) return secret
    if (!known.has(field)) throw new StartupError(`${field} is needed: none is stored`)
    if (!goesToTheSame(kind, settings, stored))
      throw new StartupError(`${field} is needed again where an address changes`)
    return known.get(field)
  })
}

/** Whether both name the same addresses, and trust the same authority to vouch for them. */
export function goesToTheSame(kind: ConnectorKindName, one: unknown, other: unknown): boolean {
  const goesTo = (settings: unknown) =>
    JSON.stringify([addressesIn(kind, settings).sort(), (settings as { tls?: TlsTexts } | null)?.tls?.ca])
  return goesTo(one) === goesTo(other)
}

function secretsIn(kind: ConnectorKindName, settings: unknown): string[] {
  const secrets: string[] = []
  mapMarked(connectorKinds[kind].settings, settings, 'x-secret', (secret) => {
    if (typeof secret === 'string') secrets.push(secret)
    return secret
  })
  return secrets
}

interface SettingSchema {
  'x-secret'?: boolean
  'x-address'?: boolean
  properties?: Record<string, object>
}

/** The settings with every value of a marked field changed; `field` is its path. */
function mapMarked(
  schema: SettingSchema | undefined,
  value: unknown,
  mark: 'x-secret' | 'x-address',
  change: (value: unknown, field: string) => unknown,
  field = '',
): unknown {
  if (schema?.[mark]) return change(value, field)
  const { properties } = schema ?? {}
  if (!properties || typeof value !== 'object' || value === null) return value
  const within = (key: string) => (field === '' ? key : `${field}.${key}`)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapMarked(properties[key], item, mark, change, within(key))]),
  )
}
