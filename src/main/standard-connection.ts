import { readFileSync } from 'node:fs'
import { type Clearinghouse, ClearinghouseError } from '../clearinghouses/clearinghouse.ts'
import type { Connection } from '../clearinghouses/clearinghouses.ts'
import { type ConnectorKindName, connect, findSettingsFaults } from '../clearinghouses/connector-kinds.ts'
import type { CoreForm } from '../clearinghouses/core/fields.ts'
import type { EligibilityVersion } from '../clearinghouses/stedi/stedi-settings.ts'
import { isUnset, usesSandbox } from '../clearinghouses/uses-sandbox.ts'
import { StartupError } from '../platform/startup-error.ts'
import { withRegistryOfSandbox } from '../tools/sandbox/sandbox-clearinghouse.ts'

/** The settings of the service that concern its clearinghouse. */
export interface ClearinghouseSettings {
  NODE_ENV: string
  CLEARINGHOUSE_NAME: string
  /** `sandbox` asks for the invented payers by name. */
  CLEARINGHOUSE_KIND: ConnectorKindName | 'sandbox'
  CLEARINGHOUSE_URL?: string
  CLEARINGHOUSE_FORM: CoreForm
  CLEARINGHOUSE_USERNAME?: string
  CLEARINGHOUSE_PASSWORD?: string
  CLEARINGHOUSE_API_KEY?: string
  CLEARINGHOUSE_STEDI_VERSION: EligibilityVersion
  CLEARINGHOUSE_CLIENT_CERT_FILE?: string
  CLEARINGHOUSE_CLIENT_KEY_FILE?: string
  CLEARINGHOUSE_CA_FILE?: string
  CLEARINGHOUSE_SENDER_ID: string
  CLEARINGHOUSE_RECEIVER_ID: string
  CLEARINGHOUSE_ISA_SENDER_QUALIFIER: string
  CLEARINGHOUSE_ISA_SENDER_ID: string
  CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER: string
  CLEARINGHOUSE_ISA_RECEIVER_ID: string
  CLEARINGHOUSE_USAGE: 'P' | 'T'
  CLEARINGHOUSE_TIMEOUT_MS: number
  CLEARINGHOUSE_RETRY_HOURS: number
  CLEARINGHOUSE_MAX_CONCURRENCY: number
}

/** The sandbox's outages are part of its roster: asking for hours would not end them. */
const SANDBOX_RETRY_MS = 3_000

/**
 * The connection that the settings choose: a CORE endpoint, Stedi or Availity, else the sandbox at `sandboxUrl`, which is
 * reached through the same connector as any CORE endpoint. Without either, every check fails and says what to configure.
 * @throws StartupError that names every setting that is wrong or missing.
 */
export function createStandardConnection(settings: ClearinghouseSettings, sandboxUrl?: string): Connection {
  const { CLEARINGHOUSE_NAME: name } = settings
  const kind = settings.CLEARINGHOUSE_KIND === 'sandbox' ? 'core' : settings.CLEARINGHOUSE_KIND
  const isSandbox = usesSandbox(settings)
  if (isSandbox ? sandboxUrl === undefined : isUnset(settings))
    return { name, clearinghouse: noClearinghouse, retryForMs: 0 }
  const own = settingsOf[kind](settings, sandboxUrl)
  const faults = findSettingsFaults(kind, own)
  if (faults.length > 0) {
    throw new StartupError(`the settings CLEARINGHOUSE_* do not fit kind ${kind}: ${faults.join('; ')}`)
  }
  const connection = connect(kind, name, own)
  if (!isSandbox || sandboxUrl === undefined) return connection
  const limits = limitsOf(settings)
  const clearinghouse = { ...withRegistryOfSandbox(connection.clearinghouse, sandboxUrl, limits), name: 'sandbox' }
  return { name, kind: 'sandbox', clearinghouse, retryForMs: SANDBOX_RETRY_MS, breakAfter: Number.POSITIVE_INFINITY }
}

const limitsOf = (settings: ClearinghouseSettings) => ({
  timeoutMs: settings.CLEARINGHOUSE_TIMEOUT_MS,
  maxConcurrency: settings.CLEARINGHOUSE_MAX_CONCURRENCY,
})

const commonOf = (settings: ClearinghouseSettings) => ({
  ...limitsOf(settings),
  retryHours: settings.CLEARINGHOUSE_RETRY_HOURS,
})

type Settings = Record<string, unknown>

/** Each kind's own settings; what is not set is left out. */
const settingsOf: Record<ConnectorKindName, (settings: ClearinghouseSettings, sandboxUrl?: string) => Settings> = {
  core: (settings, sandboxUrl) =>
    defined({
      ...commonOf(settings),
      url: usesSandbox(settings) ? sandboxUrl : settings.CLEARINGHOUSE_URL,
      form: settings.CLEARINGHOUSE_FORM,
      senderId: settings.CLEARINGHOUSE_SENDER_ID,
      receiverId: settings.CLEARINGHOUSE_RECEIVER_ID,
      username: settings.CLEARINGHOUSE_USERNAME,
      password: settings.CLEARINGHOUSE_PASSWORD,
      interchange: {
        senderQualifier: settings.CLEARINGHOUSE_ISA_SENDER_QUALIFIER,
        senderId: settings.CLEARINGHOUSE_ISA_SENDER_ID,
        receiverQualifier: settings.CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER,
        receiverId: settings.CLEARINGHOUSE_ISA_RECEIVER_ID,
      },
      usage: settings.CLEARINGHOUSE_USAGE,
      tls: defined({
        ca: readPem(settings, 'CLEARINGHOUSE_CA_FILE'),
        cert: readPem(settings, 'CLEARINGHOUSE_CLIENT_CERT_FILE'),
        key: readPem(settings, 'CLEARINGHOUSE_CLIENT_KEY_FILE'),
      }),
    }),
  stedi: (settings) =>
    defined({
      ...commonOf(settings),
      apiKey: settings.CLEARINGHOUSE_API_KEY,
      // One address stands for both of Stedi's hosts.
      url: settings.CLEARINGHOUSE_URL,
      payersUrl: settings.CLEARINGHOUSE_URL,
      eligibilityVersion: settings.CLEARINGHOUSE_STEDI_VERSION,
      ...authorityOf(settings),
    }),
  availity: (settings) =>
    defined({
      ...commonOf(settings),
      clientId: settings.CLEARINGHOUSE_USERNAME,
      clientSecret: settings.CLEARINGHOUSE_PASSWORD,
      url: settings.CLEARINGHOUSE_URL,
      ...authorityOf(settings),
    }),
}

function authorityOf(settings: ClearinghouseSettings): Settings {
  const ca = readPem(settings, 'CLEARINGHOUSE_CA_FILE')
  return ca === undefined ? {} : { tls: { ca } }
}

type PemSetting = 'CLEARINGHOUSE_CA_FILE' | 'CLEARINGHOUSE_CLIENT_CERT_FILE' | 'CLEARINGHOUSE_CLIENT_KEY_FILE'

function readPem(settings: ClearinghouseSettings, name: PemSetting): string | undefined {
  const path = settings[name]
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartupError(`the file of ${name} cannot be read`, { cause })
  }
}

function defined(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

const NOT_CONFIGURED =
  'No clearinghouse is configured, so nobody was asked; set CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND, or store a connector for this organization with anteroom connector create'

async function refuseToAsk(): Promise<never> {
  throw new ClearinghouseError(NOT_CONFIGURED, { code: 'NotConfigured', retryable: false })
}

const noClearinghouse: Clearinghouse = {
  name: 'none',
  checkEligibility: refuseToAsk,
  discoverInsurance: refuseToAsk,
  findMedicareNumber: refuseToAsk,
}
