import type { ConnectorKindName } from '../clearinghouses/connector-kind-names.ts'
import type { Connector } from '../clearinghouses/connector-kinds.ts'
import type { Config } from '../config.ts'
import { readPem } from './read-pem.ts'

/** The settings of the service that concern its clearinghouse. */
export type ClearinghouseSettings = Pick<Config, 'NODE_ENV' | Setting>
type Setting = Extract<keyof Config, `CLEARINGHOUSE_${string}`>

const common: [Setting, path: string][] = [
  ['CLEARINGHOUSE_URL', 'url'],
  ['CLEARINGHOUSE_CA_FILE', 'tls.ca'],
  ['CLEARINGHOUSE_TIMEOUT_MS', 'timeoutMs'],
  ['CLEARINGHOUSE_MAX_CONCURRENCY', 'maxConcurrency'],
  ['CLEARINGHOUSE_RETRY_HOURS', 'retryHours'],
]

/** The path of each setting within the settings of a connector. */
const places: Record<ConnectorKindName, [Setting, path: string][]> = {
  core: [
    ...common,
    ['CLEARINGHOUSE_FORM', 'form'],
    ['CLEARINGHOUSE_SENDER_ID', 'senderId'],
    ['CLEARINGHOUSE_RECEIVER_ID', 'receiverId'],
    ['CLEARINGHOUSE_USERNAME', 'username'],
    ['CLEARINGHOUSE_PASSWORD', 'password'],
    ['CLEARINGHOUSE_ISA_SENDER_QUALIFIER', 'interchange.senderQualifier'],
    ['CLEARINGHOUSE_ISA_SENDER_ID', 'interchange.senderId'],
    ['CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER', 'interchange.receiverQualifier'],
    ['CLEARINGHOUSE_ISA_RECEIVER_ID', 'interchange.receiverId'],
    ['CLEARINGHOUSE_USAGE', 'usage'],
    ['CLEARINGHOUSE_CLIENT_CERT_FILE', 'tls.cert'],
    ['CLEARINGHOUSE_CLIENT_KEY_FILE', 'tls.key'],
  ],
  stedi: [
    ...common,
    // One address sets both of Stedi's hosts.
    ['CLEARINGHOUSE_URL', 'payersUrl'],
    ['CLEARINGHOUSE_API_KEY', 'apiKey'],
    ['CLEARINGHOUSE_STEDI_VERSION', 'eligibilityVersion'],
  ],
  availity: [...common, ['CLEARINGHOUSE_USERNAME', 'clientId'], ['CLEARINGHOUSE_PASSWORD', 'clientSecret']],
}

/**
 * The connector that the environment describes: the same object that `anteroom connector create` stores for these
 * settings. Settings of other kinds are ignored.
 * @throws StartupError for a file that cannot be read.
 */
export function environmentConnector(config: ClearinghouseSettings): Connector {
  const kind = config.CLEARINGHOUSE_KIND === 'sandbox' ? 'core' : config.CLEARINGHOUSE_KIND
  const settings: Record<string, unknown> = {}
  for (const [setting, path] of places[kind]) {
    const value = config[setting]
    if (value === undefined) continue
    const stored = setting.endsWith('_FILE') ? readPem(`${value}`, setting) : value
    const [field = '', part] = path.split('.')
    settings[field] = part === undefined ? stored : { ...(settings[field] as object), [part]: stored }
  }
  return { name: config.CLEARINGHOUSE_NAME, kind, settings }
}

/** The text with the names of settings in place of a connector's field names. */
export function namingSettings(kind: string, text: string): string {
  const named = places[kind as ConnectorKindName].map(([setting, path]) => [path, setting])
  const names = new Map(named as [string, string][])
  return text.replaceAll(/[a-z][A-Za-z.]*[A-Za-z]/g, (word) => names.get(word) ?? word)
}
