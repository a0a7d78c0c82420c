// The stored sessions of users. The cookie contains the key of its row; the row contains only a digest of the
// cookie's secret. decisions/0045-people-and-sessions.md
import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { unauthorized } from '../../contract/errors.ts'
import type { Database, Statement } from '../database/database.ts'
import { instant } from '../database/instant.ts'
import { hashSecret, newSecret } from './secrets.ts'
import { HAS_PASSWORD, holdAccount, RoleName, type UserKey } from './user-account.ts'

type Rows = Pick<Database, 'rows' | 'row'>

export interface SessionKey {
  organizationId: string
  id: string
}

/** A user whose identity is proven. `sessionsEnded`, read before the proof, counts how often all sessions of the user were ended. */
export interface ProvenUser extends UserKey {
  sessionsEnded: number
}

/** The content of a session cookie. */
interface SessionToken extends SessionKey {
  digest: Buffer
}

/** A session ends this long after its last use, and at the latest this long after its start. */
const IDLE_MINUTES = 30
const SESSION_HOURS = 12
/** The time of last use is updated at most this often. */
const TOUCH = `interval '1 minute'`

const IDLE = `interval '${IDLE_MINUTES} minutes'`
const IS_LIVE = `s.expires_at > now() and s.last_used_at > now() - ${IDLE}`

/** Two UUIDs and 256 random bits. */
const TOKEN = /^[\w-]{86}$/
const UUID_BYTES = 16

/** A new token of a session, and the digest by which the row recognizes it. */
function writeToken({ organizationId, id }: SessionKey): { token: string; digest: Buffer } {
  const ids = Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex')
  const token = Buffer.concat([ids, Buffer.from(newSecret(), 'base64url')]).toString('base64url')
  return { token, digest: hashSecret(token) }
}

/** The parts of a token; undefined if it is malformed. Only the row shows whether it is valid. */
export function readToken(token: string): SessionToken | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const [organizationId, id] = [uuidOf(bytes, 0), uuidOf(bytes, UUID_BYTES)]
  return { organizationId, id, digest: hashSecret(token) }
}

const uuidOf = (bytes: Buffer, from: number) =>
  bytes.toString('hex', from, from + UUID_BYTES).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')

const insertStatement: Statement = {
  name: 'user_session_create',
  text: `with over as (delete from user_session s where organization_id = $1 and not (${IS_LIVE})),
      seen as (update user_account set last_signed_in_at = moment.at from (select now() as at) moment
        where organization_id = $1 and id = $3 and sessions_ended = $7 and disabled_at is null
        returning organization_id, id as user_id, moment.at)
    insert into user_session (organization_id, id, user_id, token_digest, address, user_agent, expires_at)
    select organization_id, $2, user_id, $4, $5, $6, at + interval '${SESSION_HOURS} hours' from seen returning id`,
}

/**
 * Creates a session and returns its token; undefined when all sessions of the user were ended after the proof of identity was read, for
 * example by a change of the password while the old one was being verified. Ended sessions of the organization are removed at the same time.
 */
export async function beginSession(
  database: Rows,
  session: SessionKey & { user: ProvenUser; address: string; userAgent: string | undefined },
): Promise<string | undefined> {
  const { token, digest } = writeToken(session)
  const { organizationId, id, user, address, userAgent } = session
  const values = [organizationId, id, user.id, digest, address, userAgent?.slice(0, 200) ?? null, user.sessionsEnded]
  return (await database.row(insertStatement, values)) && token
}

/** The user and permissions of a live session. */
export interface LiveSession {
  userId: string
  role: string
  digest: Buffer
  mustChangePassword: boolean
  /** The time until it ends unless it is used. */
  remainingMs: number
}

const readStatement: Statement = {
  name: 'user_session_standing',
  text: `select s.user_id, a.role, encode(s.token_digest, 'hex'), a.must_change_password,
      extract(epoch from least(s.expires_at, s.last_used_at + ${IDLE}) - now()) * 1000
    from user_session s join user_account a on a.organization_id = s.organization_id and a.id = s.user_id
    where s.organization_id = $1 and s.id = $2 and ${IS_LIVE} and a.disabled_at is null`,
}

/** Undefined when it has ended, or its user is disabled. The caller compares the digest. */
export async function readLiveSession(
  database: Pick<Database, 'rowByKey'>,
  { organizationId, id }: SessionKey,
): Promise<LiveSession | undefined> {
  const row = await database.rowByKey(readStatement, [organizationId, id])
  if (!row) return undefined
  const [userId = '', role = '', digest = '', mustChange, remainingMs] = row
  return {
    userId,
    role,
    digest: Buffer.from(digest, 'hex'),
    mustChangePassword: mustChange === 't',
    remainingMs: Number(remainingMs),
  }
}

const touchStatement: Statement = {
  name: 'user_session_touch',
  text: `update user_session s set last_used_at = now()
    where organization_id = $1 and id = $2 and last_used_at < now() - ${TOUCH} and ${IS_LIVE}`,
}

/** Extends a live session: at most one write a minute, and none for one that has ended. */
export async function touchSession(database: Rows, { organizationId, id }: SessionKey): Promise<void> {
  await database.rows(touchStatement, [organizationId, id])
}

/** The session as returned to the signed-in user. */
export const Session = Type.Object({
  user: Type.Object({
    id: Type.String({ format: 'uuid' }),
    username: Type.String(),
    name: Type.String(),
    role: RoleName,
  }),
  organization: Type.Object({
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    time_zone: Type.String(),
    npi: Type.Optional(Type.String()),
  }),
  scopes: Type.Array(Type.String()),
  csrf_token: Type.String(),
  idle_expires_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  must_change_password: Type.Boolean(),
  /** False for a user who signs in only through an identity provider. */
  has_password: Type.Boolean(),
})
export type Session = Static<typeof Session>

const describeStatement: Statement = {
  name: 'user_session_describe',
  text: `select json_strip_nulls(json_build_object(
      'user', json_build_object('id', a.id, 'username', a.username, 'name', u.name, 'role', a.role),
      'organization', json_build_object('id', o.id, 'name', o.name, 'time_zone', o.time_zone, 'npi', o.npi),
      'idle_expires_at', ${instant(`least(s.expires_at, s.last_used_at + ${IDLE})`)}, 'expires_at', ${instant('s.expires_at')},
      'must_change_password', a.must_change_password, 'has_password', ${HAS_PASSWORD}))::text
    from user_session s join user_account a on a.organization_id = s.organization_id and a.id = s.user_id
      join app_user u on u.organization_id = a.organization_id and u.id = a.id
      join organization o on o.id = s.organization_id
    where s.organization_id = $1 and s.id = $2`,
}

/** Also of a session that has just ended: the caller has verified it. Undefined when it was removed. */
export async function describeSession(
  database: Pick<Database, 'rowByKey'>,
  { organizationId, id }: SessionKey,
): Promise<Omit<Session, 'scopes' | 'csrf_token'> | undefined> {
  const row = await database.rowByKey(describeStatement, [organizationId, id])
  return row?.[0] ? JSON.parse(row[0]) : undefined
}

/** A session in a list. */
export const ListedSession = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_id: Type.String({ format: 'uuid' }),
  user_name: Type.String(),
  address: Type.String(),
  user_agent: Type.Optional(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  is_current: Type.Boolean(),
})

const listStatement: Statement = {
  name: 'user_session_list',
  text: `select json_strip_nulls(json_build_object('id', s.id, 'user_id', s.user_id, 'user_name', u.name, 'address', s.address,
      'user_agent', s.user_agent, 'created_at', ${instant('s.created_at')}, 'last_used_at', ${instant('s.last_used_at')},
      'expires_at', ${instant('s.expires_at')}, 'is_current', s.id = $3::uuid))::text
    from user_session s join app_user u on u.organization_id = s.organization_id and u.id = s.user_id
    where s.organization_id = $1 and ($2::uuid is null or s.user_id = $2) and ${IS_LIVE}
    order by s.last_used_at desc, s.id limit 1000`,
}

/** The live sessions of a user, or of all users; the caller's own session is marked. */
export async function listSessions(
  database: Rows,
  { organizationId, id }: SessionKey,
  userId: string | undefined,
): Promise<string[]> {
  const rows = await database.rows(listStatement, [organizationId, userId ?? null, id])
  return rows.map(([json]) => json ?? '')
}

const endStatement: Statement = {
  name: 'user_session_end',
  text: `delete from user_session where organization_id = $1 and id = $2 and ($3::uuid is null or user_id = $3) returning user_id`,
}

/** Ends a session, of the given user if there is one. Returns whether the session existed. */
export async function endSession(
  database: Rows,
  { organizationId, id }: SessionKey,
  userId?: string,
): Promise<boolean> {
  return (await database.row(endStatement, [organizationId, id, userId ?? null])) !== undefined
}

// A statement of its own, so that the deletion sees the sessions of sign-ins that held the account until then.
const countEndStatement: Statement = {
  name: 'user_session_count_end',
  text: 'update user_account set sessions_ended = sessions_ended + 1 where organization_id = $1 and id = $2 returning sessions_ended',
}

const endAllStatement: Statement = {
  name: 'user_session_end_all',
  text: 'delete from user_session where organization_id = $1 and user_id = $2 and ($3::uuid is null or id <> $3)',
}

/**
 * Ends every session of a user, except the kept one: after a change of what the user signs in with or of the role, and when the user is
 * disabled. A sign-in that is under way starts no session. Returns the user for a new session. `database` is a transaction.
 */
export async function endSessionsOf(database: Rows, user: UserKey, kept?: string): Promise<ProvenUser> {
  const { organizationId, id } = user
  const row = await database.row(countEndStatement, [organizationId, id])
  await database.rows(endAllStatement, [organizationId, id, kept ?? null])
  return { organizationId, id, sessionsEnded: Number(row?.[0]) }
}

const isLiveStatement: Statement = {
  name: 'user_session_is_live',
  text: `select 1 from user_session s where organization_id = $1 and id = $2 and user_id = $3 and ${IS_LIVE}`,
}

/**
 * Locks the user's account until the transaction ends, if the session is still live. What a session may change about its user's sign-in must
 * not be changed after the session was ended, also not by a call that was admitted before. @throws UnauthorizedError (401)
 */
export async function holdLiveSession(
  database: Rows,
  { organizationId, userId, sessionId = '' }: Actor,
): Promise<void> {
  await holdAccount(database, { organizationId, id: userId })
  const row = await database.row(isLiveStatement, [organizationId, sessionId, userId])
  if (!row) throw sessionEnded()
}

export const sessionEnded = () => unauthorized('the session has ended: sign in again')
