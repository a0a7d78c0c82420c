import type { FastifyReply } from 'fastify'

/** Aborted when the connection of a reply closes, because no caller waits for the answer then. */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
