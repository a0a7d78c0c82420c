import { findOrganization, type Organization } from '../auth/clients.ts'
import type { StoreDeps } from '../clearinghouses/connector-store.ts'
import { withVault } from './with-vault.ts'

/** Runs a command on an organization's connectors, with the key that seals their settings. */
export function withConnectors<T>(
  organization: string,
  work: (deps: StoreDeps, organizationId: Organization['organization_id']) => Promise<T>,
): Promise<T> {
  return withVault(async (database, vault) => {
    const { organization_id } = await findOrganization(database.acrossOrganizations, organization)
    return work({ database, vault }, organization_id)
  })
}
