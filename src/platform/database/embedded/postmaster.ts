import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { childOptions } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterFolder, type Home } from './home.ts'

export interface SocketAddress {
  /** The folder of the Unix socket. */
  host: string
  port: number
}

/** A PostgreSQL that runs on the cluster, as described in its `postmaster.pid`. */
interface Postmaster {
  pid: number
  /** Undefined until its socket is open. */
  address: SocketAddress | undefined
}

/** A start of PostgreSQL by this process, observed until it serves or fails. */
export interface Launch {
  exited: boolean
  /** What PostgreSQL has written to its log since this start. */
  readLog(): Promise<string>
}

const port = 5432
const socketName = `.s.PGSQL.${port}`
/** The longest path in a `sockaddr_un`, without its final NUL. */
const maxSocketPathBytes = process.platform === 'linux' ? 107 : 103
const LOG = 'postgresql.log'
const maxLogBytes = 1_000_000
/** PostgreSQL writes its process id into a lock file at once after creating it. */
const WRITTEN_WITHIN_MS = 500

/** Settings of every start. Errors are not logged, because their texts quote values, which are patient data. */
const fixedSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  autovacuum_naptime: '10s',
  // After a crash of one of its processes it ends and is started again (embedded.ts). By itself it would recover within the same process, which,
  // when its disk refuses files meanwhile, stays "in recovery mode" for good (seen with 18.4).
  restart_after_crash: 'off',
  // What was in memory is read again in the background after a start: the first searches took three times as long without it.
  // decisions/0145-searches-after-a-start.md
  shared_preload_libraries: 'pg_prewarm',
}

/**
 * The PostgreSQL that runs on this cluster, undefined when there is none. A `postmaster.pid` of a killed process does
 * not count, nor one whose process id now belongs to another process. PostgreSQL itself would wait for that process
 * forever (a restarted container uses the same ids), so the lock files are removed then.
 */
export async function findPostmaster(home: Home): Promise<Postmaster | undefined> {
  const text = await readLockFile(home)
  const [pidLine, , , portLine, host] = text.split('\n')
  const pid = pidIn(pidLine)
  if (pid === undefined) return undefined
  const owner = await describeProcess(pid)
  if (owner === undefined) return undefined
  if (owner !== 'unknown' && !owner.includes(clusterFolder(home))) {
    if ((await readLockFile(home)) === text) await removeLockFiles(home)
    return undefined
  }
  return { pid, address: host && portLine ? { host, port: Number(portLine) } : undefined }
}

/**
 * Starts PostgreSQL on the cluster in a separate session, so that it neither receives Ctrl-C from the terminal nor ends
 * with this process.
 * @throws StartupError when its socket folder or log cannot be created.
 */
export async function launchPostgres(home: Home, binaries: Binaries): Promise<Launch> {
  const socketFolder = await makeSocketFolder(home)
  const settings = { ...fixedSettings, unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"` }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(home.folder, LOG)
  const log = await open(logFile, 'a', 0o600)
  try {
    if ((await log.stat()).size > maxLogBytes) await log.truncate()
    const logStart = (await log.stat()).size
    const child = spawn(
      join(binaries.folder, 'postgres'),
      ['-D', clusterFolder(home), '-p', String(port), ...options],
      { ...childOptions(home.account), detached: true, stdio: ['ignore', log.fd, log.fd] },
    )
    child.unref()
    return watch(child, async () => (await readFile(logFile)).subarray(logStart).toString('utf8'))
  } finally {
    await log.close()
  }
}

/**
 * The folder of the sockets: beside the cluster, or a short separate folder when the path would not fit in a socket
 * address.
 */
export function socketFolderOf(home: Home): string {
  const beside = join(home.folder, 'socket')
  if (Buffer.byteLength(join(beside, socketName)) <= maxSocketPathBytes) return beside
  const hash = createHash('sha256').update(home.folder).digest('hex').slice(0, 16)
  return join('/tmp', `anteroom-${hash}`)
}

/** What the PostgreSQL of a data folder has written to its log, this time and before; empty where that cannot be read. */
export const readLog = (dataDir: string): Promise<string> =>
  readFile(join(dataDir, 'postgresql', LOG), 'utf8').catch(() => '')

function watch(child: ChildProcess, readLog: () => Promise<string>): Launch {
  const launch = { exited: false, readLog }
  const note = () => {
    launch.exited = true
  }
  child.once('exit', note).once('error', note)
  return launch
}

async function makeSocketFolder(home: Home): Promise<string> {
  const folder = socketFolderOf(home)
  try {
    await mkdir(folder)
    await chmod(folder, 0o700)
    if (home.account) await chown(folder, home.account.uid, home.account.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const expectedOwner = (home.account?.uid ?? process.getuid?.() ?? 0) >>> 0
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== expectedOwner || (found.mode & 0o077) !== 0) {
    throw new StartupError(`The socket folder ${folder} is not a private folder of user id ${expectedOwner}: remove it`)
  }
  return folder
}

async function readLockFile(home: Home): Promise<string> {
  return readFile(join(clusterFolder(home), 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
}

/** Undefined where PostgreSQL finds none either. Source: CreateLockFile() in miscinit.c. */
function pidIn(text = ''): number | undefined {
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

/**
 * Removes the lock files of a cluster that name no process, as a power failure may leave them: PostgreSQL itself does not start with one, and
 * asks a person to remove it. One that is being written names a process soon; a PostgreSQL that still runs is found by its shared memory.
 * Returns whether there was one.
 */
export async function removeNamelessLocks(home: Home): Promise<boolean> {
  const files = [join(clusterFolder(home), 'postmaster.pid'), join(socketFolderOf(home), `${socketName}.lock`)]
  const isNameless = async (file: string) => {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    // A program that uses the cluster alone writes its process id as a negative number.
    return text !== undefined && pidIn(text.replace('-', '')) === undefined
  }
  const areNameless = await Promise.all(files.map(isNameless))
  if (!areNameless.includes(true)) return false
  await delay(WRITTEN_WITHIN_MS)
  for (const [index, file] of files.entries())
    if (areNameless[index] && (await isNameless(file))) await rm(file, { force: true })
  return true
}

async function removeLockFiles(home: Home): Promise<void> {
  await rm(join(clusterFolder(home), 'postmaster.pid'), { force: true })
  await rm(join(socketFolderOf(home), `${socketName}.lock`), { force: true })
}

/** The command line of a process: undefined when it does not run, `unknown` when the system does not show it. */
async function describeProcess(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    } catch (error) {
      return codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH' ? undefined : 'unknown'
    }
  }
  try {
    process.kill(pid, 0)
    return 'unknown'
  } catch {
    return undefined
  }
}
