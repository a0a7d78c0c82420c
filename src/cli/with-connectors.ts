import { pino } from 'pino'
import { findOrganization, type Organization } from '../auth/clients.ts'
import type { StoreDeps } from '../clearinghouses/connector-store.ts'
import { readConfig } from '../config.ts'
import { openMigratedDatabase, openVault } from '../service.ts'

/** Runs a command on an organization's connectors, with the key that seals their settings. */
export async function withConnectors<T>(
  organization: string,
  work: (deps: StoreDeps, organizationId: Organization['organization_id']) => Promise<T>,
): Promise<T> {
  const config = readConfig()
  const database = await openMigratedDatabase(config, pino({ level: 'silent' }), 'command')
  try {
    const vault = await openVault(config, database.value.acrossOrganizations)
    const { organization_id } = await findOrganization(database.value.acrossOrganizations, organization)
    return await work({ database: database.value, vault }, organization_id)
  } finally {
    await database.close()
  }
}
