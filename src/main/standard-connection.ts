import { type Clearinghouse, ClearinghouseError } from '../clearinghouses/clearinghouse.ts'
import type { Connection } from '../clearinghouses/clearinghouses.ts'
import { connect } from '../clearinghouses/connector-kinds.ts'
import { isUnset, usesSandbox } from '../clearinghouses/uses-sandbox.ts'
import { StartupError } from '../platform/startup-error.ts'
import { withRegistryOfSandbox } from '../tools/sandbox/sandbox-clearinghouse.ts'
import { type ClearinghouseSettings, environmentConnector, namingSettings } from './environment-connector.ts'

/** The sandbox's outages are part of its roster, so retrying for hours would not end them. */
const SANDBOX_RETRY_MS = 3_000

/**
 * The connection for organizations without their own connector: the connector that the environment describes, otherwise
 * the sandbox at `sandboxUrl`, which is reached like any CORE endpoint. Without either, every check fails with a
 * message that says what to configure.
 * @throws StartupError that names every wrong or missing setting.
 */
export function createStandardConnection(config: ClearinghouseSettings, sandboxUrl?: string): Connection {
  const { CLEARINGHOUSE_NAME: name } = config
  if (!usesSandbox(config)) {
    return isUnset(config) ? { name, clearinghouse: noClearinghouse, retryForMs: 0 } : connectEnvironment(config)
  }
  if (sandboxUrl === undefined) return { name, clearinghouse: noClearinghouse, retryForMs: 0 }
  const { clearinghouse: core } = connectEnvironment({ ...config, CLEARINGHOUSE_URL: sandboxUrl })
  const limits = { timeoutMs: config.CLEARINGHOUSE_TIMEOUT_MS, maxConcurrency: config.CLEARINGHOUSE_MAX_CONCURRENCY }
  const clearinghouse = { ...withRegistryOfSandbox(core, sandboxUrl, limits), name: 'sandbox' }
  return { name, kind: 'sandbox', clearinghouse, retryForMs: SANDBOX_RETRY_MS, breakAfter: Number.POSITIVE_INFINITY }
}

function connectEnvironment(config: ClearinghouseSettings): Connection {
  const connector = environmentConnector(config)
  try {
    return connect(connector)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    throw new StartupError(namingSettings(connector.kind, error.message), { cause: error })
  }
}

const NOT_CONFIGURED =
  'No clearinghouse is configured, so no payer was asked; set CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND, or store a connector for this organization with anteroom connector create'

async function refuseToAsk(): Promise<never> {
  throw new ClearinghouseError(NOT_CONFIGURED, { code: 'NotConfigured', retryable: false })
}

const noClearinghouse: Clearinghouse = {
  name: 'none',
  checkEligibility: refuseToAsk,
  discoverInsurance: refuseToAsk,
  findMedicareNumber: refuseToAsk,
}
