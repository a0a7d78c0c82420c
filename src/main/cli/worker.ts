import { readServiceSettings } from '../service-settings.ts'
import { startWorkerProcess } from '../worker.ts'
import { warnOfIgnored } from './config.ts'
import { openLog } from './program/open-log.ts'
import { print } from './program/output.ts'
import { untilStopped } from './program/until-stopped.ts'

export async function worker(): Promise<void> {
  const config = await readServiceSettings()
  const log = await openLog(config)
  warnOfIgnored(log.logger, config)
  await untilStopped((stopping) => startWorkerProcess(config, log.logger, stopping), { config, log })
  print(`Anteroom works on ${config.WORKER_CONCURRENCY} checks at a time`)
}
