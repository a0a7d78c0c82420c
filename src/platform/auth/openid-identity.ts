// Which person of the organization somebody is whom the identity provider has signed in. decisions/0059-openid-connect.md
import { randomInt } from 'node:crypto'
import type { Database, Statement } from '../database/database.ts'
import { violatedConstraint } from '../database/errors.ts'
import type { OpenIdClaims } from './openid-provider.ts'
import type { OpenIdSettings } from './openid-settings.ts'
import type { Role } from './roles.ts'
import { endSessionsOf } from './session-store.ts'
import { findAccount } from './sign-in.ts'
import {
  canonicalUsername,
  createManagedUser,
  NAME_MAX,
  readUser,
  USERNAME,
  type UserKey,
  updateUser,
} from './user-account.ts'

type Rows = Pick<Database, 'rows' | 'row'>

/** Why somebody is not let in, for the log; the person is told that they are not. */
export class IdentityRefused extends Error {
  /** Whose account it is, where there is one. */
  readonly user: UserKey | undefined

  constructor(message: string, { user, cause }: { user?: UserKey; cause?: unknown } = {}) {
    super(message, { cause })
    this.user = user
  }
}

export interface Identity {
  issuer: string
  subject: string
}

const findStatement: Statement = {
  name: 'user_identity_find',
  text: `select i.user_id, i.is_managed, a.disabled_at is not null from user_identity i
    join user_account a on a.organization_id = i.organization_id and a.id = i.user_id
    where i.organization_id = $1 and i.issuer = $2 and i.subject = $3`,
}

/**
 * The person with this issuer and subject. Without one it is made where the provider gives it a role: nobody is found by a name or an e-mail
 * address, since that would give an account to whoever can have the provider say so. `database` is a transaction. @throws IdentityRefused
 */
export async function admitIdentity(
  database: Rows,
  { settings, organizationId, newId }: { settings: OpenIdSettings; organizationId: string; newId(): string },
  issuer: string,
  claims: OpenIdClaims,
): Promise<{ user: UserKey; isNew: boolean }> {
  const role = settings.roles.find(({ value }) => claims.values.includes(value))?.role
  const [id, isManaged, isDisabled] =
    (await database.row(findStatement, [organizationId, issuer, claims.subject])) ?? []
  if (id === undefined) {
    if (!role) throw new IdentityRefused('no value of the role claim gives a role')
    const user = { organizationId, id: newId() }
    await make(database, user, { issuer, subject: claims.subject }, claims, role)
    return { user, isNew: true }
  }
  const user = { organizationId, id }
  if (isDisabled === 't') throw new IdentityRefused('the user is disabled', { user })
  if (isManaged === 't') await follow(database, user, role)
  return { user, isNew: false }
}

/** Whom the provider gives another role has it here, and whom it gives none is kept out. */
async function follow(database: Rows, key: UserKey, role: Role | undefined): Promise<void> {
  const user = await readUser(database, key)
  if (!user || !role) throw new IdentityRefused('no value of the role claim gives a role', { user: key })
  if (user.role === role) return
  await updateUser(database, key, { ...user, role: role as typeof user.role })
  await endSessionsOf(database, key.organizationId, key.id)
}

async function make(database: Rows, key: UserKey, identity: Identity, claims: OpenIdClaims, role: Role) {
  const wanted = canonicalUsername(claims.username ?? '')
  const username = await freeUsername(database, key.organizationId, USERNAME.test(wanted) ? wanted : `user.${key.id}`)
  const name = (claims.name ?? username).slice(0, NAME_MAX)
  await createManagedUser(database, key, { username, name, role })
  await insertIdentity(database, key, identity, true)
}

/** Names are one namespace over all organizations: one that another organization's person has is told apart by a number. @throws IdentityRefused */
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

/** @throws IdentityRefused where the subject, or the user, is linked already. */
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

/** Returns whether the user was linked. One whom the provider has made stays its own: without a password nothing else would let them in. */
export async function removeIdentity(database: Rows, { organizationId, id }: UserKey): Promise<boolean> {
  return (await database.row(removeStatement, [organizationId, id])) !== undefined
}
