import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../../../config.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import { stopLimits } from '../../../platform/stop-limits.ts'
import type { Log } from './open-log.ts'

/** npm and shells deliver one Ctrl-C twice; a person takes longer than this to press it again. */
const SAME_KEY_MS = 1_000
/** Signals that ask a process to end. close-with-grace would end it at the second one, whatever is in flight. */
const REQUESTS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR2'] as const

/**
 * Starts something, and closes it when the process receives a signal to end. The signal passed to `start` is aborted at
 * that moment, also while it is still starting. Further signals change nothing, but a second Ctrl-C ends the process at
 * once. With a certificate SIGHUP asks to read it again (tls.ts), and not to end. decisions/0161-what-faults-showed.md
 * @throws the error of the start.
 */
export async function untilStopped<T extends { close(): Promise<void> }>(
  start: (stopping: AbortSignal) => Promise<T>,
  { config, log: { logger, close: closeLog } }: { config: Config; log: Log },
): Promise<T> {
  const stopping = new AbortController()
  const starting = start(stopping.signal)
  const { processMs } = stopLimits(config)
  // Registered before the start has finished: a signal in between must close what is open by then.
  const grace = closeWithGrace({ delay: processMs, logger: false, skip: [...REQUESTS] }, async ({ err }) => {
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
  const release = onSignals(grace.close, { logger, reloads: config.TLS_CERT_FILE !== undefined })
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

/**
 * Ends the process at the first of these signals, and not at a further one: a payer's answer would be lost, and a terminal that closes and
 * systemd (SendSIGHUP) send several. `reloads`: SIGHUP has another meaning.
 */
function onSignals(close: () => void, { logger, reloads }: { logger: Logger; reloads: boolean }): () => void {
  let since: number | undefined
  function receive(signal: NodeJS.Signals): void {
    // Without a listener it would end the process.
    if (signal === 'SIGHUP' && reloads) return
    if (since === undefined) {
      since = performance.now()
      close()
    } else if (signal !== 'SIGINT') logger.info('stopping already')
    else if (performance.now() - since > SAME_KEY_MS) process.exit(130)
  }
  for (const signal of REQUESTS) process.on(signal, receive)
  return () => {
    for (const signal of REQUESTS) process.off(signal, receive)
  }
}
