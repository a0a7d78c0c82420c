// What is done to the service itself, on its machine: the event is committed with the change.
import { userInfo } from 'node:os'
import type { Database, SystemDatabase } from '../database/database.ts'
import { SERVICE_TRAIL } from './event.ts'
import { insertEvent } from './pending.ts'

/** What a command did, for the trail. */
export interface Administered {
  /** Whose trail; the service's own when it is nobody's. */
  organizationId?: string
  type?: string
  ids?: string[]
  /** Up to which block a trail was forgotten. */
  through?: number
}

/**
 * Runs a command's work and leaves its event, both or neither, with the rights of `database`. `operation` is what was
 * typed, without its values; `describe` names what was done once it is known.
 */
export function administer<T>(
  database: SystemDatabase,
  operation: string,
  work: (database: SystemDatabase) => Promise<T>,
  describe?: (result: T) => Administered,
): Promise<T>
export function administer<T>(
  database: Database,
  operation: string,
  work: (database: Database) => Promise<T>,
  describe?: (result: T) => Administered,
): Promise<T>
export function administer<T>(
  database: Database,
  operation: string,
  work: (database: SystemDatabase) => Promise<T>,
  describe: (result: T) => Administered = () => ({}),
): Promise<T> {
  return database.transaction(async (transaction) => {
    const joined: SystemDatabase = {
      ...transaction,
      transaction: (inner) => inner(joined),
      reach: 'every organization',
    }
    const result = await work(joined)
    await leaveEvent(transaction, operation, describe(result))
    return result
  })
}

/** The event of a command whose work is no single transaction: left before it begins, so that whatever comes of it has one. */
export async function leaveEvent(
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

/** The account that runs this process; its number where it has no name. */
function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
