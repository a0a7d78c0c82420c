// The settings of a server or a worker, read before anything is opened.

import { isUnset, usesSandbox } from '../clearinghouses/uses-sandbox.ts'
import { type Config, parseConfig, refuseFaults, requireProductionSettings } from '../config.ts'
import { readOpenIdSettings } from '../platform/auth/openid-settings.ts'
import { requireBothFiles } from '../platform/http/tls.ts'
import { readTrustedProxies } from '../platform/http/trusted-proxies.ts'
import { type Networks, readNetworks } from '../platform/outbound/public-address.ts'
import { StartupError } from '../platform/startup-error.ts'
import { requireBothKeys } from '../platform/storage/index.ts'
import { webhookNetworks } from '../webhooks/webhook-networks.ts'

/** What holds for several settings together, or for what a setting's text names. Each rule throws a StartupError. */
const rules: ((config: Config) => unknown)[] = [
  requireProductionSettings,
  requireBothFiles,
  ({ TRUSTED_PROXIES }) => readTrustedProxies(TRUSTED_PROXIES),
  requireBothKeys,
  webhookNetworks,
  connectorNetworks,
  readOpenIdSettings,
  connectClearinghouse,
]

/** The networks, besides the public Internet, that connectors of the API may reach. @throws StartupError */
export function connectorNetworks({
  CONNECTOR_PRIVATE_NETWORKS: text,
}: Pick<Config, 'CONNECTOR_PRIVATE_NETWORKS'>): Networks {
  return readNetworks('CONNECTOR_PRIVATE_NETWORKS', text)
}

/** They say who asks a clearinghouse, and say nothing without its address. */
const OF_AN_ADDRESS = [
  'CLEARINGHOUSE_USERNAME',
  'CLEARINGHOUSE_PASSWORD',
  'CLEARINGHOUSE_API_KEY',
  'CLEARINGHOUSE_CLIENT_CERT_FILE',
  'CLEARINGHOUSE_CLIENT_KEY_FILE',
] as const

/** What has no effect because no clearinghouse is configured, in a sentence; the settings are valid nevertheless. */
export function findUnusedSettings(config: Config): string | undefined {
  const unused = isUnset(config) ? OF_AN_ADDRESS.filter((name) => config[name] !== undefined) : []
  if (unused.length === 0) return undefined
  const instead = usesSandbox(config) ? 'the sandbox answers checks' : 'no check is sent'
  return `without CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND ${unused.join(', ')} ${unused.length === 1 ? 'has' : 'have'} no effect: ${instead}`
}

/** The settings of a server or a worker. @throws StartupError that lists every fault at once, naming settings and never their values. */
export async function readServiceSettings(environment = process.env): Promise<Config> {
  const { config, faults } = parseConfig(environment)
  const more = await findServiceFaults(config)
  // A rule may miss a setting whose value was invalid, and which that fault names already.
  const invalid = faults.flatMap((text) => text.split(' ', 1))
  const namesInvalid = (text: string) => text.split(/\W+/).some((word) => invalid.includes(word))
  refuseFaults([...faults, ...more.filter((text) => !namesInvalid(text))])
  return config
}

/** Why a server or a worker would refuse settings of which each is valid by itself. */
export async function findServiceFaults(config: Config): Promise<string[]> {
  const faults = await Promise.all(rules.map((rule) => faultOf(rule, config)))
  return faults.flat()
}

async function faultOf(rule: (config: Config) => unknown, config: Config): Promise<string[]> {
  try {
    await rule(config)
    return []
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [error.message.replace(/^invalid settings: /, '')]
  }
}

/** Loaded only for a real clearinghouse: it takes a tenth of a second. */
async function connectClearinghouse(config: Config): Promise<void> {
  if (usesSandbox(config) || isUnset(config)) return
  const { createStandardConnection } = await import('./standard-connection.ts')
  createStandardConnection(config)
}
