import { readConfig } from '../../config.ts'
import { createLogger } from '../server.ts'
import { startWorkerProcess } from '../worker.ts'
import { print } from './output.ts'
import { logDestination } from './terminal-log.ts'
import { untilStopped } from './until-stopped.ts'

export async function worker(): Promise<void> {
  const config = readConfig()
  const logger = createLogger(config, await logDestination(config))
  await untilStopped((stopping) => startWorkerProcess(config, logger, stopping), { config, logger })
  print(`Anteroom works on ${config.WORKER_CONCURRENCY} checks at a time`)
}
