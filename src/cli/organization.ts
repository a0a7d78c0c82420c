import { v7 as uuidv7 } from 'uuid'
import { createOrganization, listOrganizations } from '../auth/clients.ts'
import { type CommandLine, printObject, printTable, requireWord, UsageError } from './command-line.ts'
import { withDatabase } from './with-database.ts'

export async function organization(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'create': {
      const name = requireWord(line, 1, 'a name')
      const timeZone = line.flags['time-zone']
      const made = await withDatabase((database) =>
        createOrganization(database, uuidv7, { name, ...(typeof timeZone === 'string' && { timeZone }) }),
      )
      return printObject(line, made)
    }
    case 'list':
      return printTable(line, await withDatabase(listOrganizations))
    default:
      throw new UsageError('organization takes create or list')
  }
}
