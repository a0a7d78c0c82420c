import type { FastifyReply } from 'fastify'

/** Aborted when the connection of a reply closes: nobody waits for it any more. */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
