// Repeated failures are logged once a minute: an outage must not fill the disk with its log.
import type { FastifyBaseLogger } from 'fastify'
import { isConnectionFailure, isTransientDatabaseError } from './database/errors.ts'
import { describeFailure } from './known-failure.ts'

type Line = [message: string, fields?: object]

const LOG_INTERVAL_MS = 60_000

/**
 * Logs at most one line a minute. Of the lines in between, the last one is logged at the end of the minute, with their
 * number.
 */
export function onceAMinute(log: (...line: Line) => void): (...line: Line) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  let waiting: Line | undefined
  let times = 0
  const say = ([message, fields]: Line) => {
    saidAt = performance.now()
    if (times > 1) log(message, { ...fields, times })
    else log(message, ...(fields ? [fields] : []))
    times = 0
  }
  const sayLast = () => {
    const last = waiting
    waiting = undefined
    if (last) say(last)
  }
  return (...line) => {
    times += 1
    const leftMs = saidAt + LOG_INTERVAL_MS - performance.now()
    if (leftMs <= 0 && !waiting) return say(line)
    if (!waiting) setTimeout(sayLast, leftMs).unref()
    waiting = line
  }
}

/** Logs a failure; `about` names its subject, when each subject's failure counts separately. */
export type LogFailure = (message: string, error: unknown, about?: object) => void

/**
 * The failure log of background work. Failures without a subject are logged once a minute per message. Failures with a
 * subject are logged each time, unless the database is unavailable, which says nothing about the subject and affects
 * all of them.
 */
export function createFailureLog(log: FastifyBaseLogger): LogFailure {
  const messages = new Map<string, ReturnType<typeof onceAMinute>>()
  return (message, error, about) => {
    const type = error instanceof Error ? error.name : typeof error
    const fields = { type, ...describeFailure(error), ...about }
    if (about && !isConnectionFailure(error) && !isTransientDatabaseError(error)) return log.error(fields, message)
    const known = messages.get(message) ?? onceAMinute((text, values) => log.warn(values ?? {}, text))
    messages.set(message, known)
    known(message, { type, ...describeFailure(error) })
  }
}
