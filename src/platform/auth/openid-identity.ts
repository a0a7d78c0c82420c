// Finds or creates the user whom the identity provider has signed in. decisions/0059-openid-connect.md
import { randomInt } from 'node:crypto'
import type { Database, Statement } from '../database/database.ts'
import { violatedConstraint } from '../database/errors.ts'
import type { OpenIdClaims } from './openid-provider.ts'
import type { OpenIdSettings } from './openid-settings.ts'
import type { Role } from './roles.ts'
import { endSessionsOf, type ProvenUser } from './session-store.ts'
import { findAccount } from './sign-in.ts'
import {
  canonicalUsername,
  createManagedUser,
  holdUser,
  NAME_MAX,
  USERNAME,
  type UserKey,
  updateUser,
} from './user-account.ts'

type Rows = Pick<Database, 'rows' | 'row' | 'rowByKey'>

/** The reason of a refusal, for the log. The user sees one message for every reason. */
export class IdentityRefused extends Error {
  /** The account, if there is one. */
  readonly user: UserKey | undefined

  constructor(message: string, { user, cause }: { user?: UserKey; cause?: unknown } = {}) {
    super(message, { cause })
    this.user = user
  }
}

interface Identity {
  issuer: string
  subject: string
}

const findStatement: Statement = {
  name: 'user_identity_find',
  text: `select i.user_id, i.is_managed, a.disabled_at is not null, a.sessions_ended, a.role from user_identity i
    join user_account a on a.organization_id = i.organization_id and a.id = i.user_id
    where i.organization_id = $1 and i.issuer = $2 and i.subject = $3`,
}

/**
 * The user with this issuer and subject. An unknown one is created if the provider gives a role. Users are never matched by name or e-mail
 * address: an attacker who can make the provider state an address would get the account. `database` is a transaction. @throws IdentityRefused
 */
export async function admitIdentity(
  database: Rows,
  { settings, organizationId, newId }: { settings: OpenIdSettings; organizationId: string; newId(): string },
  issuer: string,
  claims: OpenIdClaims,
): Promise<{ user: ProvenUser; isNew: boolean }> {
  const role = settings.roles.find(({ value }) => claims.values.includes(value))?.role
  const [id, isManaged, isDisabled, sessionsEnded, roleBefore] =
    (await database.row(findStatement, [organizationId, issuer, claims.subject])) ?? []
  if (id === undefined) {
    if (!role) throw new IdentityRefused('no value of the role claim gives a role')
    const user = { organizationId, id: newId(), sessionsEnded: 0 }
    await make(database, user, { issuer, subject: claims.subject }, claims, role)
    return { user, isNew: true }
  }
  const user = { organizationId, id, sessionsEnded: Number(sessionsEnded) }
  if (isDisabled === 't') throw isDisabledError(user)
  if (isManaged !== 't') return { user, isNew: false }
  if (!role) throw new IdentityRefused('no value of the role claim gives a role', { user })
  return { user: role === roleBefore ? user : await follow(database, user, role), isNew: false }
}

/** Applies the role that the provider gives. An administrator may have disabled the user meanwhile. */
async function follow(database: Rows, key: UserKey, role: Role): Promise<ProvenUser> {
  const user = await holdUser(database, key)
  if (!user || user.disabled) throw isDisabledError(key)
  await updateUser(database, key, { ...user, role: role as typeof user.role })
  return endSessionsOf(database, key)
}

const isDisabledError = (user: UserKey) => new IdentityRefused('the user is disabled', { user })

async function make(database: Rows, key: UserKey, identity: Identity, claims: OpenIdClaims, role: Role) {
  const wanted = canonicalUsername(claims.username ?? '')
  const username = await freeUsername(database, key.organizationId, USERNAME.test(wanted) ? wanted : `user.${key.id}`)
  const name = (claims.name ?? username).slice(0, NAME_MAX)
  await createManagedUser(database, key, { username, name, role })
  await insertIdentity(database, key, identity, true)
}

/** Usernames are one namespace over all organizations: a number distinguishes a name that another organization uses. @throws IdentityRefused */
async function freeUsername(database: Rows, organizationId: string, wanted: string): Promise<string> {
  const holder = await findAccount(database, wanted)
  if (!holder) return wanted
  if (holder.organizationId === organizationId) {
    throw new IdentityRefused('a user with this name exists: link it with anteroom user link')
  }
  return freeUsername(database, organizationId, `${wanted.slice(0, 90)}.${randomInt(1000, 10_000)}`)
}

const insertStatement: Statement = {
  name: 'user_identity_create',
  text: `insert into user_identity (organization_id, issuer, subject, user_id, is_managed) values ($1, $2, $3, $4, $5)`,
}

/** @throws IdentityRefused if the subject or the user is already linked. */
export async function insertIdentity(
  database: Rows,
  { organizationId, id }: UserKey,
  { issuer, subject }: Identity,
  isManaged: boolean,
): Promise<void> {
  try {
    await database.rows(insertStatement, [organizationId, issuer, subject, id, isManaged])
  } catch (error) {
    if (!/^user_identity_(pkey|user_unique)$/.test(violatedConstraint(error) ?? '')) throw error
    throw new IdentityRefused('the subject or the user is linked already', { cause: error })
  }
}

const removeStatement: Statement = {
  name: 'user_identity_remove',
  text: 'delete from user_identity where organization_id = $1 and user_id = $2 and not is_managed returning user_id',
}

/** Returns whether the user was linked. A user without a password stays linked, because they could not sign in otherwise. */
export async function removeIdentity(database: Rows, { organizationId, id }: UserKey): Promise<boolean> {
  return (await database.row(removeStatement, [organizationId, id])) !== undefined
}
