// Connections to the standby of DATABASE_READ_URL. Every read proves on the connection that answers it that the server
// is a standby of our primary and has replayed what the read must see. decisions/0070-reads-from-a-replica.md
import pg from 'pg'
import { APPLICATION_ROLE } from '../application-role.ts'
import { connectFairly, connectTo, onConnection, openPool } from '../connections/connections.ts'
import { databaseOver } from '../connections/database-over.ts'
import { keptOpen, poolSettings } from '../connections/pool-settings.ts'
import { createReadsByKey } from '../connections/reads-by-key.ts'
import { breakOff } from '../connections/servers.ts'
import { openSharedConnections } from '../connections/shared-connections.ts'
import { createUnanswered } from '../connections/unanswered.ts'
import { usageOf } from '../connections/usage.ts'
import type { Database, PoolUsage, Statement, TextRows } from '../database.ts'
import { applyRowLevelSecurity, organizationOf, withoutRowLevelSecurity } from '../row-level-security.ts'
import { createPreparedForms } from '../statements/prepared-forms.ts'

/** The state that a read must see. */
export interface Wanted {
  /** The position in the primary's write-ahead log up to which it must be replayed. */
  position: bigint
  /** Whether our primary wrote this token recently, on its present timeline. */
  isOwn(token: string): boolean
}

/** What a server says about itself. */
export interface ReplicaState {
  /** Undefined when it is not a standby, or no longer one. */
  replayed: bigint | undefined
  /** The latest sign of life that it has received from its primary, and when that was written. */
  token: string
  beatAt: number
  /** Whether row-level security applies to this connection. */
  isRestricted: boolean
}

export interface Replica {
  /** `sent` is called when the statement is sent. @throws ReplicaBehind when the server does not show the state that is wanted. */
  rows(
    wanted: Wanted,
    statement: Statement | string,
    values: unknown[],
    caller?: { gone?: AbortSignal | undefined; sent?(): void },
  ): Promise<TextRows>
  rowsByKey(wanted: Wanted, statement: Statement, values: unknown[]): Promise<TextRows>
  /** The server's state, over a connection with a short limit. */
  look(): Promise<ReplicaState>
  /** For statements about the server itself, which may not know the application's role. */
  server: Database
  /** Drops all connections to a server that does not answer. */
  breakOff(): void
  usage(): PoolUsage[]
  close(): Promise<void>
}

/** The replica answers, but has not replayed what the read must see, or does not follow our primary. */
export class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind'
}

/** A read that takes longer is repeated at the primary, and the caller waits for both. */
const STATEMENT_TIMEOUT_MS = 10_000
export const ANSWER_LIMIT_MS = 1_000

// The position is read before the statement that follows takes its snapshot, so the snapshot is at least as new.
const lookStatement: Statement = {
  name: 'replica_look',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end, token, extract(epoch from at),
      current_user = '${APPLICATION_ROLE}' and replace(current_setting('search_path'), ' ', '') = 'walled,public'
    from (select) one left join replica_beat on true`,
}

/** Connects at the first statement. `processes` is how many share the connections. The caller closes it. */
export function openReplica(
  connection: pg.PoolConfig,
  { processes, onError }: { processes?: number | undefined; onError(error: Error): void },
): Replica {
  const clients = new Set<pg.Client>()
  class ReplicaClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      clients.add(this)
      this.once('end', () => clients.delete(this))
    }
  }
  const settings = poolSettings(
    { ...connection, Client: ReplicaClient },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS, processes },
  )
  const restricted = { ...settings.restricted, connectionTimeoutMillis: ANSWER_LIMIT_MS }
  const security = applyRowLevelSecurity()
  const forms = createPreparedForms()
  const pool = openPool(restricted, onError)
  const connect = connectFairly(pool)
  const shared = openSharedConnections(restricted, onError)
  const byKey = createReadsByKey<Wanted>(shared, {
    ask: (client, statement, values, wanted) => prove(client, wanted, statement, values),
    elsewhere: (statement, values, wanted) => rowsOf(wanted, statement, values),
    sharerOf: organizationOf,
  })
  const unanswered = createUnanswered()
  const looking = openPool({ ...restricted, ...keptOpen(ANSWER_LIMIT_MS), max: 1 }, onError)
  const looks = databaseOver(connectTo(looking), withoutRowLevelSecurity)
  const limits = { connectionTimeoutMillis: ANSWER_LIMIT_MS, query_timeout: ANSWER_LIMIT_MS }
  const examining = openPool({ ...settings.whole, ...limits, max: 1 }, onError)

  async function prove(client: pg.ClientBase, wanted: Wanted, statement: Statement | string, values: unknown[]) {
    const [[state], rows] = await Promise.all([
      withoutRowLevelSecurity.ask(client, lookStatement, []),
      security.ask(client, statement, values),
    ])
    if (!shows(stateOf(state), wanted)) throw new ReplicaBehind('the replica does not show the state that is wanted')
    return rows
  }

  const rowsOf: Replica['rows'] = (wanted, statement, values, { gone, sent } = {}) => {
    const ask = (client: pg.ClientBase) => {
      sent?.()
      return prove(client, wanted, forms.prepared(statement), values)
    }
    return onConnection(connect, organizationOf(values), ask, gone)
  }

  return {
    rows: rowsOf,
    rowsByKey(wanted, statement, values) {
      const read = () => byKey.read((rows) => rows, statement, values, wanted)
      return byKey.isAside(statement) ? read() : unanswered.pass(organizationOf(values), read)
    },
    look: async () => stateOf(await looks.row(lookStatement)),
    server: databaseOver(connectTo(examining), withoutRowLevelSecurity),
    breakOff() {
      for (const client of clients) breakOff(client)
    },
    usage: () => [usageOf('replica', pool, connect)],
    async close() {
      await Promise.all([pool.end(), shared.close(), looking.end(), examining.end()])
    },
  }
}

/** Whether a server in this state may answer a read. */
export function shows({ replayed, token, isRestricted }: ReplicaState, { position, isOwn }: Wanted): boolean {
  return isRestricted && replayed !== undefined && replayed >= position && isOwn(token)
}

function stateOf([replayed, token = '', beatAt, isRestricted]: (string | null)[] = []): ReplicaState {
  return {
    replayed: replayed ? readPosition(replayed) : undefined,
    token: token ?? '',
    beatAt: Number(beatAt ?? Number.NaN),
    isRestricted: isRestricted === 't',
  }
}

/** `16/B374D848`: two halves of 32 bits in hexadecimal digits. Source: PostgreSQL manual, 8.20 (pg_lsn). */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
