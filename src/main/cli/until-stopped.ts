import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { stopLimits } from '../../platform/stop-limits.ts'

/** npm and shells hand one Ctrl-C on twice; a person who presses it again takes longer than this. */
const SAME_KEY_MS = 1_000

/**
 * Starts something, and closes it when the process is told to end. `start` is told at that very moment, also while it is still
 * starting. A second SIGTERM changes nothing; a second Ctrl-C ends the process at once. @throws what the start throws.
 */
export async function untilStopped<T extends { close(): Promise<void> }>(
  start: (stopping: AbortSignal) => Promise<T>,
  { config, logger }: { config: Config; logger: Logger },
): Promise<T> {
  const stopping = new AbortController()
  const starting = start(stopping.signal)
  const { processMs } = stopLimits(config)
  const options = { delay: processMs, logger: false, skip: ['SIGTERM', 'SIGINT'] } as const
  // Before the start is over: a signal in between must close what is open by then.
  const grace = closeWithGrace({ ...options, skip: [...options.skip] }, async ({ err }) => {
    stopping.abort()
    // Thrown where nobody waits for it, it is still written for a person.
    if (err instanceof StartupError) logger.fatal(`stopping: ${err.message}`)
    else if (err)
      logger.fatal({ type: err.name, at: err.stack?.split('\n').slice(1, 6) }, 'stopping after an error nobody caught')
    await starting.then(
      (started) => started.close(),
      () => {},
    )
  })
  const release = onSignals(grace.close, logger)
  try {
    return await starting
  } catch (error) {
    // Its own end of the process would hide that the start failed: exit code 0.
    grace.uninstall()
    release()
    throw error
  }
}

/** close-with-grace ends the process at the second signal, whatever is in flight: a payer's answer would be lost. */
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
