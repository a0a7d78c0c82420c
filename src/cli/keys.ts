import { listSigningKeys, retireSigningKey, rotateSigningKey } from '../auth/signing-keys.ts'
import { type CommandLine, printObject, printTable, requireWord, UsageError } from './command-line.ts'
import { withDatabase } from './with-database.ts'
import { withVault } from './with-vault.ts'

export async function keys(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'rotate':
      return printObject(line, await withVault(rotateSigningKey))
    case 'list':
      return printTable(line, await withDatabase(listSigningKeys))
    case 'retire': {
      const kid = requireWord(line, 1, 'the kid of a key')
      return printObject(line, await withDatabase((database) => retireSigningKey(database, kid)))
    }
    default:
      throw new UsageError('keys takes rotate, list or retire')
  }
}
