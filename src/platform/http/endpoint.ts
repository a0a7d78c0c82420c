import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, type ErrorName, invalidCoreRequest, notFound } from '../../contract/errors.ts'
import type { Addresses } from '../audit/addressed-records.ts'
import { whileWaitedFor } from '../database/connections/while-waited-for.ts'
import type { Database } from '../database/database.ts'
import { takeTurn } from '../event-loop.ts'
import { cleanInput } from './body.ts'
import { LONG_BODY_BYTES } from './body-reader.ts'
import { CallerGone, WaitingCaller } from './caller-gone.ts'
import { queryReader } from './query.ts'
import { type AccessType, neverWrites, type Permits, scopeOf } from './scopes.ts'
import { disconnectWhenRefused } from './still-admitted.ts'
import { compileBody, compileParameters, type Fault } from './validation.ts'

export interface Call<Query, Body> {
  actor: Actor
  params: Record<string, string>
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * JSON text from the database, or a stream of it, is sent unchanged; an object is serialized; undefined is a 200
 * without a body.
 */
type Answer = string | Readable | Buffer | object | undefined

/**
 * One operation of the interface: everything that routing, validation, documentation and the law tests need to know
 * about it. It is a plain value; its handler receives `Needs` at each call. An `Endpoint` without a type argument can
 * only be described, not called. decisions/0030-records-and-operations-describe-themselves.md
 */
export interface Endpoint<Needs = never> {
  /** `notes.update`: the operation id in OpenAPI, logs and metrics. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` parameters; literal segments win over parameters. */
  path: string
  summary: string
  /** The record types whose ids occur in the path, by parameter: `:id` is the resource's own record by default. */
  addresses?: Addresses
  /** The meaning of a path parameter, where its name does not tell. */
  parameters?: Record<string, string>
  query?: TObject
  body?: TSchema
  /**
   * The minimum that a body must satisfy, when the operation itself cleans and validates what `body` documents beyond
   * that.
   */
  accepts?: TSchema
  /** The longest body, when the general limit is too short. */
  bodyLimitBytes?: number
  /**
   * The body is a long array: the operation receives the JSON text of each item, and parses one after the other
   * (parseItem).
   */
  readsItems?: true
  /** The content types of bodies other than JSON; the scope that registers the endpoint parses them. */
  bodyTypes?: string[]
  /** Absent: the response has no body. */
  answer?: TSchema
  /** The records of its answer are patients themselves, whom the audit trail names. Derived by its resource. */
  answersPatients?: boolean
  /** The content type of a response that is not JSON; its schema is text with the format `binary`. */
  answerType?: string
  /** Response headers of a success with information that the body has no place for, each with its meaning. */
  answerHeaders?: Record<string, string>
  /** The errors that the interface declares for it (rules.md 1.6). */
  errors: ErrorName[]
  /** Since when callers should use another path, and which: stated in every response (RFC 9745, RFC 8288). */
  deprecated?: { since: Date; successor: string }
  /** Public operations need no credential; session operations need a signed-in person, and no scope. */
  access?: 'public' | 'session'
  /** False for a call that a page makes automatically: it does not extend the session. */
  prolongsSession?: false
  /**
   * Where the method does not tell: a POST that only reads, a GET that asks a payer, an operation for administrators.
   */
  accessType?: AccessType
  /** Those of its resource. */
  permits?: Permits
  /** A property and not a method, so that missing dependencies are type errors. */
  handle: (deps: Needs, call: Call<unknown, unknown>) => Promise<Answer>
}

/**
 * An endpoint whose handler receives its query and body with the types of the schemas. The type of its first parameter
 * names its dependencies.
 */
export function endpoint<Query extends TObject, Body extends TSchema, Needs = unknown>(
  declaration: Omit<Endpoint, 'handle' | 'query' | 'body'> & {
    query?: Query
    body?: Body
    handle(deps: Needs, call: Call<Static<Query>, Static<Body>>): Promise<Answer>
  },
): Endpoint<Needs> {
  return declaration as Endpoint<Needs>
}

/** Registers one endpoint: clean and validate, handle, answer. Authentication has run before, in `onRequest`. */
export function registerEndpoint<Needs>(app: FastifyInstance, endpoint: Endpoint<Needs>, deps: Needs): void {
  const readInput = inputReader(endpoint)
  const isRead = neverWrites(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }),
    config: configOf(endpoint),
    // Set on refusals too, also on those of a token: this hook runs for every response of the route.
    ...(endpoint.deprecated && { onSend: announce(endpoint.deprecated) }),
    handler: async (request, reply) => {
      const call = { actor: request.actor, ...(await readInput(request)), request, reply }
      const answer = await (isRead ? readFor(reply, endpoint, deps, call) : endpoint.handle(deps, call))
      return send(answer, endpoint, call)
    },
  })
}

/** What the hooks of a route need to know about its endpoint. */
function configOf(endpoint: Endpoint): FastifyContextConfig {
  return {
    operation: endpoint.operation,
    access: endpoint.access ?? 'client',
    ...(endpoint.access === undefined && { scope: scopeOf(endpoint) }),
    ...(endpoint.prolongsSession === false && { prolongsSession: false }),
    ...(endpoint.addresses && { addresses: endpoint.addresses }),
    ...(endpoint.answersPatients && { answersPatients: true }),
    ...(endpoint.readsItems && { readsItems: true }),
    ...(endpoint.body === undefined && { takesNoBody: true }),
  }
}

type Input = Pick<Call<unknown, unknown>, 'params' | 'query' | 'body'>

/** Cleans and validates the parameters and the body of a request. @throws BadRequestError, NotFoundError */
function inputReader(endpoint: Endpoint): (request: FastifyRequest) => Promise<Input> {
  const refuse = endpoint.path.startsWith('/api/') ? refuseCore : refusePreEncounter
  const readQuery = endpoint.query && queryReader(endpoint.query)
  const validateQuery = endpoint.query && compileParameters(endpoint.query)
  const bodySchema = endpoint.accepts ?? endpoint.body
  const validateBody = bodySchema && compileBody(bodySchema)
  return async (request) => {
    const params = request.params as Record<string, string>
    refuseUnknowable(params)
    const query = readQuery?.(request)
    const queryFault = validateQuery?.(query)
    if (queryFault) throw refuse(queryFault)
    const nextPiece = turnsOf(request)
    if (nextPiece) await nextPiece()
    const sent = request.body === undefined && !requiresBody(endpoint) ? {} : request.body
    const body = endpoint.accepts ? sent : endpoint.body && cleanInput(endpoint.body, sent)
    if (nextPiece) await nextPiece()
    const bodyFault = validateBody?.(body)
    if (bodyFault) throw refuse(bodyFault)
    if (nextPiece) await nextPiece()
    return { params, query, body }
  }
}

function send(
  answer: Answer,
  { access, answerType }: Endpoint,
  { request, reply }: Call<unknown, unknown>,
): FastifyReply {
  // A live stream has written to the connection itself.
  if (reply.sent) return reply
  if (answer === undefined) return reply.header('content-length', 0).send()
  if (answer instanceof Readable && access !== 'public') disconnectWhenRefused(request, reply, answer)
  if (answerType !== undefined) return reply.type(answerType).send(answer)
  reply.header('content-type', 'application/json; charset=utf-8')
  if (request.method === 'HEAD' && answer instanceof Readable) return reply.send(unread(answer))
  return reply.send(typeof answer === 'string' || answer instanceof Readable ? answer : JSON.stringify(answer))
}

/**
 * Whether a call without a body is refused. An object without a required field may be left out: the published client of
 * Python sends nothing where every field is absent.
 */
export function requiresBody({ body }: Pick<Endpoint, 'body'>): boolean {
  const { type, required } = (body ?? {}) as { type?: string; required?: string[] }
  return type !== 'object' || (required?.length ?? 0) > 0
}

/**
 * Handles a call that only reads, as long as its caller waits for the answer. A write that has begun is always finished.
 * @throws CallerGone
 */
async function readFor<Needs>(
  reply: FastifyReply,
  { handle }: Endpoint<Needs>,
  deps: Needs,
  call: Call<unknown, unknown>,
): Promise<Answer> {
  const caller = new WaitingCaller(reply)
  caller.throwIfGone()
  const { database } = deps as { database?: Database }
  try {
    const answer = await handle(database ? { ...deps, database: whileWaitedFor(database, caller) } : deps, call)
    // A live stream ends when its caller leaves.
    if (!caller.isGone || reply.sent) return answer
    if (answer instanceof Readable) answer.destroy()
    throw new CallerGone()
  } catch (error) {
    // What fails now fails because it was given up.
    caller.throwIfGone()
    throw error
  }
}

/** Awaited between the pieces of work on a long body, which takes turns with those of other callers. */
function turnsOf({ headers, actor }: FastifyRequest): (() => Promise<void> | undefined) | undefined {
  const isLong = Number(headers['content-length'] ?? 0) > LONG_BODY_BYTES || headers['transfer-encoding'] !== undefined
  return isLong ? () => takeTurn(actor?.organizationId ?? '') : undefined
}

/** A HEAD request for a long answer: the client does not read it, so the rest is not produced, which Fastify would do otherwise. */
export function unread(answer: Readable): Readable {
  answer.destroy()
  return Readable.from([])
}

/** Source: RFC 9745 2.1 (seconds since 1970 behind an @); RFC 5829 3.3. */
function announce({ since, successor }: NonNullable<Endpoint['deprecated']>) {
  const headers = { deprecation: `@${since.getTime() / 1000}`, link: `<${successor}>; rel="successor-version"` }
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers)
  }
}

/** Stored text never contains a NUL, so a parameter with one matches nothing; the database would reject the query. */
function refuseUnknowable(params: Record<string, string>): void {
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound('Record')
}

const refusePreEncounter = (fault: Fault) => badRequest(fault.message)
const refuseCore = (fault: Fault) => invalidCoreRequest(fault.field, fault.message)

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string
    access?: 'public' | 'session' | 'client'
    /** The scope that the client must have. */
    scope?: string
    prolongsSession?: boolean
    addresses?: Addresses
    answersPatients?: boolean
    takesNoBody?: boolean
  }
  interface FastifyRequest {
    actor: Actor
  }
}
