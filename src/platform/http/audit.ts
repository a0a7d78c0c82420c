// Every call of an operation leaves one event in the audit trail and one line in the log. Source: 45 CFR 164.312(b);
// decisions/0013-audit-trail.md
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { type Addresses, recordsOf } from '../audit/addressed-records.ts'
import type { Clues, NotedEvent, StoredAuditEvent } from '../audit/event.ts'
import { cluesIn, patientsIn } from '../audit/patients.ts'
import { streamToReader } from './answer-stream.ts'
import { atCallEnd } from './call-end.ts'
import { CallLog } from './call-log.ts'

/** The records that an answer has shown, as far as it has been sent. */
interface Shown extends Clues {
  patientIds: string[]
  errorName?: string
  /** For a refusal: whether it shows something of the record in the path, namely its latest version. */
  isOfAddressed?: boolean
}

/**
 * Gives every call its audit context, which every write of the call stores with its event, and notes calls that wrote
 * nothing, refusals and reads, with the patients that their answers showed. Calls are refused with 503 while no event can
 * be noted. It runs before authentication, whose refusals are events too.
 * Neither the trail nor the log contains a body, a query or a URL as the client sent it: an MRN is a path parameter here.
 */
export function auditRequests(app: FastifyInstance, { audit, now }: Pick<Deps, 'audit' | 'now'>): void {
  const process = randomBytes(6).toString('base64url')
  let calls = 0
  app.decorateRequest('shown')
  app.decorateRequest('auditContext')

  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined) return done()
    if (audit.isFull(request.actor?.organizationId)) return done(cannotNote())
    const auditContext = { operation, requestId: `${process}-${++calls}`, address: request.ip, isWritten: false }
    request.auditContext = auditContext
    if (request.log instanceof CallLog) request.log.requestId = auditContext.requestId
    done()
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const { auditContext, actor } = request
    if (!auditContext || !actor) return done()
    // When the token had to be verified, the organization of the call is known only now.
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
        // What the handler has stated so far is noted with this part, and not again with the following ones.
        delete auditContext.shown
        delete auditContext.shownMrns
      }
      return done(null, streamToReader(shownParts(payload, show)))
    }
    if (reply.statusCode < 400 && (auditContext.isWritten || auditContext.shown)) return done()
    // A caller who has gone is shown nothing.
    if (typeof payload === 'string' && !reply.raw.closed) request.shown = look(request, reply, payload)
    done()
  })

  atCallEnd(app, (request, reply) => {
    writeLine(request, reply)
    const { auditContext, actor } = request
    if (auditContext === undefined) return
    if (!auditContext.isWritten || reply.statusCode >= 400) {
      audit.note(actor?.organizationId ?? request.attemptedUser?.organizationId, noted(request, reply, now()))
    } else if (actor) audit.expect(actor.organizationId)
  })
}

const cannotNote = () => unavailable('the audit trail cannot be written now: try again')

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('application/json')

const nothingAddressed: Addresses = {}

const nothingShown = (): Shown => ({ patientIds: [], mrns: [], recordIds: [] })

function look(request: FastifyRequest, reply: FastifyReply, text: string): Shown {
  const shown = nothingShown()
  if (reply.statusCode < 400) {
    add(shown, text, request.routeOptions.config.answersPatients === true)
    return shown
  }
  // A refusal may show other patients: those that a new patient would duplicate.
  add(shown, text, false)
  const errorName = /"errorName":"(\w+)"/.exec(text)?.[1]
  if (errorName !== undefined) shown.errorName = errorName
  shown.isOfAddressed = /"latest_version":/.test(text)
  return shown
}

/** Adds the patients that a part of an answer shows. */
function add(shown: Shown, text: string, isOfPatients: boolean): void {
  shown.patientIds.push(...patientsIn(text, isOfPatients))
  if (isOfPatients) return
  const { mrns, recordIds } = cluesIn(text)
  shown.mrns.push(...mrns)
  shown.recordIds.push(...recordIds)
}

/**
 * A long list is sent in parts of whole items. Each part has its own event, noted before the part is sent: a caller may
 * read some parts and disconnect, and a single event would name all patients of an organization.
 */
async function* shownParts(parts: Readable, show: (part: string) => void): AsyncGenerator<string> {
  for await (const part of parts as AsyncIterable<string>) {
    show(part)
    yield part
  }
}

/** On the path of every call: fields are set one by one, because spreading objects costs more than all the rest. */
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
  // An event names the records that were shown: the requested record counts when something of it was returned.
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

/** The client id that a token request claims. */
function claimedClient({ body }: FastifyRequest): string | undefined {
  const claimed = (body as { client_id?: unknown } | null | undefined)?.client_id
  return typeof claimed === 'string' && isUuid(claimed) ? claimed.toLowerCase() : undefined
}

function writeLine(request: FastifyRequest, reply: FastifyReply): void {
  const { operation } = request.routeOptions.config
  const id = (request.params as { id?: string } | undefined)?.id
  request.server.log.info({
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
    /** The user that a failed sign-in was aimed at. */
    attemptedUser?: { organizationId: string; userId: string }
    shown?: Shown
  }
}
