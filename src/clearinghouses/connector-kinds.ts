import { type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import { STORED_SECRET } from '../contract/limits.ts'
import { findUrlFault, type Networks } from '../platform/outbound/public-address.ts'
import { StartupError } from '../platform/startup-error.ts'
import { createAvailityClearinghouse } from './availity/availity-clearinghouse.ts'
import { AvailityConnectorSettings } from './availity/availity-settings.ts'
import type { Clearinghouse } from './clearinghouse.ts'
import type { Connection } from './clearinghouses.ts'
import { CONNECTOR_KINDS, type ConnectorKindName } from './connector-kind-names.ts'
import { DEFAULT_LIMITS } from './connector-settings.ts'
import { type CoreSettings, createCoreClearinghouse } from './core/core-clearinghouse.ts'
import {
  CoreConnectorSettings,
  findPartnerIdFaults,
  findTlsFaults,
  type PartnerSettings,
  type TlsTexts,
} from './core/core-settings.ts'
import { redactCredentials } from './redact-credentials.ts'
import { createStediClearinghouse } from './stedi/stedi-clearinghouse.ts'
import { STEDI_MAX_CONCURRENCY, StediConnectorSettings } from './stedi/stedi-settings.ts'

/**
 * A kind of connector: its settings schema and its factory. A new kind is a folder, a name in `connector-kind-names.ts` and a line below; the
 * compiler reports the other places.
 */
interface ConnectorKind {
  settings: TObject
  create(settings: never): Clearinghouse
  /** Maximum number of concurrent checks, unless the settings state another. */
  maxConcurrency?: number
  /** Faults that the schema cannot express. */
  findFaults?(settings: never): string[]
}

const connectorKinds = {
  core: {
    settings: CoreConnectorSettings,
    create: (settings: CoreSettings) => createCoreClearinghouse(settings),
    findFaults: (settings: PartnerSettings & { tls?: TlsTexts }) => [
      ...findTlsFaults(settings.tls),
      ...findPartnerIdFaults(settings),
    ],
  },
  stedi: { settings: StediConnectorSettings, create: createStediClearinghouse, maxConcurrency: STEDI_MAX_CONCURRENCY },
  availity: { settings: AvailityConnectorSettings, create: createAvailityClearinghouse },
} satisfies Record<ConnectorKindName, ConnectorKind>

/**
 * Every setting of any kind, and no other key: a mistyped one would be ignored without an error. `findSettingsFaults` checks
 * which settings a kind requires and accepts.
 */
export const settingsOfAnyKind = Type.Partial(
  Type.Object(
    Object.assign({}, ...CONNECTOR_KINDS.toReversed().map((kind) => connectorKinds[kind].settings.properties)),
  ),
  { additionalProperties: false },
)

/** The settings of this kind, as a connector of it is stored. */
export const schemaOfKind = (kind: ConnectorKindName): TObject => connectorKinds[kind].settings

export function isConnectorKind(name: string): name is ConnectorKindName {
  return Object.hasOwn(connectorKinds, name)
}

/** A connector as stored for an organization or described by the environment. */
export interface Connector {
  name: string
  kind: string
  settings: unknown
  /**
   * Set when the organization chose the address: the networks it may reach besides the public Internet. Without it, any address is allowed.
   */
  allowedNetworks?: Networks | undefined
}

/** Everything that is wrong with these settings, by field and never by value; empty when a connector can be created from them. */
export function findSettingsFaults(kind: ConnectorKindName, settings: unknown): string[] {
  const { settings: schema, findFaults }: ConnectorKind = connectorKinds[kind]
  if (Value.Check(schema, settings)) return findFaults?.(settings as never) ?? []
  const faults = Value.Errors(schema, settings).flatMap(({ keyword, instancePath, params, message }) => {
    const place = instancePath.slice(1).replaceAll('/', '.')
    const within = place === '' ? '' : `${place}.`
    const named = params as Record<string, string[]>
    switch (keyword) {
      case 'required':
        return (named.requiredProperties ?? []).map((name) => `${within}${name} is required`)
      case 'additionalProperties':
        return (named.additionalProperties ?? []).map((name) => `${within}${name} is not a setting of ${kind}`)
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

/** The connection of a connector. @throws StartupError for an unknown kind, and for invalid settings, listing all faults. */
export function connect({ name, kind, settings, allowedNetworks }: Connector): Connection {
  if (!isConnectorKind(kind)) {
    throw new StartupError(`unknown connector kind ${kind}; the kinds are ${CONNECTOR_KINDS.join(', ')}`)
  }
  const faults = [...findSettingsFaults(kind, settings), ...findAddressFaults(kind, settings, allowedNetworks)]
  if (faults.length > 0) throw new StartupError(`invalid settings: ${faults.join('; ')}`)
  const { retryHours = DEFAULT_LIMITS.retryHours, ...specific } = settings as { retryHours?: number }
  return {
    name,
    kind,
    clearinghouse: redactCredentials(create(kind, name, { ...specific, allowedNetworks }), secretsIn(kind, settings)),
    retryForMs: retryHours * 3_600_000,
  }
}

function create(kind: ConnectorKindName, name: string, settings: object): Clearinghouse {
  const { create: make, maxConcurrency = DEFAULT_LIMITS.maxConcurrency }: ConnectorKind = connectorKinds[kind]
  try {
    return make({ timeoutMs: DEFAULT_LIMITS.timeoutMs, maxConcurrency, ...settings, name } as never)
  } catch (cause) {
    // Some faults are found only by the connector itself; its errors name fields, too.
    throw new StartupError(`invalid settings: ${(cause as Error).message}`, { cause })
  }
}

/** Addresses that the organization is not allowed to choose. */
function findAddressFaults(kind: ConnectorKindName, settings: unknown, allowed: Networks | undefined): string[] {
  if (allowed === undefined) return []
  return addressesIn(kind, settings).flatMap(([field, url]) => findUrlFault(url, allowed, field) ?? [])
}

/** The fields that hold an address, with their values. */
function addressesIn(kind: ConnectorKindName, settings: unknown): [field: string, url: string][] {
  const found: [string, string][] = []
  mapMarked(connectorKinds[kind].settings, settings, 'x-address', (url, field) => {
    if (typeof url === 'string') found.push([field, url])
    return url
  })
  return found
}

/** The settings with `(set)` in place of every secret. */
export function withoutSecrets(kind: ConnectorKindName, settings: unknown): unknown {
  return mapMarked(connectorKinds[kind].settings, settings, 'x-secret', () => STORED_SECRET)
}

/**
 * The settings with the stored secrets in place of `(set)`. This requires that all addresses and the trusted authority are unchanged, so
 * that a caller who may not see a secret cannot have it sent to another address. @throws StartupError
 */
export function withStoredSecrets(kind: ConnectorKindName, settings: unknown, stored: unknown): unknown {
  const known = new Map<string, unknown>()
  const schema = connectorKinds[kind].settings
  mapMarked(schema, stored, 'x-secret', (secret, field) => known.set(field, secret))
  return mapMarked(schema, settings, 'x-secret', (secret, field) => {
    if (secret !== STORED_SECRET) return secret
    if (!known.has(field)) throw new StartupError(`${field} is required: no value is stored`)
    if (!haveSameAddresses(kind, settings, stored))
      throw new StartupError(`${field} must be entered again when an address changes`)
    return known.get(field)
  })
}

/** Whether both settings have the same addresses and trust the same certificate authority. */
export function haveSameAddresses(kind: ConnectorKindName, one: unknown, other: unknown): boolean {
  const addressesOf = (settings: unknown) =>
    JSON.stringify([addressesIn(kind, settings).sort(), (settings as { tls?: TlsTexts } | null)?.tls?.ca])
  return addressesOf(one) === addressesOf(other)
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

/** The settings with every value of a marked field replaced; `field` is its path. */
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
