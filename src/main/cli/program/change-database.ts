import { type Administered, administer } from '../../../platform/audit/administration.ts'
import type { SystemDatabase } from '../../../platform/database/database.ts'
import { withDatabase } from './with-database.ts'

/**
 * Runs a command that changes data of no single organization, and writes the audit event together with the change. `show` runs before the
 * commit: what it cannot show is not stored.
 */
export function changeDatabase<T>(
  operation: string,
  work: (database: SystemDatabase) => Promise<T>,
  describe: (result: T) => Administered,
  show?: (result: T) => Promise<void>,
): Promise<T> {
  return withDatabase(({ systemDatabase }) => administer(systemDatabase, operation, work, describe, show))
}
