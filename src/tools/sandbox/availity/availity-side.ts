import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { coverageStatuses, writeFrame } from '../../../clearinghouses/availity/write-coverage.ts'
import type { JsonObject } from '../../../clearinghouses/json-values.ts'
import type { Answered } from '../answer-core.ts'
import type { Credentials } from '../check-envelope.ts'
import { replyWithText } from '../replies.ts'
import type { Roster } from '../roster.ts'
import { replyWithJson } from '../stedi/json-replies.ts'
import { type AnsweredForm, answerForm, misbehave } from './answer-form.ts'
import { openTokenDesk } from './token-desk.ts'

export interface AvailitySideOptions {
  roster: Roster
  /** The client id and secret that are demanded; without them anybody gets a token. */
  credentials?: Credentials | undefined
}

export interface AvailityRequest {
  method: string
  target: URL
  headers: IncomingHttpHeaders
  body: Buffer
  at: Date
}

/** Older accounts of Availity have their paths under this one. */
export const availityPath = '/availity/v1'

const MAX_COVERAGES = 1_000

type Kept = Extract<AnsweredForm, { kind: 'answered' }>

/**
 * Plays Availity: a token for a client, a coverage for a form, which is accepted first and answered when it is looked after.
 * Source: clearinghouse.md C.
 */
export function createAvailitySide(options: AvailitySideOptions): (request: AvailityRequest) => Answered {
  const tokens = openTokenDesk(options.credentials)
  const coverages = new LRUCache<string, Kept>({ max: MAX_COVERAGES })
  return (request) => {
    const { method, target, headers, body, at } = request
    const [place = '', id] = target.pathname.slice(availityPath.length + 1).split('/')
    if (method === 'POST' && place === 'token') return tokens.give(body, at)
    if (place !== 'coverages') return refuse(404, 'Post to coverages')
    if (!tokens.isAuthorized(headers, at)) return refuse(401, 'The access token is missing or expired')
    if (method === 'POST' && id === undefined) {
      return accept(options.roster, request, (key, answered) => coverages.set(key, answered))
    }
    if (method === 'GET' && id !== undefined) return look(coverages.get(id))
    if (method !== 'DELETE' || id === undefined) return refuse(405, 'Post a form, or get or delete a coverage')
    coverages.delete(id)
    return { outcome: 'deleted', reply: { ...replyWithText(204, ''), body: Buffer.alloc(0) } }
  }
}

function accept(roster: Roster, request: AvailityRequest, keep: (id: string, answered: Kept) => void): Answered {
  const { target, headers, body, at } = request
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return refuse(415, 'Send application/x-www-form-urlencoded')
  }
  const id = randomBytes(12).toString('hex')
  const answered = answerForm(roster, new URLSearchParams(body.toString('utf8')), { id, at })
  if (answered.kind === 'faults') {
    const refused = refusal(400, 'The request is not valid', answered.errors)
    return { outcome: 'input faults', reply: replyWithJson(400, refused) }
  }
  keep(id, answered)
  const location = `${target.origin}${target.pathname}/${id}`
  const accepted = writeFrame(answered.frame, coverageStatuses.inProgress)
  const reply = replyWithJson(202, { ...accepted, links: { self: { href: location } } }, { location })
  return { outcome: 'accepted', reply }
}

function look(kept: Kept | undefined): Answered {
  if (!kept) return refuse(404, 'The coverage is not known')
  const { instead, afterMs } = kept.behaviour
  const reply = instead ? misbehave(instead, kept.coverage) : replyWithJson(200, kept.coverage)
  return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
}

function refuse(status: number, userMessage: string): Answered {
  return { outcome: `HTTP ${status}`, reply: replyWithJson(status, refusal(status, userMessage)) }
}

/** Availity's ErrorResponse. */
function refusal(statusCode: number, userMessage: string, errors: JsonObject[] = []): JsonObject {
  return { statusCode, userMessage, developerMessage: userMessage, reasonCode: statusCode, errors }
}
