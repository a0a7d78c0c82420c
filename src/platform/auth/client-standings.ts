import { LRUCache } from 'lru-cache'
import type { Database, Statement } from '../database/database.ts'
import { grantedScopes, type Scopes } from '../http/scopes.ts'

/** What holds of a client at present, whatever its tokens say. */
export interface Standing {
  scopes: Scopes
}

/** What this process knows of clients; never older than a few seconds. */
export interface ClientStandings {
  /** At once, when it was read a moment ago. */
  recall(clientId: string): Standing | undefined
  /** From the database; undefined for a client that does not exist or was revoked. */
  read(clientId: string): Promise<Standing | undefined>
}

/** How long a standing is believed: what bounds the effect of a revocation and of changed scopes. */
const BELIEVED_MS = 5_000

/** More clients than call within the seconds that a standing is believed. */
const CLIENTS_MAX = 10_000

const standingStatement: Statement = {
  name: 'client_standing',
  text: 'select array_to_json(scopes) from client where id = $1 and revoked_at is null',
}

export function openClientStandings(database: Database): ClientStandings {
  const known = new LRUCache<string, { standing: Standing; until: number }>({ max: CLIENTS_MAX })
  const reading = new Map<string, Promise<Standing | undefined>>()

  async function ask(clientId: string): Promise<Standing | undefined> {
    // By the clock that nobody sets, from before the query: a change that it missed is at most this old.
    const until = performance.now() + BELIEVED_MS
    const row = await database.row(standingStatement, [clientId])
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
