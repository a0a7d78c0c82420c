// Reads that a standby may answer: DATABASE_READ_URL. This is the one place that decides where a read goes.
// decisions/0070-reads-from-a-replica.md
import type pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { connectTo, openPool } from '../connections/connections.ts'
import { databaseOver } from '../connections/database-over.ts'
import { createHeavyReads, type HeavyReads } from '../connections/heavy-reads.ts'
import { keptOpen } from '../connections/pool-settings.ts'
import { readServers } from '../connections/servers.ts'
import { usageOf } from '../connections/usage.ts'
import type { Database, PoolUsage } from '../database.ts'
import { organizationOf, withoutRowLevelSecurity } from '../row-level-security.ts'
import { examineReplica, type ReplicaFinding } from './check.ts'
import { ANSWER_LIMIT_MS, openReplica, type Replica, ReplicaBehind, type Wanted } from './replica.ts'
import { type ReplicaStanding, watchReplica } from './watch.ts'

export interface ReplicaOptions {
  connection: pg.PoolConfig
  onChange(standing: ReplicaStanding): void
}

/** `replica`: it answered. The others name why the primary answered instead. */
type ReadOutcome = 'replica' | 'not in use' | 'behind' | 'failed'

export interface Reads {
  /** The database for operations that only read. Every answer is as new as one of the primary. */
  database: Database
  /** Begins to use the replica, as soon as it is found up to date. @throws StartupError for one that never may be used. */
  start(): Promise<void>
  examine(): Promise<ReplicaFinding>
  counts(): Readonly<Record<ReadOutcome, number>>
  standing(): ReplicaStanding
  lagSeconds(): number
  usage(): PoolUsage[]
  close(): Promise<void>
}

interface Origin {
  primary: Database
  settings: pg.PoolConfig
  processes: number | undefined
  /** How many long reads run at the replica at once while several organizations use it. */
  longReadsAtOnce: number
  onError(error: Error): void
}

/** A read that fails at the replica is sent to the primary: a read has no effect, so it may be sent twice. */
type Read = <T>(
  atReplica: (wanted: Wanted) => Promise<T>,
  atPrimary: () => Promise<T>,
  gone?: AbortSignal,
) => Promise<T>

/** One for the questions of reads, one for the signs of life. */
const MAX_CONNECTIONS = 2

/**
 * Sends every read to the primary until `start`; the caller closes it. @throws StartupError when the setting names several servers.
 */
export function openReads(from: Origin, { connection, onChange }: ReplicaOptions): Reads {
  const { primary, settings, onError } = from
  if (readServers(connection))
    throw new StartupError('DATABASE_READ_URL must name one server, or an address that leads to a standby')
  const options = `${settings.options} -c statement_timeout=${ANSWER_LIMIT_MS}`
  const asking = openPool({ ...settings, ...keptOpen(ANSWER_LIMIT_MS), options, max: MAX_CONNECTIONS }, onError)
  const questions = databaseOver(connectTo(asking), withoutRowLevelSecurity)
  const replica = openReplica(connection, from)
  const watch = watchReplica(questions, replica, onChange)
  const counts: Record<ReadOutcome, number> = { replica: 0, 'not in use': 0, behind: 0, failed: 0 }

  const read: Read = async (atReplica, atPrimary, gone) => {
    if (!watch.isInUse()) {
      counts['not in use']++
      return atPrimary()
    }
    try {
      const result = await watch.whileItAnswers(watch.catchUp().then(atReplica))
      counts.replica++
      return result
    } catch (error) {
      gone?.throwIfAborted()
      counts[error instanceof ReplicaBehind ? 'behind' : 'failed']++
      return atPrimary()
    }
  }
  const database = readsThrough({ primary, replica, heavy: createHeavyReads(from.longReadsAtOnce), read })
  const examine = () => examineReplica(questions, replica)

  return {
    database,
    async start() {
      const found = await examine()
      if (found.isRefused) throw new StartupError(found.says)
      watch.start()
    },
    examine,
    counts: () => counts,
    standing: () => watch.standing(),
    lagSeconds: () => watch.lagSeconds(),
    usage: () => [usageOf('position', asking), ...replica.usage()],
    async close() {
      await watch.stop()
      await Promise.all([asking.end(), replica.close()])
    },
  }
}

/** The same database, of which the replica answers single statements; long ones take turns by organization. */
function readsThrough({
  primary,
  replica,
  heavy,
  read,
}: {
  primary: Database
  replica: Replica
  heavy: HeavyReads
  read: Read
}): Database {
  const database: Database = {
    rows(statement, values = [], gone) {
      const organization = organizationOf(values)
      heavy.note(organization)
      const send = (sent = () => {}) =>
        read(
          (wanted) => replica.rows(wanted, statement, values, { gone, sent }),
          () => primary.rows(statement, values, gone),
          gone,
        )
      return gone ? heavy.pass(organization, gone, send) : send()
    },
    row: async (statement, values, gone) => (await database.rows(statement, values, gone))[0],
    rowByKey(statement, values) {
      heavy.note(organizationOf(values))
      return read(
        async (wanted) => (await replica.rowsByKey(wanted, statement, values))[0],
        () => primary.rowByKey(statement, values),
      )
    },
    rowsByKey(statement, values) {
      heavy.note(organizationOf(values))
      return read(
        (wanted) => replica.rowsByKey(wanted, statement, values),
        () => primary.rowsByKey(statement, values),
      )
    },
    transaction: primary.transaction,
  }
  return database
}
