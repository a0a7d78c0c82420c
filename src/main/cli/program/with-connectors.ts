import type { StoreDeps } from '../../../clearinghouses/connector-store.ts'
import { administer } from '../../../platform/audit/administration.ts'
import { findOrganization, type Organization } from '../../../platform/auth/clients.ts'
import { withVault } from './with-vault.ts'

/**
 * Runs a command on an organization's connectors, with the key that encrypts their settings. `change` names the
 * operation for the audit trail.
 */
export function withConnectors<T>(
  organization: string,
  work: (deps: StoreDeps, organizationId: Organization['organization_id']) => Promise<T>,
  change?: { operation: string; connector?: string },
): Promise<T> {
  return withVault(async (database, vault) => {
    const { organization_id } = await findOrganization(database.systemDatabase, organization)
    if (!change) return work({ database, vault }, organization_id)
    const ids = change.connector === undefined ? [] : [change.connector]
    return administer(
      database,
      change.operation,
      (inner) => work({ database: inner, vault }, organization_id),
      () => ({ organizationId: organization_id, type: 'connector', ids }),
    )
  })
}
