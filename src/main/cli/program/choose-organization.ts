import { findOrganization, listOrganizations } from '../../../platform/auth/clients.ts'
import type { SystemDatabase } from '../../../platform/database/database.ts'
import { type CommandLine, UsageError } from './command-line.ts'

/** The id of the organization of `--organization`, or of the only one there is. @throws UsageError, StartupError */
export async function chooseOrganization(database: SystemDatabase, { flags }: CommandLine): Promise<string> {
  if (typeof flags.organization === 'string') {
    return (await findOrganization(database, flags.organization)).organization_id
  }
  const [only, ...others] = await listOrganizations(database)
  if (only && others.length === 0) return only.organization_id
  throw new UsageError(`--organization is required: there ${only ? 'are several' : 'is none yet'}`)
}
