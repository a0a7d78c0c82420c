import type { FastifyBaseLogger } from 'fastify'
import { createFailureLog } from './failure-log.ts'

interface Repetition {
  everyMs: number
  /** What is logged when it fails, such as `old events could not be deleted`. */
  failure: string
  log: FastifyBaseLogger
}

/** A process that is restarted more often than its work is due does it as well, and not while it starts. */
const FIRST_AFTER_MS = 60_000

/**
 * Repeats background work of this process, never twice at a time. The first time is after `everyMs`, a minute at most, or when `now` is called.
 * What fails is logged and repeated, but not logged after `stop`, which closes the connections that it uses.
 */
export function repeat(work: () => Promise<unknown>, { everyMs, failure, log }: Repetition) {
  const logFailure = createFailureLog(log)
  let isUnderWay = false
  let isStopped = false
  const now = async (): Promise<void> => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await work()
    } catch (error) {
      if (!isStopped) logFailure(failure, error)
    } finally {
      isUnderWay = false
    }
  }
  const first = everyMs > FIRST_AFTER_MS ? setTimeout(now, FIRST_AFTER_MS).unref() : undefined
  const timer = setInterval(now, everyMs).unref()
  const stop = () => {
    isStopped = true
    clearTimeout(first)
    clearInterval(timer)
  }
  return { now, stop }
}
