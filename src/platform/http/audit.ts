// Every call of an operation leaves one event in the audit trail and one line in the log. Source: 45 CFR 164.312(b);
// decisions/0013-audit-trail.md
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { type Addresses, recordsOf } from '../audit/addressed.ts'
import type { StoredAuditEvent } from '../audit/event.ts'
import { type Clues, cluesIn, patientsIn } from '../audit/patients.ts'
import type { NotedEvent } from '../audit/trail.ts'
import { streamToReader } from './answer-stream.ts'

/** What an answer has shown, as far as it has gone out. */
interface Shown extends Clues {
  patientIds: string[]
  errorName?: string
  /** Of a refusal: whether it shows something of the record in the address, which is its latest version. */
  isOfAddressed?: boolean
}

/**
 * Gives every call its audit context, which every write of the call leaves in the trail, and notes those that wrote nothing, refusals
 * and reads, with the patients that an answer showed. Calls are refused with 503 while nothing can be noted.
 * It comes before authentication, whose refusals are events too.
 * Neither in the trail nor in the log is a body, a query or an address as the client wrote it: an MRN is a path parameter here.
 */
export function auditRequests(app: FastifyInstance, { audit, now }: Pick<Deps, 'audit' | 'now'>): void {
  const process = randomBytes(6).toString('base64url')
  let calls = 0
  app.decorateRequest('shown')

  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined) return done()
    if (audit.isFull(request.actor?.organizationId)) return done(cannotNote())
    const auditContext = { operation, requestId: `${process}-${++calls}`, address: request.ip, isWritten: false }
    request.auditContext = auditContext
    done()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const { auditContext, actor } = request
    if (!auditContext || !actor) return done()
    // Only now is it known whose call it is, where the token had to be verified.
    if (audit.isFull(actor.organizationId)) return done(cannotNote())
    request.actor = { ...actor, auditContext }
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { auditContext } = request
    if (auditContext === undefined) return done()
    if (payload instanceof Readable && isJson(reply)) {
      const show = (part: string) => {
        if (audit.isFull(request.actor?.organizationId)) throw cannotNote()
        request.shown = look(request, reply, part)
        audit.note(request.actor?.organizationId, noted(request, reply, now()))
        request.shown = nothingShown()
        // What whoever makes the answer has told by now is noted with this part, and not again with each that follows.
        delete auditContext.shown
        delete auditContext.shownMrns
      }
      return done(null, streamToReader(shownParts(payload, show)))
    }
    if (reply.statusCode < 400 && (auditContext.isWritten || auditContext.shown)) return done()
    if (typeof payload === 'string') request.shown = look(request, reply, payload)
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    done()
    writeLine(request, reply)
    const { auditContext, actor } = request
    if (auditContext === undefined) return
    if (!auditContext.isWritten || reply.statusCode >= 400) {
      audit.note(actor?.organizationId ?? request.attemptedUser?.organizationId, noted(request, reply, now()))
    } else if (actor) audit.expect(actor.organizationId)
  })
}

const cannotNote = () => unavailable('the audit trail cannot be written right now')

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')

const nothingAddressed: Addresses = {}

const nothingShown = (): Shown => ({ patientIds: [], mrns: [], recordIds: [] })

function look(request: FastifyRequest, reply: FastifyReply, text: string): Shown {
  const shown = nothingShown()
  if (reply.statusCode < 400) {
    add(shown, text, request.routeOptions.config.answersPatients === true)
    return shown
  }
  // A refusal may show others: whom a new patient would double.
  add(shown, text, false)
  const errorName = /"errorName":"(\w+)"/.exec(text)?.[1]
  if (errorName !== undefined) shown.errorName = errorName
  shown.isOfAddressed = /"latest_version":/.test(text)
  return shown
}

/** Adds whom a part of an answer shows. */
function add(shown: Shown, text: string, isOfPatients: boolean): void {
  shown.patientIds.push(...patientsIn(text, isOfPatients))
  if (isOfPatients) return
  const { mrns, recordIds } = cluesIn(text)
  shown.mrns.push(...mrns)
  shown.recordIds.push(...recordIds)
}

/**
 * A long list goes out in parts, each of whole items. What a part shows is an event of its own, noted before the part leaves: a caller may
 * take some parts and hang up, and one event would hold the patients of a whole organization.
 */
async function* shownParts(parts: Readable, show: (part: string) => void): AsyncGenerator<string> {
  for await (const part of parts as AsyncIterable<string>) {
    show(part)
    yield part
  }
}

/** Every call comes by here: fields are set one by one, as spreading objects into one another costs more than all the rest of it. */
function noted(request: FastifyRequest, reply: FastifyReply, at: Date): NotedEvent {
  const { auditContext, actor, shown } = request
  const { record, clues: addressed } = recordsOf(request.routeOptions.config.addresses ?? nothingAddressed, request)
  const event: StoredAuditEvent = { at: at.toISOString(), operation: auditContext?.operation ?? '' }
  const clientId = actor ? actor.clientId : claimedClient(request)
  if (clientId !== undefined) event.client_id = clientId
  const userId = actor?.userId ?? request.attemptedUser?.userId
  if (userId !== undefined) event.user_id = userId
  event.address = auditContext?.address ?? ''
  event.status = reply.statusCode
  if (shown?.errorName !== undefined) event.error_name = shown.errorName
  event.request_id = auditContext?.requestId ?? ''
  if (record) {
    event.record_type = record.record_type
    event.record_ids = record.record_ids
  }
  const isSuccess = reply.statusCode < 400
  const patientIds = new Set((isSuccess && auditContext?.shown) || shown?.patientIds)
  if (patientIds.size > 0) event.patient_ids = [...patientIds]
  if (!actor) return { event }
  // Who is named is who was shown: what a caller asked for counts where something of it came back.
  const isAddressedShown = isSuccess || shown?.isOfAddressed === true
  const clues = cluesOf(
    shown,
    isSuccess ? auditContext?.shownMrns : undefined,
    isAddressedShown ? addressed : undefined,
  )
  clues.recordIds = clues.recordIds.filter((id) => !patientIds.has(id))
  return clues.mrns.length + clues.recordIds.length > 0 ? { event, clues } : { event }
}

function cluesOf(shown: Clues | undefined, mrns: string[] = [], addressed: Clues | undefined): Clues {
  return {
    mrns: [...mrns, ...(shown?.mrns ?? []), ...(addressed?.mrns ?? [])],
    recordIds: [...(shown?.recordIds ?? []), ...(addressed?.recordIds ?? [])],
  }
}

/** Whom a request for a token says to be. */
function claimedClient({ body }: FastifyRequest): string | undefined {
  const claimed = (body as { client_id?: unknown } | null | undefined)?.client_id
  return typeof claimed === 'string' && isUuid(claimed) ? claimed.toLowerCase() : undefined
}

function writeLine(request: FastifyRequest, reply: FastifyReply): void {
  const { operation } = request.routeOptions.config
  const id = (request.params as { id?: string } | undefined)?.id
  request.log.info({
    operation: operation ?? 'unknown',
    method: request.method,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    record: id !== undefined && isUuid(id) ? id : undefined,
    organization: request.actor?.organizationId,
    client: request.actor?.clientId,
    user: request.actor?.sessionId === undefined ? undefined : request.actor.userId,
    request: request.auditContext?.requestId,
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    auditContext?: NonNullable<FastifyRequest['actor']['auditContext']>
    /** Whom a sign-in that failed was aimed at. */
    attemptedUser?: { organizationId: string; userId: string }
    shown?: Shown
  }
}
