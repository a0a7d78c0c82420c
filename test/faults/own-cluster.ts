import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { newDataFolder, newMigratedFolder, type Settings } from '../support/started-server.ts'
import { killPostgres } from './embedded-harness.ts'

/** A PostgreSQL that a test may stop, kill and start; the service uses it through DATABASE_URL. */
export interface OwnCluster {
  settings: Settings
  connection: Embedded['connection']
  dataDir: string
  /** A fast shutdown, like the start of an operator's restart. */
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export interface Client {
  client_id: string
  client_secret: string
}

/** PostgreSQL's own count of deadlocks. */
export async function countDeadlocks(connectionString: string | undefined): Promise<number> {
  const database = openDatabase({ connectionString, max: 1 }, { onError: () => {} })
  const counted = 'select deadlocks from pg_stat_database where datname = current_database()'
  try {
    return Number((await database.systemDatabase.row(counted))?.[0])
  } finally {
    await database.close()
  }
}

/** The client that a first start has created and printed. */
export function firstClient(output: string): Client {
  const [, client_id = '', client_secret = ''] = /client_id +(\S+)\n +client_secret +(\S+)/.exec(output) ?? []
  return { client_id, client_secret }
}

/** A copy of the run's migrated cluster in a new folder, or the cluster of the given folder, which is created there if it has none. */
export async function newOwnCluster(folder?: Awaited<ReturnType<typeof newDataFolder>>): Promise<OwnCluster> {
  const place = folder ?? (await newMigratedFolder())
  // A command, not a server, so that PostgreSQL is not restarted automatically.
  const open = () => openEmbedded({ dataDir: place.path, log: () => {}, role: 'command' })
  let embedded = await open()
  const { connection } = embedded
  const user = `${encodeURIComponent(connection.user)}:${encodeURIComponent(connection.password)}`
  const url = `postgresql://${user}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`
  const service = await newDataFolder()
  return {
    settings: { DATABASE_URL: url, DATA_DIR: service.path },
    connection,
    dataDir: place.path,
    stop: () => embedded.stop(),
    kill: () => killPostgres(place.path),
    async start() {
      embedded = await open()
    },
    async remove() {
      await embedded.stop()
      await place.remove()
      await service.remove()
    },
  }
}
