import { randomUUID } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { administer } from '../../src/platform/audit/administration.ts'
import { type Credentials, createClient, createOrganization } from '../../src/platform/auth/clients.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'

/**
 * A client of a new organization in a migrated database, with the audit events of the commands. Running the two commands
 * would take longer than many tests.
 */
export async function newClient(connection: PoolConfig): Promise<Credentials> {
  const database = openDatabase({ ...connection, max: 1 }, { onError: () => {} })
  const { systemDatabase } = database
  try {
    const { organization_id: organizationId } = await administer(
      systemDatabase,
      'organization create',
      (transaction) => createOrganization(transaction, randomUUID, { name: `of a test ${randomUUID()}` }),
      ({ organization_id }) => ({ organizationId: organization_id, type: 'organization', ids: [organization_id] }),
    )
    return await administer(
      systemDatabase,
      'client create',
      (transaction) => createClient(transaction, randomUUID, { organizationId, name: 'desk' }),
      ({ client_id }) => ({ organizationId, type: 'client', ids: [client_id] }),
    )
  } finally {
    await database.close()
  }
}
