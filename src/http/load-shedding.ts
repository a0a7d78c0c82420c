// What is more than this process can hold is refused before anything is read of it (decisions/0015-under-load.md).
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { overloaded } from '../errors.ts'
import { BODY_LIMIT_BYTES } from './body-reader.ts'
import { type Pressure, watchPressure } from './pressure.ts'

export interface LoadLimits {
  /** Requests between their headers and their answer, at a time. */
  requests: number
  /** Bytes of bodies that these may bring into memory together. */
  bodyBytes: number
}

/** Parsed, a body takes up to ten times its bytes; three tenths of the heap are what bodies may take. */
const BODY_SHARE_OF_HEAP = 0.03
/** Whoever has no token may take this share of the requests, so that strangers do not keep clients out. */
const STRANGERS_SHARE = 0.25

interface Admission {
  bytes: number
  isStranger: boolean
  isAnswered: boolean
  isClosed: boolean
}

export function loadLimits(requests: number): LoadLimits {
  return { requests, bodyBytes: Math.floor(getHeapStatistics().heap_size_limit * BODY_SHARE_OF_HEAP) }
}

/**
 * Answers 503 with Retry-After while the limits are reached or the process is under pressure. Routes with `alwaysAnswers` are
 * neither refused nor counted. A request counts until its answer has left and its handler has ended, also when its caller is gone.
 */
export function shedLoad(app: FastifyInstance, limits: LoadLimits, pressure: Pressure = watchPressure()): void {
  const strangersMax = Math.max(1, Math.floor(limits.requests * STRANGERS_SHARE))
  let requests = 0
  let strangers = 0
  let bodyBytes = 0

  const mayEnter = ({ bytes, isStranger }: Admission) =>
    requests < limits.requests &&
    (!isStranger || strangers < strangersMax) &&
    // The longest body that an operation takes must get through alone, however small the heap.
    (bytes === 0 || bodyBytes === 0 || bodyBytes + bytes <= limits.bodyBytes) &&
    !pressure.isHigh()

  const count = ({ bytes, isStranger }: Admission, by: 1 | -1) => {
    requests += by
    strangers += isStranger ? by : 0
    bodyBytes += bytes * by
  }
  const leave = (admission: Admission) => {
    if (admission.isAnswered && admission.isClosed) count(admission, -1)
  }

  app.decorateRequest('admission', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alwaysAnswers) return done()
    const admission = admissionOf(request)
    if (!mayEnter(admission)) return done(overloaded())
    request.admission = admission
    count(admission, 1)
    onClose(reply, () => {
      admission.isClosed = true
      leave(admission)
    })
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { admission } = request
    if (admission && !admission.isAnswered) {
      admission.isAnswered = true
      leave(admission)
    }
    done()
  })
  app.addHook('onClose', async () => pressure.stop())
}

const onClose = (reply: FastifyReply, act: () => void) => reply.raw.once('close', act)

function admissionOf(request: FastifyRequest): Admission {
  const { access, streamsBody } = request.routeOptions.config
  return {
    bytes: streamsBody ? 0 : announcedBytes(request),
    isStranger: access !== 'client',
    isAnswered: false,
    isClosed: false,
  }
}

/** What the body may bring into memory: beyond the limit of its route it is thrown away as it comes. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const limit = routeOptions.bodyLimit ?? BODY_LIMIT_BYTES
  if (headers['transfer-encoding'] !== undefined) return limit
  return Math.min(Number(headers['content-length'] ?? 0), limit)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers whatever the load: whoever watches the service must be able to tell that it is alive. */
    alwaysAnswers?: boolean
    /** The body goes to a file as it comes, and never into memory as a whole. */
    streamsBody?: boolean
  }
  interface FastifyRequest {
    admission: Admission | null
  }
}
