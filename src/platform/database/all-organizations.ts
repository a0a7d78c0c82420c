// Work that goes over the rows of all organizations: in one statement, or for each organization by itself.
import type { NoteFailure } from '../each-organization.ts'
import type { SystemDatabase, TextRow } from './database.ts'
import { extensionStatement } from './distributed-isolation.ts'
import { isConnectionFailure, isDatabaseUnable } from './errors.ts'

const known = new WeakMap<SystemDatabase, Promise<boolean>>()

/**
 * Whether the database may be distributed, asked once: Citus does not lock or change rows of several organizations in one statement that joins
 * them, so that such work is then done organization by organization. decisions/0225-work-of-all-organizations-on-citus.md
 */
function isByOrganization(database: SystemDatabase): Promise<boolean> {
  const asked = known.get(database) ?? database.row(extensionStatement).then((row) => row?.[0] === 't')
  known.set(database, asked)
  asked.catch(() => known.delete(database))
  return asked
}

interface Shares {
  limit?: number | undefined
  onFailure: NoteFailure
}

/**
 * The rows of these organizations, read one organization at a time. Each has an equal share of what the ones before it have left of `limit`, if there
 * is one. An organization whose read fails has none.
 */
async function inShares(
  organizations: readonly string[],
  { limit, onFailure }: Shares,
  ask: (organizationId: string, share: number | undefined) => Promise<TextRow[]>,
): Promise<TextRow[]> {
  const rows: TextRow[] = []
  for (const [place, id] of organizations.entries()) {
    const share = limit === undefined ? undefined : Math.ceil((limit - rows.length) / (organizations.length - place))
    if (share === 0) break
    try {
      rows.push(...(await ask(id, share)))
    } catch (error) {
      onFailure(error, id)
    }
  }
  return rows
}

interface Ways extends Shares {
  /** One statement for all organizations. */
  together(): Promise<TextRow[]>
  /** The organizations to ask for one after another. */
  organizations(): Promise<string[]>
  each(organizationId: string, share: number | undefined): Promise<TextRow[]>
}

/**
 * The rows of all organizations in one statement, or of each by itself where the database is distributed, and where that statement fails.
 */
export async function togetherOrEach(database: SystemDatabase, ways: Ways): Promise<TextRow[]> {
  if (!(await isByOrganization(database))) return togetherUnlessOneFails(ways)
  return inShares(await ways.organizations(), ways, ways.each)
}

/**
 * The same for statements that a distributed database runs as well. A value that cannot be read is in the rows of one organization, and the
 * others must not miss theirs. decisions/0234-background-work-of-each-organization.md
 */
export async function togetherUnlessOneFails(ways: Ways): Promise<TextRow[]> {
  try {
    return await ways.together()
  } catch (error) {
    if (isConnectionFailure(error)) throw error
  }
  return inShares(await ways.organizations(), ways, ways.each)
}

const organizationsStatement = { name: 'all_organizations', text: 'select id from organization' }

/** The organizations that `find` names, or all where it fails. */
export async function thoseOrAll(database: SystemDatabase, find: () => Promise<string[]>): Promise<string[]> {
  try {
    return await find()
  } catch (error) {
    if (isConnectionFailure(error) || isDatabaseUnable(error)) throw error
    return (await database.rows(organizationsStatement)).map(([id = '']) => id)
  }
}
