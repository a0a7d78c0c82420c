import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { backOffMs } from '../../back-off.ts'
import { onceAMinute } from '../../failure-log.ts'
import { StartupError } from '../../startup-error.ts'
import { startAdvice, startFailure } from '../start-failure.ts'
import { chooseAccount, signalAs } from './account.ts'
import { findBinaries } from './binaries.ts'
import { DatabaseGone, ensureCluster, type Meanwhile, readPassword, requireCluster } from './cluster.ts'
import { type Home, isAlive, type Log, openHome, removeUnfinished } from './home.ts'
import { findOwner, isOfAnotherAccount, takeOver } from './owner.ts'
import { findPostmaster, type Launch, launchPostgres, removeNamelessLocks } from './postmaster.ts'
import { RECOVERY_BACK_OFF, STEADY_AFTER_MS } from './recovery.ts'
import {
  applicationConnection,
  asStartupError,
  claimServer,
  type EmbeddedConnection,
  ensureDatabase,
  findServer,
  leave,
  openSession,
} from './session.ts'

export type { EmbeddedConnection } from './session.ts'

interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** A data folder has one server; commands run beside it, or alone. */
  role: 'server' | 'command'
  /** A folder with `bin/`, `lib/` and `share/` of PostgreSQL; default: the npm package of this platform. */
  binaries?: string
  meanwhile?: Meanwhile
}

/** A running PostgreSQL, and this process's use of it. */
export interface Embedded {
  connection: EmbeddedConnection
  /**
   * Ends this process's use; the last process to leave stops PostgreSQL. All pools and clients must be closed before.
   * Never rejects.
   */
  stop(): Promise<void>
}

/** Recovery after a crash may replay a gigabyte of WAL; a healthy start is not given up before this limit. */
const startTimeoutMs = 120_000
/** After this long without an answer the reason is logged for the user. */
const patienceMs = 2_000
/** How long backends of a killed PostgreSQL may keep its memory before a new one stops waiting for them. */
const orphanTimeoutMs = 30_000
const stopTimeoutMs = 20_000
/** A killed server's session ends within milliseconds, or later on a busy machine; one that holds the folder after this and is alive is running. */
const claimTimeoutMs = 1_000
const pollMs = 20
const retryMs = 500

interface Attached {
  session: Client
  connection: EmbeddedConnection
  /** Observed from the first moment: PostgreSQL may be killed again before this process has claimed it. */
  ended: Promise<void>
}

/**
 * Opens the PostgreSQL of a data folder for this process: the one that is running there already (another process's, or
 * one that outlived its killed server), otherwise a new one; the first start creates the cluster. While a server is
 * open, a PostgreSQL that crashes is restarted with the same connection settings, at growing intervals while that fails.
 * When its files are gone it cannot be restarted: this error is thrown uncaught and ends the process.
 * Source: design.md, "What runs".
 * @throws StartupError with one line that explains what to do.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const home = await openHome(resolve(options.dataDir), await chooseAccount(), options.log)
  let attached = await attach(home, options, 'perhaps new')
  let stopping = false
  let recovery: Promise<void> | undefined

  const stopped = new AbortController()
  // A service whose database is gone or was gone: not only for a log of everything.
  const report = onceAMinute((message, fields) => options.log(message, fields, 'warn'))
  let failures = 0
  let attachedAt = Number.NEGATIVE_INFINITY

  const recover = async () => {
    while (!stopping) {
      try {
        if (failures > 0) await delay(backOffMs(RECOVERY_BACK_OFF, failures), undefined, { signal: stopped.signal })
        attached = await attach(home, { ...options, log: () => {} }, 'known')
        attachedAt = performance.now()
        report('The embedded PostgreSQL stopped unexpectedly and was restarted')
        watch()
        return
      } catch (error) {
        if (stopping) return
        if (error instanceof DatabaseGone) throw error
        failures += 1
        const reason = asStartupError(error).message
        report('The embedded PostgreSQL cannot be restarted; retrying', { reason, failures })
      }
    }
  }
  const watch = () => {
    void attached.ended.then(() => {
      if (stopping || options.role !== 'server') return
      failures = performance.now() - attachedAt > STEADY_AFTER_MS ? 0 : failures + 1
      recovery = recover()
    })
  }
  watch()

  const stop = async () => {
    if (stopping) return
    stopping = true
    stopped.abort()
    await recovery?.catch(() => {})
    await detach(attached.session, home, options.log)
  }
  return { connection: attached.connection, stop }
}

/** Whether the cluster exists, or may have to be created. */
type ClusterState = 'known' | 'perhaps new'

async function attach(home: Home, options: EmbeddedOptions, state: ClusterState): Promise<Attached> {
  let attached: Attached | undefined
  try {
    if (state === 'known') await requireCluster(home)
    attached = await joinOrStart(home, options, state)
    await ensureDatabase(attached.session, attached.connection)
    if (options.role === 'server') await claim(attached.session, home)
    // When a command still uses it, the last process to leave stops it, and recovery starts it under the right account.
    if (options.role === 'server' && (await isOfAnotherAccount(home)) && (await leave(attached.session))) {
      await stopPostgres(home, options.log)
      await attached.session.end().catch(() => {})
      return await attach(home, options, 'known')
    }
    return attached
  } catch (error) {
    if (attached) await detach(attached.session, home, options.log)
    throw asStartupError(error)
  }
}

/**
 * Opens a session on the running PostgreSQL, starting one when there is none; of two concurrent starts, one succeeds.
 */
async function joinOrStart(home: Home, options: EmbeddedOptions, state: ClusterState): Promise<Attached> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  let launch: Launch | undefined
  let waitingSince = startedAt
  let said = false
  try {
    while (elapsed() < startTimeoutMs) {
      const postmaster = await findPostmaster(home)
      if (postmaster?.address) {
        const connection = applicationConnection(postmaster.address, await readPassword(home))
        const session = await openSession(connection, options.role)
        if (session) {
          const how = launch && !launch.exited ? 'started' : 'joined'
          options.log(`Embedded PostgreSQL ${how}`, { pid: postmaster.pid, ms: elapsed() })
          return { session, connection, ended: new Promise((resolve) => session.once('end', resolve)) }
        }
      } else if (!postmaster && (!launch || launch.exited)) {
        if (launch) await waitUnlessFatal(launch, home, elapsed())
        launch = await start(home, options, state)
        waitingSince = performance.now()
      }
      if (!said && performance.now() - waitingSince > patienceMs) {
        said = true
        options.log('PostgreSQL is not ready yet, it may be recovering from a crash')
      }
      await delay(pollMs)
    }
  } catch (error) {
    // Nobody uses what this start has launched.
    if (launch && !launch.exited) await stopPostgres(home, options.log)
    throw error
  }
  throw new StartupError(`PostgreSQL in ${home.dataDir} did not start within ${startTimeoutMs / 1_000} seconds`)
}

async function start(home: Home, options: EmbeddedOptions, state: ClusterState): Promise<Launch> {
  await removeUnfinished(home)
  const binaries = await findBinaries(home, options.log, options.binaries)
  if (state === 'known') await requireCluster(home)
  else await ensureCluster(home, binaries, options)
  await takeOver(home, options.log)
  const launch = await launchPostgres(home, binaries)
  options.meanwhile?.('starting')
  return launch
}

/** A start that lost against another one, or found the last backends of a killed PostgreSQL or an empty lock file, is retried. */
async function waitUnlessFatal(launch: Launch, home: Home, elapsedMs: number): Promise<void> {
  const written = await launch.readLog()
  if (/lock file .* already exists|still in use/.test(written) && elapsedMs < orphanTimeoutMs) return delay(retryMs)
  if (/lock file .* is empty|bogus data in lock file/.test(written) && (await removeNamelessLocks(home))) return
  const reason = startFailure(written)
  throw new StartupError(
    `PostgreSQL could not start in ${home.dataDir}: ${reason} (all of it: ${home.folder}/postgresql.log). ${startAdvice(reason, DAMAGED)}`,
  )
}

const DAMAGED = 'If its files are damaged, run anteroom restore with a backup and another DATA_DIR'

/** Our own process id says nothing: in another container another server may have it. */
const isRunning = (pid: number) => pid === process.pid || isAlive(pid)

async function claim(session: Client, home: Home): Promise<void> {
  const startedAt = performance.now()
  while (!(await claimServer(session))) {
    const waitedMs = performance.now() - startedAt
    const pid = waitedMs > claimTimeoutMs ? Number(await findServer(session)) : undefined
    if (pid !== undefined && (isRunning(pid) || waitedMs > startTimeoutMs))
      throw new StartupError(`another anteroom server (pid ${pid || 'unknown'}) already runs on ${home.dataDir}`)
    await delay(pollMs)
  }
}

/** Ends this process's use. Errors are ignored: a lost session has left already. */
async function detach(session: Client, home: Home, log: Log): Promise<void> {
  const isLast = await leave(session).catch(() => false)
  if (isLast) await stopPostgres(home, log)
  await session.end().catch(() => {})
}

/** A fast shutdown: running transactions are rolled back, and everything else is written to disk. */
async function stopPostgres(home: Home, log: Log): Promise<void> {
  const startedAt = performance.now()
  const stopped = await findPostmaster(home)
  if (!stopped) return
  await signalAs(await findOwner(home), 'INT', stopped.pid)
  while (performance.now() - startedAt < stopTimeoutMs) {
    if ((await findPostmaster(home))?.pid !== stopped.pid) {
      log('Embedded PostgreSQL stopped', { ms: Math.round(performance.now() - startedAt) })
      return
    }
    await delay(pollMs)
  }
  log('Embedded PostgreSQL is still stopping', { pid: stopped.pid })
}
