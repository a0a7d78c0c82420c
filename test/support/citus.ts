// A real Citus cluster, when CITUS_DATABASE_URL names its coordinator: every database of a test is on all of its servers. docs/citus.md
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { distribute } from '../../src/platform/database/distribute.ts'
import { migrate } from '../../src/platform/database/migrate.ts'

/** The URL of a database of the coordinator, of a superuser, who may create databases on all servers with the same password. */
export const citusUrl = process.env.CITUS_DATABASE_URL

interface Server {
  host: string
  port: number
}

/** The connection to a database of the coordinator. */
export function citusConnection(url: string, database?: string) {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: database ?? pathname.slice(1),
  }
}

/** The coordinator first, and the workers that it knows. */
async function serversOf(url: string): Promise<Server[]> {
  const rows = await ask(citusConnection(url), 'select nodename, nodeport from pg_dist_node order by groupid')
  return rows.map(({ nodename, nodeport }) => ({ host: nodename, port: nodeport }))
}

async function ask(connection: pg.ClientConfig, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const ATTEMPTS = 100

/** On every server. A daemon of Citus may hold a database for a moment. */
async function onServers(url: string, database: string, text: string): Promise<void> {
  for (const server of await serversOf(url)) {
    for (let attempt = 1; ; attempt++) {
      try {
        await ask({ ...citusConnection(url, database), ...server }, text)
        break
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        await delay(100)
      }
    }
  }
}

/** A migrated and distributed database of this name. */
export async function createDistributed(url: string, name: string): Promise<void> {
  await createOnServers(url, name)
  const database = openDatabase(citusConnection(url, name), { onError: () => {} })
  await migrate(database)
  await distribute(database.systemDatabase)
  await database.close()
}

/** An empty database of this name, on servers that know each other. */
export async function createOnServers(url: string, name: string): Promise<void> {
  await dropDistributed(url, name)
  const servers = await serversOf(url)
  await onServers(url, 'postgres', `create database ${name}`)
  await onServers(url, name, 'create extension citus')
  const [coordinator, ...workers] = servers
  const connection = citusConnection(url, name)
  await ask(connection, `select citus_set_coordinator_host('${coordinator?.host}', ${coordinator?.port})`)
  for (const { host, port } of workers) await ask(connection, `select citus_add_node('${host}', ${port})`)
}

/** A copy on every server: Citus finds the parts of a database by its name. */
export async function cloneDistributed(url: string, template: string, name: string): Promise<void> {
  await onServers(
    url,
    'postgres',
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
  )
  await onServers(url, 'postgres', `create database ${name} template ${template} strategy file_copy`)
}

export async function dropDistributed(url: string, name: string): Promise<void> {
  await onServers(url, 'postgres', `drop database if exists ${name} with (force)`)
}
