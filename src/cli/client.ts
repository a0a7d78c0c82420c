import { v7 as uuidv7 } from 'uuid'
import {
  type Credentials,
  createClient,
  findOrganization,
  grantScopes,
  listClients,
  revokeClient,
  rotateClient,
} from '../auth/clients.ts'
import type { WholeDatabase } from '../database/database.ts'
import { changeDatabase } from './change-database.ts'
import { readScopes, shownScopes } from './client-scopes.ts'
import { type CommandLine, printObject, printTable, requireFlag, requireWord, UsageError } from './command-line.ts'
import { withDatabase } from './with-database.ts'

export async function client(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'create': {
      const [name, organization] = [requireWord(line, 1, 'a name'), requireFlag(line, 'organization')]
      const scopes = readScopes(line)
      const create = async (database: WholeDatabase) => {
        const { organization_id } = await findOrganization(database, organization)
        return createClient(database, uuidv7, { organizationId: organization_id, name, ...(scopes && { scopes }) })
      }
      return printObject(line, await changeDatabase('client create', create, clientOf))
    }
    case 'list':
      return printTable(
        line,
        (await withDatabase(({ acrossOrganizations }) => listClients(acrossOrganizations))).map((each) => ({
          ...each,
          ...shownScopes(each),
        })),
      )
    case 'update': {
      const id = requireWord(line, 1, 'a client id')
      if (!line.flags.scopes && !line.flags['read-only']) throw new UsageError('--scopes or --read-only is needed')
      const scopes = readScopes(line)
      await changeDatabase(
        'client update',
        (inner) => grantScopes(inner, id, scopes),
        (organizationId) => ({ organizationId, type: 'client', ids: [id.toLowerCase()] }),
      )
      return printObject(line, { client_id: id, ...shownScopes({ scopes }) })
    }
    case 'rotate': {
      const id = requireWord(line, 1, 'a client id')
      return printObject(line, await changeDatabase('client rotate', (inner) => rotateClient(inner, id), clientOf))
    }
    case 'revoke': {
      const id = requireWord(line, 1, 'a client id')
      await changeDatabase(
        'client revoke',
        (inner) => revokeClient(inner, id),
        (organizationId) => ({ organizationId, type: 'client', ids: [id.toLowerCase()] }),
      )
      return printObject(line, { client_id: id, revoked: true })
    }
    default:
      throw new UsageError('client takes create, list, update, rotate or revoke')
  }
}

const clientOf = ({ organization_id, client_id }: Credentials) => ({
  organizationId: organization_id,
  type: 'client',
  ids: [client_id],
})
