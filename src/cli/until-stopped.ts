import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

/** What is in flight gets this long to finish, then the process ends anyway. */
const CLOSE_LIMIT_MS = 25_000

/** Waits for the start, and closes what was started when the process is told to end. @throws what the start throws. */
export async function untilStopped<T extends { close(): Promise<void> }>(
  starting: Promise<T>,
  logger: Logger,
): Promise<T> {
  // Before the start is over: a signal in between must close what is open by then.
  const grace = closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: false }, async ({ err }) => {
    if (err)
      logger.fatal({ type: err.name, at: err.stack?.split('\n').slice(1, 6) }, 'stopping after an error nobody caught')
    await starting.then(
      (started) => started.close(),
      () => {},
    )
  })
  try {
    return await starting
  } catch (error) {
    // Its own end of the process would hide that the start failed: exit code 0.
    grace.uninstall()
    throw error
  }
}
