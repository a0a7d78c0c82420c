import type { Database, Statement } from '../database/database.ts'
import { grantedScopes, type Scopes } from '../http/scopes.ts'
import { recentlyUsed } from '../recently-used.ts'

/** The current state of a client, independent of the claims in its tokens. */
export interface Standing {
  scopes: Scopes
}

/** The states of clients as this process knows them; at most a few seconds old. */
interface ClientStandings {
  /** The cached state, if it was read a moment ago. */
  recall(clientId: string): Standing | undefined
  /** From the database; undefined for a client that does not exist or was revoked. */
  read(clientId: string): Promise<Standing | undefined>
}

/** How long a cached state is valid: this bounds how soon revocations and changed scopes take effect. */
const BELIEVED_MS = 5_000

/** More clients than call while a state is valid. */
const CLIENTS_MAX = 10_000

const standingStatement: Statement = {
  name: 'client_standing',
  text: 'select array_to_json(scopes) from client where id = $1 and revoked_at is null',
}

/** Concurrent reads of one client share a query. */
export function openClientStandings(database: Database): ClientStandings {
  const known = recentlyUsed<{ standing: Standing; until: number }>(CLIENTS_MAX)
  const reading = new Map<string, Promise<Standing | undefined>>()

  async function ask(clientId: string): Promise<Standing | undefined> {
    // Measured with the monotonic clock from before the query, so a change that the query missed is at most this old.
    const until = performance.now() + BELIEVED_MS
    const row = await database.rowByKey(standingStatement, [clientId])
    if (!row) {
      known.delete(clientId)
      return undefined
    }
    const standing = { scopes: grantedScopes(row[0] ? JSON.parse(row[0]) : undefined) }
    known.set(clientId, { standing, until })
    return standing
  }

  function recall(clientId: string): Standing | undefined {
    const entry = known.get(clientId)
    return entry !== undefined && entry.until > performance.now() ? entry.standing : undefined
  }

  return {
    recall,
    async read(clientId) {
      const recalled = recall(clientId)
      if (recalled) return recalled
      const open = reading.get(clientId) ?? ask(clientId).finally(() => reading.delete(clientId))
      reading.set(clientId, open)
      return open
    },
  }
}
