// Audits administration on the service's own machine: the event is committed together with the change.
import type { Database, SystemDatabase } from '../database/database.ts'
import { osUser } from '../why-unwritable.ts'
import { SERVICE_TRAIL } from './event.ts'
import { insertEvent } from './pending.ts'

/** The parts of a command's audit event. */
export interface Administered {
  /** The organization whose trail gets the event; absent for the service's own trail. */
  organizationId?: string
  type?: string
  ids?: string[]
  /** The last block that a pruning removed. */
  through?: number
}

/**
 * Runs a command's work and stores its audit event, both or neither, with the rights of `database`. `operation` is the
 * command without its values; `describe` adds the affected records once they are known. `show` runs before the commit: when it fails,
 * nothing is stored.
 */
export function administer<T>(
  database: SystemDatabase,
  operation: string,
  work: (database: SystemDatabase) => Promise<T>,
  describe?: (result: T) => Administered,
  show?: (result: T) => Promise<void>,
): Promise<T>
export function administer<T>(
  database: Database,
  operation: string,
  work: (database: Database) => Promise<T>,
  describe?: (result: T) => Administered,
  show?: (result: T) => Promise<void>,
): Promise<T>
export function administer<T>(
  database: Database,
  operation: string,
  work: (database: SystemDatabase) => Promise<T>,
  describe: (result: T) => Administered = () => ({}),
  show: (result: T) => Promise<void> = async () => {},
): Promise<T> {
  return database.transaction(async (transaction) => {
    const joined: SystemDatabase = {
      ...transaction,
      transaction: (inner) => inner(joined),
      reach: 'every organization',
    }
    const result = await work(joined)
    await recordCommand(transaction, operation, describe(result))
    await show(result)
    return result
  })
}

/**
 * Stores the event of a command whose work is not a single transaction, before the work starts, so that every attempt
 * is audited.
 */
export async function recordCommand(
  database: Pick<Database, 'rows'>,
  operation: string,
  administered: Administered = {},
): Promise<void> {
  const { organizationId = SERVICE_TRAIL, type = '', ids = [], through } = administered
  const auditContext = {
    operation: `command.${operation}`,
    os_user: osUser(),
    ...(through !== undefined && { through }),
  }
  await insertEvent(database, { organizationId, auditContext: JSON.stringify(auditContext), type, ids })
}
