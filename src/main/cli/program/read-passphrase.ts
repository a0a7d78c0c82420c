import type { Config } from '../../../config.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import type { CommandLine } from './command-line.ts'
import { readInput } from './read-input.ts'

const MIN_LENGTH = 12

/**
 * The passphrase of a backup, from `--passphrase-file` (`-`: standard input) or BACKUP_PASSPHRASE, never from the
 * command line.
 */
export async function readPassphrase(line: CommandLine, config: Config): Promise<string | undefined> {
  const path = line.flags['passphrase-file']
  if (typeof path !== 'string') return config.BACKUP_PASSPHRASE
  const passphrase = (await readInput(path)).replace(/\r?\n$/, '')
  if (passphrase.length < MIN_LENGTH)
    throw new StartupError(`the passphrase must have at least ${MIN_LENGTH} characters`)
  return passphrase
}

/** The age identities of `--identity-file` (`-`: standard input): lines that are neither empty nor comments, as age reads them. */
export async function readIdentities(line: CommandLine): Promise<string[]> {
  const path = line.flags['identity-file']
  if (typeof path !== 'string') return []
  const lines = (await readInput(path)).split('\n').map((each) => each.trim())
  return lines.filter((each) => each !== '' && !each.startsWith('#'))
}
