import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
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
export function connect({ name, kind, settings }: Connector): Connection {
  if (!isConnectorKind(kind)) {
    throw new StartupError(`there are no connectors of kind ${kind}, only of ${connectorKindNames.join(', ')}`)
  }
  const faults = findSettingsFaults(kind, settings)
  if (faults.length > 0) throw new StartupError(`these settings are wrong: ${faults.join('; ')}`)
  const { retryHours = DEFAULT_LIMITS.retryHours, ...own } = settings as { retryHours?: number }
  return {
    name,
    kind,
    clearinghouse: withoutQuotes(create(kind, name, own), secretsIn(kind, settings)),
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

/** The settings with `(set)` in the place of every secret. */
export function withoutSecrets(kind: ConnectorKindName, settings: unknown): unknown {
  return mapSecrets(connectorKinds[kind].settings, settings, () => '(set)')
}

function secretsIn(kind: ConnectorKindName, settings: unknown): string[] {
  const secrets: string[] = []
  mapSecrets(connectorKinds[kind].settings, settings, (secret) => {
    if (typeof secret === 'string') secrets.push(secret)
    return secret
  })
  return secrets
}

interface SettingSchema {
  isSecret?: boolean
  properties?: Record<string, object>
}

function mapSecrets(schema: SettingSchema | undefined, value: unknown, change: (secret: unknown) => unknown): unknown {
  if (schema?.isSecret) return change(value)
  const { properties } = schema ?? {}
  if (!properties || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapSecrets(properties[key], item, change)]),
  )
}
