import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { coverageStatuses, writeFrame } from '../../availity/write-coverage.ts'
import type { JsonObject } from '../../json-values.ts'
import { createRecentlyUsed } from '../../recently-used.ts'
import type { Answered } from '../answer-core.ts'
import type { Credentials } from '../check-envelope.ts'
import { replyWithText } from '../replies.ts'
import type { Roster, RosterAnswer } from '../roster.ts'
import { replyWithJson } from '../stedi/json-replies.ts'
import { answerForm, misbehave } from './answer-form.ts'

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

const TOKEN_LIFETIME_SECONDS = 300
const MAX_TOKENS = 1_000
const MAX_COVERAGES = 1_000

interface Kept {
  coverage: JsonObject
  behaviour: RosterAnswer
}

/**
 * Plays Availity: a token for a client, a coverage for a form, which is accepted first and answered when it is looked after.
 * Source: clearinghouse.md C.
 */
export function createAvailitySide({
  roster,
  credentials,
}: AvailitySideOptions): (request: AvailityRequest) => Answered {
  const tokens = createRecentlyUsed<Date>(MAX_TOKENS)
  const coverages = createRecentlyUsed<Kept>(MAX_COVERAGES)

  function giveToken(body: Buffer, at: Date): Answered {
    const form = new URLSearchParams(body.toString('utf8'))
    const [id, secret] = [form.get('client_id'), form.get('client_secret')]
    const isKnown = credentials ? id === credentials.username && secret === credentials.password : id && secret
    if (form.get('grant_type') !== 'client_credentials' || !isKnown) {
      return { outcome: 'refused client', reply: replyWithJson(401, { error: 'invalid_client' }) }
    }
    const token = randomBytes(24).toString('base64url')
    tokens.set(token, new Date(at.getTime() + TOKEN_LIFETIME_SECONDS * 1000))
    const granted = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS }
    return { outcome: 'token', reply: replyWithJson(200, granted) }
  }

  function isAuthorized(headers: IncomingHttpHeaders, at: Date): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
    const until = tokens.get(token)
    return until !== undefined && at < until
  }

  function accept({ target, headers, body, at }: AvailityRequest): Answered {
    if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return refuse(415, 'Send application/x-www-form-urlencoded')
    }
    const id = randomBytes(12).toString('hex')
    const answered = answerForm(roster, new URLSearchParams(body.toString('utf8')), { id, at })
    if (answered.kind === 'faults') {
      return {
        outcome: 'input faults',
        reply: replyWithJson(400, refusal(400, 'The request is not valid', answered.errors)),
      }
    }
    coverages.set(id, answered)
    const location = `${target.origin}${target.pathname}/${id}`
    const accepted = writeFrame(answered.frame, coverageStatuses.inProgress)
    const reply = replyWithJson(202, { ...accepted, links: { self: { href: location } } }, { location })
    return { outcome: 'accepted', reply }
  }

  function look(id: string): Answered {
    const kept = coverages.get(id)
    if (!kept) return refuse(404, 'The coverage is not known')
    const { instead, afterMs } = kept.behaviour
    const reply = instead ? misbehave(instead, kept.coverage) : replyWithJson(200, kept.coverage)
    return { outcome: instead ?? 'answered', ...(afterMs && { afterMs }), reply }
  }

  return (request) => {
    const { method, target, headers, body, at } = request
    const [place = '', id] = target.pathname.slice(availityPath.length + 1).split('/')
    if (method === 'POST' && place === 'token') return giveToken(body, at)
    if (place !== 'coverages') return refuse(404, 'Post to coverages')
    if (!isAuthorized(headers, at)) return refuse(401, 'The access token is missing or expired')
    if (method === 'POST' && id === undefined) return accept(request)
    if (method === 'GET' && id !== undefined) return look(id)
    if (method !== 'DELETE' || id === undefined) return refuse(405, 'Post a form, or get or delete a coverage')
    coverages.delete(id)
    return { outcome: 'deleted', reply: { ...replyWithText(204, ''), body: Buffer.alloc(0) } }
  }
}

function refuse(status: number, userMessage: string): Answered {
  return { outcome: `HTTP ${status}`, reply: replyWithJson(status, refusal(status, userMessage)) }
}

/** Availity's ErrorResponse. */
function refusal(statusCode: number, userMessage: string, errors: JsonObject[] = []): JsonObject {
  return { statusCode, userMessage, developerMessage: userMessage, reasonCode: statusCode, errors }
}
