import { administer } from '../../platform/audit/administration.ts'
import type { AlgorithmName } from '../../platform/auth/signing-algorithms.ts'
import { type KeyState, listSigningKeys, retireSigningKey, rotateSigningKey } from '../../platform/auth/signing-keys.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { changeDatabase } from './program/change-database.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { withDatabase } from './program/with-database.ts'
import { withVault } from './program/with-vault.ts'

export async function rotate(line: CommandLine): Promise<void> {
  const name = line.flags.algorithm as AlgorithmName | undefined
  const rotated = await withVault(({ systemDatabase }, vault) =>
    administer(systemDatabase, 'keys rotate', (inner) => rotateSigningKey(inner, vault, name), signingKey),
  )
  printObject(line, rotated)
}

export async function list(line: CommandLine): Promise<void> {
  printTable(line, await withDatabase(({ systemDatabase }) => listSigningKeys(systemDatabase)))
}

export async function retire(line: CommandLine): Promise<void> {
  const kid = requireWord(line, 0, 'the kid of a key')
  const end = (database: SystemDatabase) => retireSigningKey(database, kid)
  printObject(line, await changeDatabase('keys retire', end, signingKey))
}

/** One set of keys signs for all organizations. */
const signingKey = ({ kid }: KeyState) => ({ type: 'signing_key', ids: [kid] })
