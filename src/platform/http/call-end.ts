import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type AtEnd = (request: FastifyRequest, reply: FastifyReply) => void

const hooks = new WeakMap<FastifyInstance, AtEnd[]>()

/**
 * Calls `atEnd` once for every call: when its answer has been handed to the connection, or the connection has closed and its handler
 * has ended. Fastify's own `onResponse` is not run for a caller who leaves before the last byte of its answer.
 */
export function atCallEnd(app: FastifyInstance, atEnd: AtEnd): void {
  const own = hooks.get(app)
  if (own) own.push(atEnd)
  else {
    const all = [atEnd]
    hooks.set(app, all)
    watchEnds(app, all)
  }
}

type Stage = 'handled' | 'answered' | 'ended'

function watchEnds(app: FastifyInstance, all: readonly AtEnd[]): void {
  app.decorateRequest('stage', 'handled')

  function end(request: FastifyRequest, reply: FastifyReply) {
    if (request.stage === 'ended') return
    request.stage = 'ended'
    for (const atEnd of all) atEnd(request, reply)
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.stage === 'answered' || reply.sent) end(request, reply)
    })
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.stage === 'handled') request.stage = 'answered'
    // The other hooks look at the answer first.
    if (reply.raw.closed) setImmediate(() => end(request, reply))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    end(request, reply)
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the call has no answer yet, has one that is being sent, or is over. */
    stage: Stage
  }
}
