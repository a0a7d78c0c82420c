import { v7 as uuidv7 } from 'uuid'
import {
  type Credentials,
  createClient,
  findOrganization,
  grantScopes,
  listClients,
  revokeClient,
  rotateClient,
} from '../../platform/auth/clients.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { readScopes, shownScopes } from './client-scopes.ts'
import { changeDatabase } from './program/change-database.ts'
import { type CommandLine, requireFlag, requireWord, UsageError } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { reveal } from './program/reveal.ts'
import { withDatabase } from './program/with-database.ts'

export async function create(line: CommandLine): Promise<void> {
  const [name, organization] = [requireWord(line, 0, 'a name'), requireFlag(line, 'organization')]
  const scopes = await readScopes(line)
  const make = async (database: SystemDatabase) => {
    const { organization_id } = await findOrganization(database, organization)
    return createClient(database, uuidv7, { organizationId: organization_id, name, ...(scopes && { scopes }) })
  }
  await reveal(line, (show) => changeDatabase('client create', make, clientOf, show))
}

export async function list(line: CommandLine): Promise<void> {
  const clients = await withDatabase(({ systemDatabase }) => listClients(systemDatabase))
  printTable(
    line,
    clients.map(({ previous_secret_expires_at: _, ...each }) => ({ ...each, ...shownScopes(each) })),
  )
}

export async function update(line: CommandLine): Promise<void> {
  const id = requireWord(line, 0, 'a client id')
  if (!line.flags.scopes && !line.flags['read-only']) throw new UsageError('--scopes or --read-only is required')
  const scopes = await readScopes(line)
  await changeClient('client update', id, (database) => grantScopes(database, { id }, scopes))
  printObject(line, { client_id: id, ...shownScopes({ scopes }) })
}

export async function rotate(line: CommandLine): Promise<void> {
  const id = requireWord(line, 0, 'a client id')
  const make = (database: SystemDatabase) => rotateClient(database, { id })
  await reveal(line, (show) => changeDatabase('client rotate', make, clientOf, show))
}

export async function revoke(line: CommandLine): Promise<void> {
  const id = requireWord(line, 0, 'a client id')
  await changeClient('client revoke', id, (database) => revokeClient(database, { id }))
  printObject(line, { client_id: id, revoked: true })
}

/** `work` changes a client and returns the id of its organization. */
function changeClient(operation: string, id: string, work: (database: SystemDatabase) => Promise<string>) {
  return changeDatabase(operation, work, (organizationId) => ({
    organizationId,
    type: 'client',
    ids: [id.toLowerCase()],
  }))
}

const clientOf = ({ organization_id, client_id }: Credentials) => ({
  organizationId: organization_id,
  type: 'client',
  ids: [client_id],
})
