import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { startCheckWorker } from './checks/check-worker.ts'
import { startMessageRetention } from './checks/message-retention.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { openService } from './service.ts'
import { StartupError } from './startup-error.ts'
import { startVerification } from './verification/start-verification.ts'

export interface Worker {
  /** Finishes or gives back what was begun. */
  close(): Promise<void>
}

/** Everything that runs by itself, inside this process: the queue of checks, the verification of visits, what is to be forgotten. With WORKER_CONCURRENCY 0 nothing does. */
export function startWorker(deps: Deps, log: FastifyBaseLogger): Worker {
  const concurrency = deps.config.WORKER_CONCURRENCY
  if (concurrency === 0) return { close: async () => {} }
  const checks = startCheckWorker(deps, { concurrency, log })
  const retention = startMessageRetention(deps, log)
  const verification = startVerification(deps, { log })
  deps.wakeWorkers = checks.wake
  return {
    async close() {
      retention.stop()
      await Promise.all([checks.stop(), verification.stop()])
    },
  }
}

/**
 * A process that does nothing else, beside a server on the same database.
 * @throws StartupError; what was opened until then is closed again.
 */
export async function startWorkerProcess(config: Config, logger: Logger): Promise<Worker> {
  if (config.WORKER_CONCURRENCY === 0) throw new StartupError('WORKER_CONCURRENCY is 0: a worker would do nothing')
  const service = await openService(config, logger, 'command')
  const { deps } = service.value
  deps.audit.startSweeping()
  const worker = startWorker(deps, logger)
  return {
    async close() {
      await worker.close()
      await service.close()
    },
  }
}
