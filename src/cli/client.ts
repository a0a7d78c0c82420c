import { v7 as uuidv7 } from 'uuid'
import { createClient, findOrganization, listClients, revokeClient, rotateClient } from '../auth/clients.ts'
import { type CommandLine, printObject, printTable, requireFlag, requireWord, UsageError } from './command-line.ts'
import { withDatabase } from './with-database.ts'

export async function client(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'create': {
      const [name, organization] = [requireWord(line, 1, 'a name'), requireFlag(line, 'organization')]
      const credentials = await withDatabase(async ({ acrossOrganizations }) => {
        const { organization_id } = await findOrganization(acrossOrganizations, organization)
        return createClient(acrossOrganizations, uuidv7, { organizationId: organization_id, name })
      })
      return printObject(line, credentials)
    }
    case 'list':
      return printTable(line, await withDatabase(({ acrossOrganizations }) => listClients(acrossOrganizations)))
    case 'rotate': {
      const id = requireWord(line, 1, 'a client id')
      return printObject(line, await withDatabase(({ acrossOrganizations }) => rotateClient(acrossOrganizations, id)))
    }
    case 'revoke': {
      const id = requireWord(line, 1, 'a client id')
      await withDatabase(({ acrossOrganizations }) => revokeClient(acrossOrganizations, id))
      return printObject(line, { client_id: id, revoked: true })
    }
    default:
      throw new UsageError('client takes create, list, rotate or revoke')
  }
}
