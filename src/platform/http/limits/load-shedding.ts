// Requests beyond the capacity of this process are refused before their body is read (decisions/0015-under-load.md),
// and the capacity is shared fairly (decisions/0019-fairness.md).
import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { overloaded } from '../../../contract/errors.ts'
import { BODY_LIMIT_BYTES } from '../body-reader.ts'
import { callerSite } from '../caller-address.ts'
import { CallerGone } from '../caller-gone.ts'
import { type Admission, createAdmissions, type LoadLimits } from './admissions.ts'
import { type Pressure, watchPressure } from './pressure.ts'

/** A parsed body takes up to ten times its bytes; bodies may take three tenths of the heap. */
const BODY_SHARE_OF_HEAP = 0.03
/** An answer that its caller does not read takes about its bytes, partly outside of the heap. */
const ANSWER_SHARE_OF_HEAP = 0.1
/** On a small heap: the answers of a desk that opens many pages at once over a slow line. */
const ANSWERS_AT_LEAST_BYTES = 64 * 1024 * 1024
/**
 * A stream of texts keeps up to eight parts of about a megabyte (answer-stream.ts): rows and their text in the list and in the audit trail, and bytes in
 * the socket. Measured: 8 MB for each of 60 callers who read nothing.
 */
const TEXT_STREAM_BYTES = 8 * 1024 * 1024

/** The limits of a process that accepts this many requests; the bytes are shares of its largest heap. */
export function loadLimits(requests: number): LoadLimits {
  const { heap_size_limit: heap } = getHeapStatistics()
  return {
    requests,
    bodyBytes: Math.floor(heap * BODY_SHARE_OF_HEAP),
    answerBytes: Math.max(ANSWERS_AT_LEAST_BYTES, Math.floor(heap * ANSWER_SHARE_OF_HEAP)),
  }
}

/**
 * Answers 503 with Retry-After while there is no room or the process is under pressure. Routes with `alwaysAnswers` are
 * neither refused nor counted. A request counts until its response was sent and its handler has ended, also when its
 * caller has disconnected. Known clients count for their organization from the start, all others for their address
 * until `admitAsClient`.
 */
export function shedLoad(app: FastifyInstance, limits: LoadLimits, pressure: Pressure = watchPressure()): void {
  const admissions = createAdmissions(limits)

  app.decorateRequest('admission', null)
  app.decorateRequest('admitAsClient', function admitAsClient(this: FastifyRequest) {
    const { admission, actor } = this
    if (!admission?.isStranger) return undefined
    return admissions.become(admission, actor.organizationId) ? undefined : overloaded()
  })
  app.decorateRequest('leaveAdmission', function leaveAdmission(this: FastifyRequest) {
    if (this.admission) admissions.leave(this.admission)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.alwaysAnswers) return done()
    // An earlier hook may have waited; the close below would be missed.
    if (reply.raw.closed) return done(new CallerGone())
    const admission = admissionOf(request)
    const isTooMuch = pressure.isHigh() || (pressure.isLate() && !admissions.isOfLight(admission))
    if (isTooMuch || !admissions.enter(admission)) return done(overloaded())
    request.admission = admission
    reply.raw.once('close', () => {
      admission.isCallerGone = true
      // Work that was started continues, even when the caller disconnects and retries.
      if (admission.phase !== 'working' || admission.isStreaming) admissions.leave(admission)
    })
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { admission } = request
    done(!admission || admissions.begin(admission) ? undefined : overloaded())
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    done()
    const { admission } = request
    if (!admission) return
    if (admission.isCallerGone) admissions.leave(admission)
    // A streamed response is produced while it is sent, so the work lasts until its end.
    else if (payload instanceof Readable) {
      admission.isStreaming = true
      admissions.stream(admission, bytesAhead(payload))
    } else admissions.depart(admission, bytesOf(payload))
  })
  app.addHook('onClose', async () => pressure.stop())
}

interface CountedAdmission extends Admission {
  isCallerGone: boolean
  isStreaming: boolean
}

function admissionOf(request: FastifyRequest): CountedAdmission {
  const { countsFor, raw } = request
  return {
    sharer: countsFor ?? callerSite(request.ip),
    isStranger: countsFor === undefined,
    bytes: announcedBytes(request),
    phase: isComplete(request) ? 'working' : 'arriving',
    cutOff: () => raw.socket.destroy(),
    isCallerGone: false,
    isStreaming: false,
  }
}

function isComplete({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

const bytesOf = (payload: unknown) =>
  typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0

/** What a stream holds in memory: the stream of a file has a buffer, and the socket another. */
const bytesAhead = (stream: Readable) =>
  stream.readableObjectMode ? TEXT_STREAM_BYTES : 2 * stream.readableHighWaterMark

/** The bytes that the body may bring into memory: beyond the limit of its route it is discarded while it arrives. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.config.streamsBody) return 0
  const limit = routeOptions.bodyLimit ?? BODY_LIMIT_BYTES
  if (headers['transfer-encoding'] !== undefined) return limit
  return Math.min(Number(headers['content-length'] ?? 0), limit)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers under any load: monitoring must be able to tell that the service is alive. */
    alwaysAnswers?: boolean
    /** The body is written to a file while it arrives, and is never held in memory in full. */
    streamsBody?: boolean
  }
  interface FastifyRequest {
    admission: CountedAdmission | null
    /**
     * From now on the request counts for the organization of its actor. Returns the refusal when that organization has
     * no room.
     */
    admitAsClient(): Error | undefined
    /** From now on the request is not counted: its response stays open, and is limited elsewhere. */
    leaveAdmission(): void
  }
}
