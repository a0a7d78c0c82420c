import { spawnSync } from 'node:child_process'
import { appendFile, chown, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { newDataFolder } from '../support/started-server.ts'
import { until } from './embedded-harness.ts'
import { newOwnCluster, type OwnCluster } from './own-cluster.ts'

const dataOf = ({ dataDir }: Pick<OwnCluster, 'dataDir'>) => join(dataDir, 'postgresql', 'cluster', 'data')

/** Runs a statement as the superuser of a cluster. */
export async function ask<Row>({ connection }: OwnCluster, text: string): Promise<Row[]> {
  const client = new pg.Client({ ...connection, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/**
 * A hot standby of a cluster on this machine that follows it by streaming replication. Synchronous: a commit of the primary waits until it is
 * visible there (`synchronous_commit = remote_apply`).
 * Source: PostgreSQL manual, 26.2 (standby servers) and 25.3.3 (base backup by the low-level API).
 */
export async function newStandby(primary: OwnCluster, { isSynchronous = true } = {}): Promise<OwnCluster> {
  const folder = await newDataFolder()
  const { host, port, password } = primary.connection
  await copyCluster(primary, folder.path)
  const settings = `primary_conninfo = 'host=${host} port=${port} user=postgres password=${password} application_name=standby'\n`
  await appendFile(join(dataOf({ dataDir: folder.path }), 'postgresql.auto.conf'), settings)
  const standby = await newOwnCluster(folder)
  if (isSynchronous) {
    await ask(primary, `alter system set synchronous_commit = 'remote_apply'`)
    await ask(primary, `alter system set synchronous_standby_names = 'standby'`)
    await ask(primary, 'select pg_reload_conf()')
  }
  const wanted = isSynchronous ? 'sync' : 'async'
  const state = `select sync_state from pg_stat_replication where application_name = 'standby' and state = 'streaming'`
  await until(async () => (await ask<{ sync_state: string }>(primary, state))[0]?.sync_state === wanted, 60_000)
  return standby
}

async function copyCluster(primary: OwnCluster, dataDir: string): Promise<void> {
  const client = new pg.Client({ ...primary.connection, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    spawnSync('cp', ['-a', join(primary.dataDir, 'postgresql'), dataDir])
    const { rows } = await client.query('select labelfile from pg_backup_stop()')
    const data = dataOf({ dataDir })
    // Files of the running primary only: the standby must not signal its process.
    spawnSync('rm', ['-rf', join(data, 'postmaster.pid'), join(dataDir, 'postgresql', 'socket')])
    await writeOwned(data, 'backup_label', rows[0].labelfile)
    await writeOwned(data, 'standby.signal', '')
  } finally {
    await client.end()
  }
}

async function writeOwned(folder: string, name: string, content: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  await writeFile(join(folder, name), content)
  await chown(join(folder, name), uid, gid)
}

/** Promotes a standby, as Patroni or an operator does. */
export async function promote(standby: OwnCluster): Promise<void> {
  await ask(standby, 'select pg_promote(true, 60)')
}

/** Suspends or resumes the postmaster and all its processes. */
export async function signalCluster(cluster: Pick<OwnCluster, 'dataDir'>, name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const postmaster = Number((await readFile(join(dataOf(cluster), 'postmaster.pid'), 'utf8')).split('\n')[0])
  // The postmaster first: once it is suspended it starts no more processes, which would go on.
  process.kill(postmaster, name)
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  for (const pid of stdout.split('\n').map(Number).filter(Boolean)) signalIfRunning(pid, name)
}

/** The process of a connection, or an autovacuum worker, may have ended since it was listed. */
function signalIfRunning(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
