import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Waiter } from '../database/connections/while-waited-for.ts'

/** What the log, the trail and the metrics state for a call whose caller left before there was an answer; nobody receives it. */
export const CALLER_GONE_STATUS = 499

export class CallerGone extends Error {
  override readonly name = 'CallerGone'

  constructor() {
    super('the caller has closed the connection')
  }
}

/** Aborted with `CallerGone` when the connection of a reply closes before its answer was sent. */
export function untilClosed({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (hasLeft(raw)) gone.abort(new CallerGone())
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return gone.signal
}

/** The caller of a call, as long as it waits for the answer. */
export class WaitingCaller implements Waiter {
  readonly #raw: ServerResponse
  #gone: AbortSignal | undefined

  constructor({ raw }: FastifyReply) {
    this.#raw = raw
  }

  get isGone(): boolean {
    return hasLeft(this.#raw)
  }

  /** Created when it is first needed: a read by key does not need it. */
  get gone(): AbortSignal {
    this.#gone ??= untilClosed({ raw: this.#raw })
    return this.#gone
  }

  throwIfGone(): void {
    if (this.isGone) throw new CallerGone()
  }
}

const hasLeft = (raw: ServerResponse) => raw.closed && !raw.writableFinished
