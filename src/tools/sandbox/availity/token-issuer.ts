import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Answered } from '../answer-core.ts'
import type { Credentials } from '../check-envelope.ts'
import { replyWithJson } from '../stedi/json-replies.ts'

interface TokenIssuer {
  /** Answers a token request. */
  issue(body: Buffer, at: Date): Answered
  isAuthorized(headers: IncomingHttpHeaders, at: Date): boolean
}

const TOKEN_LIFETIME_SECONDS = 300
const MAX_TOKENS = 1_000

/** Issues tokens to the required client, or to any client when none is required. Source: clearinghouse.md C. */
export function createTokenIssuer(credentials: Credentials | undefined): TokenIssuer {
  const tokens = new LRUCache<string, Date>({ max: MAX_TOKENS })
  return {
    issue(body, at) {
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
    },
    isAuthorized(headers, at) {
      const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
      const until = tokens.get(token)
      return until !== undefined && at < until
    },
  }
}
