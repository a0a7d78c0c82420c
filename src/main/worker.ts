import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { type Config, requireProductionSettings } from '../config.ts'
import type { Deps } from '../deps.ts'
import { lateChecks } from '../eligibility/checks/answer-check.ts'
import { startCheckWorker } from '../eligibility/checks/check-worker.ts'
import { startMessageRetention } from '../eligibility/checks/message-retention.ts'
import { visitLeases } from '../eligibility/verification/claim-visits.ts'
import { startVerification } from '../eligibility/verification/start-verification.ts'
import { startPruning } from '../events/prune.ts'
import { watchClock } from '../platform/database/leases/set-back-clock.ts'
import { startMerging } from '../platform/database/merge-index-entries.ts'
import { StartupError } from '../platform/startup-error.ts'
import { lateDeliveries } from '../webhooks/delivery-store.ts'
import { startDispatcher } from '../webhooks/dispatcher.ts'
import { subjectReaders } from './events.ts'
import { openMetrics } from './open-metrics.ts'
import { openService } from './service.ts'

interface Worker {
  /** From now on nothing new is started. */
  takeNoMore(): void
  /** Finishes or hands back the work that was started. */
  close(): Promise<void>
}

/**
 * The background work of this process: the check queue, the verification of visits, webhooks, pruning, and the merge of new
 * index entries. With WORKER_CONCURRENCY 0 there is none.
 */
export function startWorker(deps: Deps, log: FastifyBaseLogger, stopping: AbortSignal): Worker {
  const concurrency = deps.config.WORKER_CONCURRENCY
  if (concurrency === 0) return { takeNoMore() {}, close: async () => {} }
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping, ending.signal])
  const checks = startCheckWorker(deps, { concurrency, log, signal })
  const verification = startVerification(deps, { log, signal })
  const webhooks = startDispatcher(deps, { log, signal, readers: subjectReaders })
  const lateWork = [lateChecks(deps.config), visitLeases.late(), ...lateDeliveries]
  const periodicJobs = [
    startMessageRetention(deps, log),
    startPruning(deps, log),
    startMerging(deps.systemDatabase, log),
    watchClock(deps, lateWork, log),
  ]
  const stopListening = deps.queue.listen(() => checks.wake())
  return {
    takeNoMore: () => ending.abort(),
    async close() {
      ending.abort()
      stopListening()
      for (const job of periodicJobs) job.stop()
      await Promise.all([checks.stop(), verification.stop(), webhooks.stop()])
    },
  }
}

/**
 * A process that does background work only, beside a server on the same database.
 * @throws StartupError; what was opened until then is closed again.
 */
export async function startWorkerProcess(config: Config, logger: Logger, stopping: AbortSignal): Promise<Worker> {
  requireProductionSettings(config)
  if (config.WORKER_CONCURRENCY === 0) throw new StartupError('WORKER_CONCURRENCY is 0: a worker would process nothing')
  // On an embedded database it needs a server: alone it would wait forever on an empty folder. A shared database may be
  // as new as its servers.
  const data = config.DATABASE_URL === undefined ? 'existing' : 'existing or new'
  const service = await openService(config, logger, { role: 'command', data })
  const { deps } = service.value
  deps.audit.startSweeping()
  const worker = startWorker(deps, logger, stopping)
  const metrics = await openMetrics(config, deps.metrics.registry, logger).catch(async (error) => {
    await worker.close()
    await service.close()
    throw error
  })
  return {
    takeNoMore: worker.takeNoMore,
    async close() {
      await worker.close()
      await metrics?.close()
      await service.close()
    },
  }
}
