// The sessions that this process has verified; at most a few seconds old, like those of clients (client-standings.ts).

import { isEqual } from '../crypto/constant-time.ts'
import type { Database } from '../database/database.ts'
import type { Admission } from '../http/authenticate.ts'
import type { Scopes } from '../http/scopes.ts'
import { recentlyUsed } from '../recently-used.ts'
import { grantOf } from './roles.ts'
import {
  type LiveSession,
  readLiveSession,
  readToken,
  type SessionKey,
  sessionEnded,
  touchSession,
} from './session-store.ts'

export interface SessionVerifier {
  /** The cached result, for a session that was verified a moment ago. */
  recall(token: string): Admission | undefined
  /** The organization of a session that was verified before and is not known to have ended. */
  organizationOf(token: string): string | undefined
  /** `isUse`: whether this call is an action of the user, which extends the session. @throws UnauthorizedError */
  verify(token: string, isUse?: boolean): Promise<Admission>
  /** The current permissions of its user; undefined for a session that has ended. */
  standing(key: SessionKey): Promise<{ scopes: Scopes } | undefined>
  /** Drops a session that was ended here: other processes notice within seconds. */
  forget(id: string): void
}

/** Bounds how soon a sign-out, a disabled user and a changed role take effect in other processes. */
const BELIEVED_MS = 5_000
const TOUCH_MS = 60_000
const SESSIONS_MAX = 10_000

interface Known {
  session: LiveSession
  until: number
  /** When the next use must be recorded. */
  touchAt: number
}

const NOTHING: Scopes = new Set()

/** A session in the cache is read again after BELIEVED_MS, and its use is recorded once per TOUCH_MS. */
export function openSessions(database: Database): SessionVerifier {
  const known = recentlyUsed<Known>(SESSIONS_MAX)

  async function read(key: SessionKey): Promise<Known | undefined> {
    const current = known.get(key.id)
    const now = performance.now()
    if (current && current.until > now) return current
    const session = await readLiveSession(database, key)
    if (!session) {
      known.delete(key.id)
      return undefined
    }
    const until = now + Math.min(BELIEVED_MS, session.remainingMs)
    const entry = { session, until, touchAt: current?.touchAt ?? now }
    known.set(key.id, entry)
    return entry
  }

  return {
    recall(token) {
      const parts = readToken(token)
      const entry = parts && known.get(parts.id)
      const now = performance.now()
      // Verified again when this use must be recorded.
      if (!entry || entry.until <= now || entry.touchAt <= now) return undefined
      return isEqual(parts.digest, entry.session.digest) ? admissionOf(parts, entry.session) : undefined
    },
    organizationOf(token) {
      const parts = readToken(token)
      const entry = parts && known.get(parts.id)
      return entry && isEqual(parts.digest, entry.session.digest) ? parts.organizationId : undefined
    },
    async verify(token, isUse = true) {
      const parts = readToken(token)
      const entry = parts && (await read(parts))
      if (!entry || !isEqual(parts.digest, entry.session.digest)) {
        throw sessionEnded()
      }
      if (isUse && entry.touchAt <= performance.now()) {
        entry.touchAt = performance.now() + TOUCH_MS
        await touchSession(database, parts)
      }
      return admissionOf(parts, entry.session)
    },
    async standing(key) {
      const entry = await read(key)
      return entry && { scopes: scopesOf(entry.session) }
    },
    forget: (id) => known.delete(id),
  }
}

const scopesOf = ({ role, mustChangePassword }: LiveSession) => (mustChangePassword ? NOTHING : grantOf(role))

function admissionOf({ organizationId, id }: SessionKey, session: LiveSession): Admission {
  const { userId, mustChangePassword } = session
  return { actor: { organizationId, userId, sessionId: id }, scopes: scopesOf(session), mustChangePassword }
}
