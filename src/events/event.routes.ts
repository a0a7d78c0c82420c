// The events of an organization: as pages, or live. decisions/0039-events.md
import type { OutgoingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { badRequest, unavailable } from '../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../platform/event-loop.ts'
import { WaitingCaller } from '../platform/http/caller-gone.ts'
import { type Call, endpoint } from '../platform/http/endpoint.ts'
import type { Scopes } from '../platform/http/scopes.ts'
import { resource } from '../records/resource.ts'
import * as schemas from './event.schema.ts'
import { EventPage } from './event.schema.ts'
import type { LogEnds } from './event-log.ts'
import type { EventSource } from './event-source.ts'
import { streamEvents } from './event-stream.ts'
import { isSelected } from './event-types.ts'

const PAGE = 100
/** As many as a webhook may have. Every event of every listener is compared with each. */
const SELECTORS_MAX = 100

const EventQuery = Type.Object({
  after: Type.Optional(Type.String()),
  event_types: Type.Optional(Type.Array(Type.String(), { maxItems: SELECTORS_MAX })),
  /** Of a stream: it begins with an event `heartbeat`, and repeats it every 15 seconds in place of a comment. */
  heartbeat: Type.Optional(Type.Boolean()),
})

type Needs = Pick<Deps, 'events'>
type Query = { after?: string; event_types?: string[]; heartbeat?: boolean }

interface Asked {
  organizationId: string
  after: number
  ends: LogEnds
  selectors: readonly string[]
}

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  summary:
    'Lists the events of the types that the client may see, oldest first. With `Accept: text/event-stream` the response stays open and sends each event within a second; it continues after `Last-Event-ID` or `after`, and begins with new events without either. With `heartbeat=true` it also sends an event `heartbeat` at its beginning and every 15 seconds, by which a listener notices a lost connection.',
  query: EventQuery,
  answer: EventPage,
  errors: [],
  async handle(deps: Needs, call) {
    const { actor, query, request } = call
    const selectors = [...new Set(query.event_types ?? ['*'])]
    const fault = deps.events.types.faultOf(selectors)
    if (fault !== undefined) throw badRequest(fault)
    const wantsStream = request.method === 'GET' && /\btext\/event-stream\b/.test(request.headers.accept ?? '')
    const ends = await deps.events.ends(actor.organizationId)
    const header = request.headers['last-event-id']
    const text = typeof header === 'string' ? header : query.after
    const after = positionOf(text, wantsStream ? ends.last : ends.pruned)
    const asked = { organizationId: actor.organizationId, after: Math.min(after, ends.last), ends, selectors }
    return wantsStream ? stream(deps, call, asked) : readPage(deps.events, asked, request.scopes)
  },
})

async function stream(deps: Needs, { request, reply, query }: Call<Query, unknown>, asked: Asked): Promise<undefined> {
  const { events } = deps
  // All callers that wait for one answer of the database continue at the same moment.
  await takeTurn(asked.organizationId)
  // Nothing is awaited between here and the listener for the end of the connection, so a caller who disconnects is noticed.
  new WaitingCaller(reply).throwIfGone()
  const leave = events.admit(asked.organizationId)
  if (!leave) throw unavailable('too many listeners: try again later')
  const { scopes } = request
  // A listener is not work in progress: it must not take the place of a request.
  request.leaveAdmission()
  reply.hijack()
  reply.raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as OutgoingHttpHeaders)
  // With other permissions the listener connects again, and learns of them.
  const isAdmitted = async () => listed((await request.verifyAgain()).scopes) === listed(scopes)
  const mayHear = (type: string) => events.types.isPermitted(scopes, type)
  await streamEvents(
    events,
    {
      ...asked,
      hearsHeartbeats: query.heartbeat ?? false,
      isIncomplete: asked.after < asked.ends.pruned,
      isAdmitted,
      mayHear,
    },
    reply.raw,
  )
  leave()
  return undefined
}

const listed = (scopes: Scopes) => scopes && [...scopes].sort().join(' ')

// The last one is for nginx, which buffers proxied responses otherwise.
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * Without a position a page starts with the oldest event kept, and a stream with the next event. @throws
 * BadRequestError
 */
function positionOf(text: string | undefined, start: number): number {
  if (text === undefined || text === '') return start
  if (!/^\d{1,15}$/.test(text)) throw badRequest('after and Last-Event-ID must be the number of an event')
  return Number(text)
}

async function readPage(events: EventSource, asked: Asked, scopes: Scopes): Promise<string> {
  const { organizationId, ends, selectors } = asked
  const after = Math.max(asked.after, ends.pruned)
  const read = (await events.read(organizationId, after)).slice(0, PAGE)
  const heard = read.filter(({ type }) => events.types.isPermitted(scopes, type) && isSelected(selectors, type))
  const last = read.at(-1)?.number ?? after
  const rest = { last_event_id: String(last), has_more: last < ends.last, is_incomplete: asked.after < ends.pruned }
  return `{"items":[${heard.map(({ json }) => json).join(',')}],${JSON.stringify(rest).slice(1)}`
}

export const eventStream = resource({
  path: '/anteroom/v1/events',
  group: 'events',
  permits: { read: 'See changes of records as they happen.' },
  schemas,
  routes: [
    list, // GET    /
  ],
})
