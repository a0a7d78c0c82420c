import { administer } from '../audit/administration.ts'
import { type KeyState, listSigningKeys, retireSigningKey, rotateSigningKey } from '../auth/signing-keys.ts'
import type { WholeDatabase } from '../database/database.ts'
import { changeDatabase } from './change-database.ts'
import { type CommandLine, printObject, printTable, requireWord, UsageError } from './command-line.ts'
import { rotateData } from './keys-data.ts'
import { withDatabase } from './with-database.ts'
import { withVault } from './with-vault.ts'

export async function keys(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'rotate':
      if (line.flags.data) return rotateData(line)
      return printObject(
        line,
        await withVault(({ acrossOrganizations }, vault) =>
          administer(acrossOrganizations, 'keys rotate', (inner) => rotateSigningKey(inner, vault), signingKey),
        ),
      )
    case 'list':
      return printTable(line, await withDatabase(({ acrossOrganizations }) => listSigningKeys(acrossOrganizations)))
    case 'retire': {
      const kid = requireWord(line, 1, 'the kid of a key')
      const retire = (database: WholeDatabase) => retireSigningKey(database, kid)
      return printObject(line, await changeDatabase('keys retire', retire, signingKey))
    }
    default:
      throw new UsageError('keys takes rotate, list or retire')
  }
}

/** One set of keys signs for all organizations. */
const signingKey = ({ kid }: KeyState) => ({ type: 'signing_key', ids: [kid] })
