import { ClearinghouseError } from '../../clearinghouses/clearinghouse.ts'
import { usesSandbox } from '../../clearinghouses/uses-sandbox.ts'
import { readConfig } from '../../config.ts'
import { readPayerCsv } from '../../payers/csv.ts'
import { importPayers, payerToWire, readPayers } from '../../payers/directory.ts'
import type { DirectoryPayer } from '../../payers/directory-payer.ts'
import { byName, indexPayers } from '../../payers/index-payers.ts'
import { withSandboxPayers } from '../../payers/sandbox-payers.ts'
import { findPayers } from '../../payers/search.ts'
import { syncPayers } from '../../payers/sync.ts'
import { administer } from '../../platform/audit/administration.ts'
import { findOrganization } from '../../platform/auth/clients.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { readSandboxPayers } from '../../tools/sandbox/directory-payers.ts'
import { assembleDeps } from '../assemble-deps.ts'
import { changeDatabase } from './program/change-database.ts'
import { type CommandLine, requireFlag, requireWord } from './program/command-line.ts'
import { commandLog, printDiagnostic, printObject, printTable } from './program/output.ts'
import { readInput } from './program/read-input.ts'
import { withDatabase } from './program/with-database.ts'

export async function importList(line: CommandLine): Promise<void> {
  const { payers, ignored } = readPayerCsv(await readInput(requireWord(line, 0, 'a CSV file or -')))
  const importAll = (database: SystemDatabase) => importPayers(database, payers, options(line))
  const counts = await changeDatabase('payers import', importAll, directory)
  printObject(line, counts)
  if (ignored.length > 0) printDiagnostic(`these columns were not read: ${ignored.join(', ')}`)
}

export async function list(line: CommandLine): Promise<void> {
  const payers = (await allPayers()).toSorted(byName)
  printTable(line, line.flags.json ? payers.map(payerToWire) : payers.map(rowOf))
}

/** The directory as the search of the interface shows it to an organization without connectors. */
async function allPayers(): Promise<DirectoryPayer[]> {
  const config = readConfig()
  const stored = await withDatabase(readPayers)
  if (!usesSandbox(config)) return stored
  return withSandboxPayers(stored, await readSandboxPayers(config.SANDBOX_ROSTER))
}

/** A match is among the first results, or there is none. */
const SHOWN = 10

export async function search(line: CommandLine): Promise<void> {
  const found = findPayers(await indexPayers(await allPayers()), line.words.join(' ')).slice(0, SHOWN)
  const shown = found.map(({ score, payer }) =>
    line.flags.json ? { score, payer: payerToWire(payer) } : { score, ...rowOf(payer) },
  )
  printTable(line, shown)
}

function rowOf({ stedi_id, primary_payer_id, display_name, transaction_support }: DirectoryPayer) {
  const eligibility = transaction_support.eligibilityCheck ?? 'not known'
  return { stedi_id, payer_id: primary_payer_id, eligibility, name: display_name }
}

/** Imports the list of the organization's default connector, or of the one named by `--connector`. */
export async function sync(line: CommandLine): Promise<void> {
  const organization = requireFlag(line, 'organization')
  const { connector } = line.flags
  const counts = await withDatabase(async (database) => {
    const { systemDatabase } = database
    // Without a sandbox: its payers are available without being stored.
    const { clearinghouses } = await assembleDeps(readConfig(), database, undefined, commandLog())
    const { organization_id } = await findOrganization(systemDatabase, organization)
    const connection =
      typeof connector === 'string'
        ? await clearinghouses.named(organization_id, connector)
        : await clearinghouses.standard(organization_id)
    if (!connection) throw new StartupError(`there is no connector ${connector}`)
    const list = connection.clearinghouse.listPayers?.()
    if (!list)
      throw new StartupError(`the connector ${connection.name} does not list its payers: import a CSV file instead`)
    return syncPayers(list, (payers) => {
      const importAll = (inner: SystemDatabase) => importPayers(inner, payers, options(line))
      return administer(systemDatabase, 'payers sync', importAll, directory)
    })
  }).catch((error: unknown) => {
    throw error instanceof ClearinghouseError ? new StartupError(error.message, { cause: error }) : error
  })
  printObject(line, counts)
}

/** The directory is shared by all organizations. */
const directory = () => ({ type: 'payer_directory' })

const options = (line: CommandLine) => ({ replace: line.flags.replace === true })
