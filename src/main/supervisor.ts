// `serve --workers N`: one command that uses the whole machine (decisions/0035-several-processes.md). This process
// answers no requests. It runs the embedded database, opens the ports, starts the processes that answer, restarts a
// process that ends, and passes SIGHUP on where a certificate is to be read again.
import cluster, { type Worker as Member } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import { type Config, requireProductionSettings } from '../config.ts'
import { type BackOff, backOffMs } from '../platform/back-off.ts'
import { answerMetricsQuestions, gatherMetrics } from '../platform/metrics/gather-metrics.ts'
import { StartupError } from '../platform/startup-error.ts'
import { refuseLostDatabase } from './existing-data.ts'
import { requireFreePorts } from './free-ports.ts'
import { openConnection } from './open-database.ts'
import { openMetrics } from './open-metrics.ts'
import { type RunningServer, startServer } from './server.ts'

/** The data that a process sends to the supervisor once it answers. */
export interface Welcome extends Pick<RunningServer, 'url' | 'coreUrl' | 'firstClient' | 'firstUser'> {
  sandboxUrl: string | undefined
}

interface RunningProcesses extends Welcome {
  close(): Promise<void>
}

/** A process that fails at every start must not take all of the machine's time. */
const START_AGAIN: BackOff = { firstMs: 100, longestMs: 30_000 }
/** A process that has answered for this long did not fail at its start. */
const STEADY_AFTER_MS = 60_000

/**
 * Starts the service as `count` processes; once `stopping` is aborted it restarts none. `onFirst` is called when the
 * first one answers.
 * @throws StartupError when one of them does not start; the others are ended.
 */
export async function startProcesses(
  config: Config,
  logger: Logger,
  { count, stopping, onFirst }: { count: number; stopping: AbortSignal; onFirst(welcome: Welcome): void },
): Promise<RunningProcesses> {
  requireProductionSettings(config)
  refuseLostDatabase(config)
  await requireFreePorts(config)
  // Each process accepts connections itself. Handing them over takes several times the work, one after the other, also where a process is busy or full.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const gathered = gatherMetrics()
  const metricsServer = await openMetrics(config, gathered, logger)
  const connection = await openConnection(config, logger, 'server').catch(async (error) => {
    await metricsServer?.close()
    throw error
  })
  const members = keepMembers({ logger, stopping, onWelcome: (member) => gathered.add(member) })
  if (config.TLS_CERT_FILE !== undefined) process.on('SIGHUP', members.passOn)
  const close = async () => {
    process.off('SIGHUP', members.passOn)
    await members.end()
    await metricsServer?.close()
    await connection.close()
  }

  try {
    // The first process migrates the database and creates the keys and the first client, as a single one would.
    const welcome = await members.start()
    onFirst(welcome)
    await Promise.all(Array.from({ length: count - 1 }, members.start))
    return { ...welcome, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Members {
  /** Starts one more, which is replaced whenever it ends. @throws StartupError when it ends before it answers. */
  start(): Promise<Welcome>
  /** Passes SIGHUP on to those that answer. */
  passOn(): void
  end(): Promise<void>
}

/** The processes that answer. `onWelcome` is called when one begins to; once `stopping` is aborted none is replaced. */
function keepMembers({
  logger,
  stopping,
  onWelcome,
}: {
  logger: Logger
  stopping: AbortSignal
  onWelcome(member: Member): void
}): Members {
  const members = new Set<Member>()
  const answering = new Set<Member>()
  let failures = 0

  async function start(): Promise<Welcome> {
    const member = cluster.fork()
    members.add(member)
    const pid = member.process.pid
    const ended = new Promise<string>((resolve) =>
      member.once('exit', (code, signal) => resolve(signal || `code ${code}`)),
    )
    member.on('error', (error) =>
      logger.warn({ process: pid, type: error.name }, 'a process of the service cannot be reached'),
    )
    const welcome = await Promise.race([once(member, 'message'), ended])
    if (typeof welcome === 'string') {
      members.delete(member)
      throw new StartupError('a process of the service did not start: see the line above')
    }
    onWelcome(member)
    answering.add(member)
    const startedAt = performance.now()
    void ended.then((by) => {
      members.delete(member)
      answering.delete(member)
      if (stopping.aborted) return
      failures = performance.now() - startedAt > STEADY_AFTER_MS ? 0 : failures + 1
      logger.error({ process: pid, by }, 'a process of the service ended and is restarted')
      replace()
    })
    return welcome[0] as Welcome
  }

  function replace(): void {
    const startAgain = () => {
      if (stopping.aborted) return
      start().catch(() => {
        failures += 1
        logger.error({ failures }, 'a process of the service cannot be restarted; retrying')
        replace()
      })
    }
    setTimeout(startAgain, failures === 0 ? 0 : backOffMs(START_AGAIN, failures)).unref()
  }

  return {
    start,
    passOn() {
      // Before it answers, a process has no certificate to read again.
      for (const member of answering) member.process.kill('SIGHUP')
    },
    async end() {
      await Promise.all([...members].map(endMember))
    },
  }
}

/** Stops a process, which first finishes its accepted work within its time limits. */
async function endMember(member: Member): Promise<void> {
  if (member.isDead()) return
  const ended = once(member, 'exit')
  member.process.kill('SIGTERM')
  await ended
}

/** Runs as one of `count` processes, which share the limits of the settings. */
export async function startMember(
  config: Config,
  logger: Logger,
  { count, stopping }: { count: number; stopping: AbortSignal },
): Promise<RunningServer> {
  const share = (places: number) => (places === 0 ? 0 : Math.max(1, Math.floor(places / count)))
  const own: Config = {
    ...config,
    // The supervisor serves the metrics of all processes.
    METRICS_PORT: undefined,
    WORKER_CONCURRENCY: share(config.WORKER_CONCURRENCY),
    CLEARINGHOUSE_MAX_CONCURRENCY: share(config.CLEARINGHOUSE_MAX_CONCURRENCY),
  }
  const server = await startServer(own, logger, { stopping, role: 'command', processes: count })
  answerMetricsQuestions(server.metrics.registry)
  return server
}

/** Notifies the supervisor that this process answers. */
export function announce({ url, coreUrl, sandbox, firstClient, firstUser }: RunningServer): void {
  const welcome: Welcome = { url, coreUrl, sandboxUrl: sandbox?.url, firstClient, firstUser }
  process.send?.(welcome)
}
