import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { initdbFailure, withAdvice } from '../start-failure.ts'
import { type Account, runAs } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterFolder, exists, type Home, type Log, makeUnfinished, passwordFile } from './home.ts'

/** Code-point order with Unicode letter case gives the same results on every machine, independent of its locales. */
const initdbOptions = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
]

/** Written into postgresql.conf once, where an operator may change them. */
const settings = () => ({
  max_connections: '60',
  jit: 'off',
  // The first change of a page after a checkpoint logs the whole page: random updates of a large table would log little
  // else.
  wal_compression: 'on',
  full_page_writes: 'on',
  wal_init_zero: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: `${sharedBuffersMb()}MB`,
})

/**
 * What initdb works with instead, because its programs run in sequence on files that are discarded when one fails: each prepares
 * all shared buffers, and pages need not be logged, nor the log be filled with zeros.
 */
const whileMade = { shared_buffers: '32MB', full_page_writes: 'off', wal_init_zero: 'off' }

/** One call for all files, where the system has it: a thousand calls, one for each file, took a third of initdb's time. */
const SYNC = process.platform === 'linux' ? ['--sync-method=syncfs'] : []

/**
 * The size of PostgreSQL's shared buffers in MB: an eighth of the machine's memory (`memory` in bytes), from its
 * default of 128 up to 512. Reading pages from the operating system costs a list of a large organization more than
 * everything else.
 */
export function sharedBuffersMb(memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)): number {
  return Math.min(512, Math.max(128, Math.floor(memory / 8 / 2 ** 20)))
}

/**
 * Called while PostgreSQL's programs work, which create a cluster or start on one, and this process would only wait: time to load and
 * compute what is needed afterwards.
 */
export type Meanwhile = (doing: 'creating' | 'starting') => void

interface Making {
  log: Log
  meanwhile?: Meanwhile
}

/**
 * Creates the cluster when the folder has none. Cluster and password are published by one rename, so a start that is
 * killed leaves nothing half-made, and of two concurrent first starts one wins and the other uses its cluster.
 * @throws StartupError when initdb fails (with the end of its output) or the cluster is of another major version.
 */
export async function ensureCluster(home: Home, binaries: Binaries, options: Making): Promise<void> {
  if (!(await exists(clusterFolder(home)))) await makeCluster(home, binaries, options)
  const version = (await readFile(join(clusterFolder(home), 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version !== binaries.majorVersion) {
    throw new StartupError(
      `The database in ${home.dataDir} was created by PostgreSQL ${version || '(unknown)'}, and this release includes ${binaries.majorVersion}: dump it with the release that created it, or choose another DATA_DIR`,
    )
  }
}

/**
 * The password of the cluster's two roles.
 * @throws StartupError when it is missing although the cluster exists.
 */
export async function readPassword(home: Home): Promise<string> {
  try {
    return await readFile(passwordFile(home), 'utf8')
  } catch (error) {
    throw new StartupError(
      `The database password ${passwordFile(home)} cannot be read (${reasonOf(error)}): restore the data folder as a whole`,
      { cause: error },
    )
  }
}

/** The files of a database that was running are gone. */
export class DatabaseGone extends StartupError {}

/** @throws DatabaseGone. It never creates a cluster, which would replace the lost one by an empty one. */
export async function requireCluster(home: Home): Promise<void> {
  if (await exists(clusterFolder(home))) return
  throw new DatabaseGone(
    `The database folder ${clusterFolder(home)} is missing: restore it or a backup, and start again`,
  )
}

async function makeCluster(home: Home, binaries: Binaries, { log, meanwhile }: Making): Promise<void> {
  const startedAt = performance.now()
  let unfinished: string | undefined
  try {
    unfinished = await makeUnfinished(home)
    await initialize(unfinished, home, binaries, meanwhile)
    await rename(unfinished, join(home.folder, 'cluster'))
    await syncFolder(home.folder)
    // Who expected data there has named another folder.
    log(`There was no database in ${home.dataDir}: an empty one was created`, {
      folder: home.folder,
      ms: Math.round(performance.now() - startedAt),
    })
  } catch (error) {
    if (unfinished) await rm(unfinished, { recursive: true, force: true })
    if (await exists(clusterFolder(home))) return
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database in ${home.dataDir} could not be created: ${reasonOf(error)}`, { cause: error })
  }
}

async function initialize(folder: string, home: Home, binaries: Binaries, meanwhile?: Meanwhile): Promise<void> {
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 })
  await giveTo(home.account, data, password)
  const set = Object.entries({ ...settings(), ...whileMade }).map(([name, value]) => `--set=${name}=${value}`)
  const options = [...initdbOptions, ...SYNC, ...set, '-D', data, `--pwfile=${password}`]
  const finished = runAs(home.account, join(binaries.folder, 'initdb'), options)
  meanwhile?.('creating')
  const { succeeded, output } = await finished
  if (!succeeded) {
    throw new StartupError(
      `PostgreSQL could not create its database in ${home.dataDir}: ${withAdvice(initdbFailure(output))}`,
    )
  }
  await writeSettings(join(data, 'postgresql.conf'))
  // initdb has read it: from here on only the caller may read the password.
  if (home.account) await chown(password, 0, 0)
}

/** Replaces what only initdb worked with. */
async function writeSettings(file: string): Promise<void> {
  const final: Record<string, string> = settings()
  const written = await readFile(file, 'utf8')
  const text = written.replaceAll(/^(\w+)( = )\S+/gm, (line, name, is) =>
    name in whileMade ? name + is + final[name] : line,
  )
  await writeFile(file, text, { flush: true })
}

async function giveTo(account: Account | undefined, ...paths: string[]): Promise<void> {
  if (account) for (const path of paths) await chown(path, account.uid, account.gid)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
