import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { coverageStatuses, writeFrame } from '../../../clearinghouses/availity/write-coverage.ts'
import type { JsonObject } from '../../../clearinghouses/json-values.ts'
import type { Answered } from '../answer-core.ts'
import type { Credentials } from '../check-envelope.ts'
import type { EndpointCall } from '../http.ts'
import { replyWithText } from '../replies.ts'
import type { Roster } from '../roster.ts'
import { replyWithJson } from '../stedi/json-replies.ts'
import { type AnsweredForm, answerForm, misbehave } from './answer-form.ts'
import { createTokenIssuer } from './token-issuer.ts'

interface AvailityEndpointsOptions {
  roster: Roster
  /** The required client id and secret; without them any client gets a token. */
  credentials?: Credentials | undefined
}

/** The path prefix that older accounts of Availity use. */
export const availityPath = '/availity/v1'

const MAX_COVERAGES = 1_000

type StoredCoverage = Extract<AnsweredForm, { kind: 'answered' }>

/**
 * Simulates Availity: issues a token to a client, accepts a form as a coverage, and answers it when it is polled. Source: clearinghouse.md
 * C.
 */
export function createAvailityEndpoints(options: AvailityEndpointsOptions): (request: EndpointCall) => Answered {
  const tokens = createTokenIssuer(options.credentials)
  const coverages = new LRUCache<string, StoredCoverage>({ max: MAX_COVERAGES })
  return (request) => {
    const { method, target, headers, body, at } = request
    const [place = '', id] = target.pathname.slice(availityPath.length + 1).split('/')
    if (method === 'POST' && place === 'token') return tokens.issue(body, at)
    if (place !== 'coverages') return refuse(404, 'Post to coverages')
    if (!tokens.isAuthorized(headers, at)) return refuse(401, 'The access token is missing or expired')
    if (method === 'POST' && id === undefined) {
      return accept(options.roster, request, (key, answered) => coverages.set(key, answered))
    }
    if (method === 'GET' && id !== undefined) return poll(coverages.get(id))
    if (method !== 'DELETE' || id === undefined) return refuse(405, 'Post a form, or get or delete a coverage')
    coverages.delete(id)
    return { outcome: 'deleted', reply: { ...replyWithText(204, ''), body: Buffer.alloc(0) } }
  }
}

function accept(
  roster: Roster,
  request: EndpointCall,
  store: (id: string, answered: StoredCoverage) => void,
): Answered {
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
  store(id, answered)
  const location = `${target.origin}${target.pathname}/${id}`
  const accepted = writeFrame(answered.frame, coverageStatuses.inProgress)
  const reply = replyWithJson(202, { ...accepted, links: { self: { href: location } } }, { location })
  return { outcome: 'accepted', reply }
}

function poll(stored: StoredCoverage | undefined): Answered {
  if (!stored) return refuse(404, 'The coverage is not known')
  const { instead, afterMs } = stored.behavior
  const reply = instead ? misbehave(instead, stored.coverage) : replyWithJson(200, stored.coverage)
  return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
}

function refuse(status: number, userMessage: string): Answered {
  return { outcome: `HTTP ${status}`, reply: replyWithJson(status, refusal(status, userMessage)) }
}

/** Availity's ErrorResponse. */
function refusal(statusCode: number, userMessage: string, errors: JsonObject[] = []): JsonObject {
  return { statusCode, userMessage, developerMessage: userMessage, reasonCode: statusCode, errors }
}
