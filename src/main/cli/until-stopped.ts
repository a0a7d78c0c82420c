import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { stopLimits } from '../../platform/stop-limits.ts'
import type { Log } from './open-log.ts'

/** npm and shells deliver one Ctrl-C twice; a person takes longer than this to press it again. */
const SAME_KEY_MS = 1_000

/**
 * Starts something, and closes it when the process receives a signal to end. The signal passed to `start` is aborted at
 * that moment, also while it is still starting. A second SIGTERM changes nothing; a second Ctrl-C ends the process at
 * once.
 * @throws the error of the start.
 */
export async function untilStopped<T extends { close(): Promise<void> }>(
  start: (stopping: AbortSignal) => Promise<T>,
  { config, log: { logger, close: closeLog } }: { config: Config; log: Log },
): Promise<T> {
  const stopping = new AbortController()
  const starting = start(stopping.signal)
  const { processMs } = stopLimits(config)
  const options = { delay: processMs, logger: false, skip: ['SIGTERM', 'SIGINT'] } as const
  // Registered before the start has finished: a signal in between must close what is open by then.
  const grace = closeWithGrace({ ...options, skip: [...options.skip] }, async ({ err }) => {
    stopping.abort()
    // An uncaught StartupError is still written for a person.
    if (err instanceof StartupError) logger.fatal(`stopping: ${err.message}`)
    else if (err)
      logger.fatal({ type: err.name, at: err.stack?.split('\n').slice(1, 6) }, 'stopping after an uncaught error')
    await starting.then(
      (started) => started.close(),
      () => {},
    )
    await closeLog()
  })
  const release = onSignals(grace.close, logger)
  try {
    return await starting
  } catch (error) {
    // close-with-grace would end the process with exit code 0 and hide that the start failed.
    grace.uninstall()
    release()
    await closeLog()
    throw error
  }
}

/** close-with-grace ends the process at the second signal, even with work in flight: a payer's answer would be lost. */
function onSignals(close: () => void, logger: Logger): () => void {
  let since: number | undefined
  const first = () => {
    since = performance.now()
    close()
  }
  const terminate = () => (since === undefined ? first() : logger.info('stopping already'))
  const interrupt = () => {
    if (since === undefined) first()
    else if (performance.now() - since > SAME_KEY_MS) process.exit(130)
  }
  process.on('SIGTERM', terminate).on('SIGINT', interrupt)
  return () => process.off('SIGTERM', terminate).off('SIGINT', interrupt)
}
