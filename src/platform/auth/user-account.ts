// The stored user accounts. decisions/0045-people-and-sessions.md
import { type Static, Type } from 'typebox'
import type { Database, TextRows } from '../database/database.ts'
import { violatedConstraint } from '../database/errors.ts'
import { instant } from '../database/instant.ts'
import { holdOrganization } from './hold-organization.ts'
import { ROLES, type Role } from './roles.ts'

type Rows = Pick<Database, 'rows' | 'row'>

export const RoleName = Type.Union(ROLES.map((role) => Type.Literal(role)))

/** A username: an e-mail address or a short name; case is ignored. */
export const USERNAME = /^[a-z0-9][a-z0-9._@+-]{1,99}$/
export const NAME_MAX = 200
/** The validity of a one-time password, which another user created. */
const ONE_TIME_PASSWORD_DAYS = 7

export const User = Type.Object({
  id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  name: Type.String(),
  role: RoleName,
  disabled: Type.Boolean(),
  must_change_password: Type.Boolean(),
  second_factor: Type.Boolean(),
  last_signed_in_at: Type.Optional(Type.String({ format: 'date-time' })),
  created_at: Type.String({ format: 'date-time' }),
})
export type User = Static<typeof User>

export interface UserKey {
  organizationId: string
  id: string
}

/** Whether the account `a` has an active second factor; `organization` is SQL. */
export const hasSecondFactor = (organization: string) => `exists (select 1 from user_second_factor f
  where f.organization_id = ${organization} and f.user_id = a.id and f.confirmed_at is not null)`

const USER_JSON = `json_strip_nulls(json_build_object('id', a.id, 'username', a.username, 'name', u.name, 'role', a.role,
  'disabled', a.disabled_at is not null, 'must_change_password', a.must_change_password,
  'second_factor', ${hasSecondFactor('$1')}, 'last_signed_in_at', ${instant('a.last_signed_in_at')}, 'created_at', ${instant('a.created_at')}))::text`

const FROM = 'from user_account a join app_user u on u.organization_id = a.organization_id and u.id = a.id'

/** The form in which usernames are stored and compared. */
export const canonicalUsername = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** The username is already in use. */
export class UsernameTaken extends Error {}

const insertStatement = {
  name: 'user_account_create',
  text: `with made as (insert into app_user (organization_id, id, name) values ($1, $2, $4))
    insert into user_account (organization_id, id, username, role, password_hash, must_change_password, password_expires_at)
    values ($1, $2, $3, $5, $6, $7, case when $7 then now() + interval '${ONE_TIME_PASSWORD_DAYS} days' end)`,
}

/**
 * Creates a user with a password, which is stored only as a hash. Unless `isKept`, the user must choose another one at the first sign-in.
 * @throws UsernameTaken
 */
export const createUser = (
  database: Rows,
  key: UserKey,
  user: { username: string; name: string; role: Role; hash: string; isKept?: boolean },
): Promise<void> => insert(database, key, user, user.hash, user.isKept !== true)

/** Stored in place of a hash: no password matches. */
const NO_PASSWORD = ''
/** Whether the user of the account `a` signs in with a password, not only through an identity provider. */
export const HAS_PASSWORD = `a.password_hash <> '${NO_PASSWORD}'`

/** Creates a user who signs in only through the identity provider. @throws UsernameTaken */
export const createManagedUser = (database: Rows, key: UserKey, user: { username: string; name: string; role: Role }) =>
  insert(database, key, user, NO_PASSWORD, false)

async function insert(
  database: Rows,
  { organizationId, id }: UserKey,
  { username, name, role }: { username: string; name: string; role: Role },
  hash: string,
  mustChangePassword: boolean,
): Promise<void> {
  try {
    await database.rows(insertStatement, [organizationId, id, username, name, role, hash, mustChangePassword])
  } catch (error) {
    if (violatedConstraint(error) !== 'user_account_username_unique') throw error
    throw new UsernameTaken('this username is taken', { cause: error })
  }
}

const listStatement = {
  name: 'user_account_list',
  text: `select ${USER_JSON} ${FROM} where a.organization_id = $1 order by a.created_at, a.id limit $2 offset $3`,
}

/** Users as JSON, oldest first. A user is never removed, so that a place in this order does not change. */
export const listUsers = (
  database: Rows,
  organizationId: string,
  { from, count }: { from: number; count: number | null },
): Promise<TextRows> => database.rows(listStatement, [organizationId, count, from])

const readStatement = {
  name: 'user_account_get',
  text: `select ${USER_JSON} ${FROM} where a.organization_id = $1 and a.id = $2`,
}

export async function readUser(database: Rows, { organizationId, id }: UserKey): Promise<User | undefined> {
  const row = await database.row(readStatement, [organizationId, id])
  return row?.[0] ? JSON.parse(row[0]) : undefined
}

const updateStatement = {
  name: 'user_account_update',
  text: `with named as (update app_user set name = $3 where organization_id = $1 and id = $2 and name <> $3)
    update user_account set role = $4, updated_at = now(),
      disabled_at = case when $5 then coalesce(disabled_at, moment.at) end
    from (select now() as at) moment where organization_id = $1 and id = $2`,
}

/** Replaces all three: the transaction holds the user (`holdUser`), so that nobody else's change is undone. */
export async function updateUser(
  database: Rows,
  { organizationId, id }: UserKey,
  { name, role, disabled }: Pick<User, 'name' | 'role' | 'disabled'>,
): Promise<void> {
  await database.rows(updateStatement, [organizationId, id, name, role, disabled])
}

const passwordStatement = {
  name: 'user_account_password',
  text: `update user_account a set password_hash = $3, must_change_password = $4, updated_at = now(),
      password_expires_at = case when $4 then moment.expires_at end
    from (select now() + interval '${ONE_TIME_PASSWORD_DAYS} days' as expires_at) moment where organization_id = $1 and id = $2 and ${HAS_PASSWORD} returning id`,
}

/** Stores the hash of a one-time password. False for a user who signs in only through an identity provider. */
export async function resetPassword(database: Rows, { organizationId, id }: UserKey, hash: string): Promise<boolean> {
  return (await database.row(passwordStatement, [organizationId, id, hash, true])) !== undefined
}

/** Stores the hash of a password that the user chose. */
export async function changePassword(database: Rows, { organizationId, id }: UserKey, hash: string): Promise<void> {
  await database.rows(passwordStatement, [organizationId, id, hash, false])
}

const administratorsStatement = {
  name: 'user_account_administrators',
  text: `select id from user_account where organization_id = $1 and role = 'administrator' and disabled_at is null limit 2`,
}

const holdStatement = {
  name: 'user_account_hold',
  text: 'select 1 from user_account where organization_id = $1 and id = $2 for no key update',
}

/** Locks an account until the transaction ends, before anything else that belongs to the user. */
export async function holdAccount(transaction: Rows, { organizationId, id }: UserKey): Promise<void> {
  await transaction.rows(holdStatement, [organizationId, id])
}

/**
 * The user, locked until the transaction ends. The users of an organization are administered one after the other, so that two changes
 * cannot each leave the other's administrator as the last one, nor wait for each other.
 */
export async function holdUser(transaction: Rows, key: UserKey): Promise<User | undefined> {
  await holdOrganization(transaction, key.organizationId)
  await holdAccount(transaction, key)
  return readUser(transaction, key)
}

/** Whether this user is the organization's only administrator. The transaction has locked the user (`holdUser`). */
export async function isLastAdministrator(database: Rows, { organizationId, id }: UserKey): Promise<boolean> {
  const rows = await database.rows(administratorsStatement, [organizationId])
  return rows.length === 1 && rows[0]?.[0] === id
}
