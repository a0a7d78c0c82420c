// Connections for what every call needs before it is admitted, which the work of calls cannot take.
// decisions/0228-locks-on-tables-of-authentication.md
import type pg from 'pg'
import type { PoolUsage, Statement, SystemDatabase, TextRows } from '../database.ts'
import { withoutRowLevelSecurity } from '../row-level-security.ts'
import { type Connect, connectFairly, openPool } from './connections.ts'
import { wholeOver } from './database-over.ts'
import { keptOpen, optionsOf } from './pool-settings.ts'
import { createReadsByKey } from './reads-by-key.ts'
import { openSharedConnections } from './shared-connections.ts'
import { usageOf } from './usage.ts'

/** Of three, one purpose takes two at most (leavingSome), so that others can go on while its statements wait for a lock. Reads have a connection of their own. */
const MAX_CONNECTIONS = 3
/** A caller that waits longer than this to be authenticated is better served by a 503; a suspended database does not time out statements itself. */
const TIMEOUT_MS = 5_000
/** The database enforces it itself: otherwise it would keep the connection of a statement that nobody waits for. */
const STATEMENT_TIMEOUT_MS = 4_500
/** Of a read that waits for a lock, before it is sent again. */
const PATIENCE_MS = 3_000

/** Each purpose has tables of its own: a lock on one of them keeps its calls waiting, and no others. */
interface Authentication {
  /** Clients, their tokens and the keys of these, and the organizations. */
  clients: SystemDatabase
  /** Users, and whether they are signed in. */
  sessions: SystemDatabase
  /** How often a caller has called. */
  limits: SystemDatabase
  usage(): PoolUsage
  close(): Promise<void>
}

/** Nothing connects before the first statement. The caller closes it. */
export function openAuthentication(
  whole: pg.PoolConfig & { max: number; Client: typeof pg.Client },
  onError: (error: Error) => void,
): Authentication {
  const settings = {
    ...whole,
    ...keptOpen(TIMEOUT_MS),
    options: `${whole.options} ${optionsOf({ statement_timeout: STATEMENT_TIMEOUT_MS })}`,
  }
  const pool = openPool({ ...settings, max: Math.min(whole.max, MAX_CONNECTIONS) }, onError)
  const connect = connectFairly(pool)
  const shared = openSharedConnections(settings, onError, 1)
  const byKey = createReadsByKey<Purpose>(shared, {
    ask: withoutRowLevelSecurity.ask,
    elsewhere: (statement, values, purpose) => purpose.rows(statement, values),
    sharerOf: (_values, purpose) => purpose.name,
    patienceMs: PATIENCE_MS,
  })

  function databaseOf(name: string): SystemDatabase {
    const connectAs: Connect = (_organization, gone) => connect(name, gone)
    const own = wholeOver(connectAs)
    const purpose = { name, rows: own.rows }
    return {
      ...own,
      rowByKey: (statement, values) => byKey.read((rows) => rows[0], statement, values, purpose),
      rowsByKey: (statement, values) => byKey.read((rows) => rows, statement, values, purpose),
    }
  }

  return {
    clients: databaseOf('clients'),
    sessions: databaseOf('sessions'),
    limits: databaseOf('limits'),
    usage: () => usageOf('authentication', pool, connect),
    async close() {
      await Promise.all([pool.end(), shared.close()])
    },
  }
}

interface Purpose {
  name: string
  rows(statement: Statement, values: unknown[]): Promise<TextRows>
}
