import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, type ErrorName, invalidCoreRequest, notFound } from '../../contract/errors.ts'
import type { Addresses } from '../audit/addressed.ts'
import { cleanInput } from './body.ts'
import { type AccessType, scopeOf } from './scopes.ts'
import { compileBody, compileParameters, type Fault } from './validation.ts'

export interface Call<Query, Body> {
  actor: Actor
  params: Record<string, string>
  query: Query
  body: Body
  request: FastifyRequest
  reply: FastifyReply
}

/** JSON text, or a stream of it, that the database made goes out as it is; an object is serialised; nothing is a 200 without a body. */
export type Answer = string | Readable | Buffer | object | undefined

/**
 * One operation of the interface: everything that routing, validation, documentation and the laws need to know of it. It is a value without
 * anything behind it; `Needs` is what its handler is given at each call. An `Endpoint` without saying more is one that is only described.
 * decisions/0030-records-and-operations-describe-themselves.md
 */
export interface Endpoint<Needs = never> {
  /** `notes.update`: the operation id in OpenAPI, logs and metrics. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` parameters; literal segments win over parameters. */
  path: string
  summary: string
  /** The kinds of records whose ids stand in the path, by parameter: `:id` is the resource's own record unless it says otherwise. */
  addresses?: Addresses
  /** What a path parameter means here, where its name does not say it. */
  parameters?: Record<string, string>
  query?: TObject
  body?: TSchema
  /** What a body must be at least, where the operation itself cleans and answers for what `body` documents beyond that. */
  accepts?: TSchema
  /** The longest body, where the general limit is too short. */
  bodyLimitBytes?: number
  /** The body is a long array: the operation gets the JSON text of each item, and parses one after the other (parseItem). */
  readsItems?: true
  /** Where the body may come in other forms than JSON; the scope that registers the endpoint reads them. */
  bodyTypes?: string[]
  /** Absent: the answer has no body. */
  answer?: TSchema
  /** Of an answer that is no JSON; its schema is text with the format `binary`. */
  answerType?: string
  /** Headers of a success that say what its body has no place for, each with what it means. */
  answerHeaders?: Record<string, string>
  /** The errors that the interface declares for it (rules.md 1.6). */
  errors: ErrorName[]
  /** Since when callers should use another address, and which: told in every answer (RFC 9745, RFC 8288). */
  deprecated?: { since: Date; successor: string }
  /** Public operations take no credential; those of a session take that of a person who has signed in, and need no scope. */
  access?: 'public' | 'session'
  /** A call that a page makes by itself does not keep the session of a person from ending. */
  prolongsSession?: false
  /** Where the method does not tell: a POST that only reads, a GET that asks a payer, what only administrators see. */
  accessType?: AccessType
  /** A property, not a method: one that needs what it is not given does not compile. */
  handle: (deps: Needs, call: Call<unknown, unknown>) => Promise<Answer>
}

/** An endpoint whose handler sees its query and body as the schemas' types. It names what it needs as the type of its first parameter. */
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
  const refuse = endpoint.path.startsWith('/api/') ? refuseCore : refusePreEncounter
  const validateQuery = endpoint.query && compileParameters(endpoint.query)
  const bodySchema = endpoint.accepts ?? endpoint.body
  const validateBody = bodySchema && compileBody(bodySchema)

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }),
    config: {
      operation: endpoint.operation,
      access: endpoint.access ?? 'client',
      ...(endpoint.access === undefined && { scope: scopeOf(endpoint) }),
      ...(endpoint.prolongsSession === false && { prolongsSession: false }),
      ...(endpoint.addresses && { addresses: endpoint.addresses }),
      answersPatients: isOfPatients(endpoint.answer),
      ...(endpoint.readsItems && { readsItems: true }),
    },
    // Refusals too, also those of a token: this hook runs for whatever leaves by this route.
    ...(endpoint.deprecated && { onSend: announce(endpoint.deprecated) }),
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>
      refuseUnknowable(params)
      const query = endpoint.query && cleanInput(endpoint.query, request.query)
      const queryFault = validateQuery?.(query)
      if (queryFault) throw refuse(queryFault)
      const body = endpoint.accepts ? request.body : endpoint.body && cleanInput(endpoint.body, request.body)
      const bodyFault = validateBody?.(body)
      if (bodyFault) throw refuse(bodyFault)

      const answer = await endpoint.handle(deps, { actor: request.actor, params, query, body, request, reply })
      // A live stream has written to the connection itself.
      if (reply.sent) return reply
      if (answer === undefined) return reply.header('content-length', 0).send()
      if (endpoint.answerType !== undefined) return reply.type(endpoint.answerType).send(answer)
      reply.header('content-type', 'application/json; charset=utf-8')
      if (request.method === 'HEAD' && answer instanceof Readable) return reply.send(unread(answer))
      return reply.send(typeof answer === 'string' || answer instanceof Readable ? answer : JSON.stringify(answer))
    },
  })
}

/** HEAD tells of a long answer that it is there. Nobody gets to read it, so nothing more of it is made. */
function unread(answer: Readable): Readable {
  answer.destroy()
  return Readable.from([])
}

/** Whether an answer's records are patients themselves: alone, in a list or in a page. */
function isOfPatients(answer: TSchema | undefined): boolean {
  const schema = answer as { items?: TSchema; properties?: Record<string, { items?: TSchema }> } | undefined
  const item = schema?.items ?? schema?.properties?.items?.items
  if (item) return isOfPatients(item)
  return schema?.properties?.mrn !== undefined && schema.properties.version !== undefined
}

/** Source: RFC 9745 2.1 (seconds since 1970 behind an @); RFC 5829 3.3. */
function announce({ since, successor }: NonNullable<Endpoint['deprecated']>) {
  const headers = { deprecation: `@${since.getTime() / 1000}`, link: `<${successor}>; rel="successor-version"` }
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers)
  }
}

/** No stored text holds a NUL, so a parameter with one names nothing; the database would reject the query. */
function refuseUnknowable(params: Record<string, string>): void {
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound('Record')
}

const refusePreEncounter = (fault: Fault) => badRequest(fault.message)
const refuseCore = (fault: Fault) => invalidCoreRequest(fault.field, fault.message)

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string
    access?: 'public' | 'session' | 'client'
    /** What the client must have been granted. */
    scope?: string
    prolongsSession?: boolean
    addresses?: Addresses
    answersPatients?: boolean
  }
  interface FastifyRequest {
    actor: Actor
  }
}
