import { dirname, resolve } from 'node:path'
import type { Connection } from '../../clearinghouses/clearinghouses.ts'
import {
  createConnector,
  listConnectors,
  readConnection,
  removeConnector,
  setRoute,
  showConnector,
  updateConnector,
} from '../../clearinghouses/connector-store.ts'
import { tryConnector } from '../../clearinghouses/try-connector.ts'
import { isUnset, usesSandbox } from '../../clearinghouses/uses-sandbox.ts'
import { readConfig } from '../../config.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { readPem } from '../read-pem.ts'
import { findUnusedSettings } from '../service-settings.ts'
import { createStandardConnection } from '../standard-connection.ts'
import { connectorWord, organizationWord } from './commands/flags.ts'
import { type CommandLine, requireFlag, requireWord, UsageError } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { readInput } from './program/read-input.ts'
import { withConnectors } from './program/with-connectors.ts'

export async function list(line: CommandLine): Promise<void> {
  printTable(line, await withConnectors(requireWord(line, 0, organizationWord.what), listConnectors))
}

export async function remove(line: CommandLine): Promise<void> {
  const { organization, name } = target(line)
  await withConnectors(organization, (deps, organizationId) => removeConnector(deps, { organizationId, name }), {
    operation: 'connector remove',
    connector: name,
  })
  printObject(line, { name, removed: true })
}

function target(line: CommandLine): { organization: string; name: string } {
  return { organization: requireWord(line, 0, organizationWord.what), name: requireWord(line, 1, connectorWord.what) }
}

export async function create(line: CommandLine): Promise<void> {
  const { organization, name } = target(line)
  const kind = requireFlag(line, 'kind')
  const settings = await readSettings(requireFlag(line, 'settings'))
  await withConnectors(
    organization,
    async (deps, organizationId) => {
      await createConnector(deps, { organizationId, name, kind, settings })
      if (line.flags.default) await setRoute(deps, { organizationId, connector: name })
    },
    { operation: 'connector create', connector: name },
  )
  printObject(line, { name, kind, is_default: line.flags.default === true })
}

export async function update(line: CommandLine): Promise<void> {
  const { organization, name } = target(line)
  const settings = await readSettings(requireFlag(line, 'settings'))
  await withConnectors(
    organization,
    (deps, organizationId) => updateConnector(deps, { organizationId, name }, settings),
    { operation: 'connector update', connector: name },
  )
  printObject(line, { name, updated: true })
}

export async function show(line: CommandLine): Promise<void> {
  const { organization, name } = target(line)
  const { settings, ...shown } = await withConnectors(organization, (deps, organizationId) =>
    showConnector(deps, { organizationId, name }),
  )
  printObject(line, line.flags.json ? { ...shown, settings } : { ...shown, ...flattened(settings, 'settings') })
}

/** Tests a stored connector or, without words, that of the settings, which needs no database. */
export async function test(line: CommandLine): Promise<void> {
  const { name, clearinghouse } = line.words.length === 0 ? connectorOfSettings() : await storedConnector(line)
  const { payer, npi } = line.flags
  const asked = { ...(typeof payer === 'string' && { payerId: payer }), ...(typeof npi === 'string' && { npi }) }
  const trial = await tryConnector(clearinghouse, { ...asked, at: new Date() })
  if (!trial) throw new UsageError('--payer is required: the id of a payer that this clearinghouse reaches')
  if (!trial.works) throw new StartupError(`${name}: ${trial.explanation}`)
  printObject(line, { name, ...trial })
}

async function storedConnector(line: CommandLine): Promise<Pick<Connection, 'name' | 'clearinghouse'>> {
  const { organization, name } = target(line)
  return withConnectors(organization, (deps, organizationId) => readConnection(deps, { organizationId, name }))
}

function connectorOfSettings(): Connection {
  const config = readConfig()
  if (usesSandbox(config) || isUnset(config)) {
    const reason = 'the settings name no clearinghouse to test: set CLEARINGHOUSE_URL or CLEARINGHOUSE_KIND'
    throw new StartupError(findUnusedSettings(config) ?? reason)
  }
  return createStandardConnection(config)
}

/**
 * The settings from a file or standard input, so that neither the process list nor the shell history contains a secret.
 * In a file, `tls.caFile`, `tls.certFile` and `tls.keyFile` name files, relative to it, whose text is used.
 */
async function readSettings(path: string): Promise<unknown> {
  const text = await readInput(path)
  const settings = parseJson(text)
  const tls = (settings as { tls?: Record<string, unknown> } | null)?.tls
  if (typeof tls !== 'object' || tls === null) return settings
  const folder = path === '-' ? '.' : dirname(path)
  const read = Object.entries(tls).map(([key, value]) =>
    /^(ca|cert|key)File$/.test(key) && typeof value === 'string'
      ? [key.slice(0, -4), readPem(resolve(folder, value), `tls.${key}`)]
      : [key, value],
  )
  return { ...(settings as object), tls: Object.fromEntries(read) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the text, which contains secrets.
    throw new StartupError('the settings are not JSON')
  }
}

function flattened(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return { [path]: value }
  return Object.assign({}, ...Object.entries(value).map(([key, item]) => flattened(item, `${path}.${key}`)))
}
