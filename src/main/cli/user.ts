import { v7 as uuidv7 } from 'uuid'
import { readConfig } from '../../config.ts'
import { findOrganization } from '../../platform/auth/clients.ts'
import { IdentityRefused, insertIdentity, removeIdentity } from '../../platform/auth/openid-identity.ts'
import { readOpenIdSettings } from '../../platform/auth/openid-settings.ts'
import { removePasskeys } from '../../platform/auth/passkey-store.ts'
import { createPasswords, makePassword } from '../../platform/auth/passwords.ts'
import type { Role } from '../../platform/auth/roles.ts'
import { removeSecondFactor } from '../../platform/auth/second-factor.ts'
import { endSessionsOf } from '../../platform/auth/session-store.ts'
import { findAccount } from '../../platform/auth/sign-in.ts'
import {
  canonicalUsername,
  createUser,
  holdUser,
  listUsers,
  NAME_MAX,
  resetPassword,
  USERNAME,
  type User,
  type UserKey,
  UsernameTaken,
  updateUser,
} from '../../platform/auth/user-account.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { changeDatabase } from './program/change-database.ts'
import { type CommandLine, requireFlag, requireWord, UsageError } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { reveal } from './program/reveal.ts'
import { withDatabase } from './program/with-database.ts'

export async function create(line: CommandLine): Promise<void> {
  const [username, organization] = [readUsername(line), requireFlag(line, 'organization')]
  // One of the choices of the flag.
  const role = requireFlag(line, 'role') as Role
  const name = String(line.flags.name ?? username)
  if (name.length > NAME_MAX) throw new UsageError(`--name must have at most ${NAME_MAX} characters`)
  const { password, hash } = await makePassword(createPasswords(), username)
  const make = async (database: SystemDatabase) => {
    const { organization_id: organizationId } = await findOrganization(database, organization)
    const key = { organizationId, id: uuidv7() }
    await createUser(database, key, { username, name, role, hash }).catch((error: unknown) => {
      throw error instanceof UsernameTaken ? new StartupError(taken(username)) : error
    })
    return key
  }
  await reveal(line, (show) =>
    changeDatabase('user create', make, userOf, ({ id }) => show({ id, username, role, one_time_password: password })),
  )
}

/** A command that was interrupted at its end may have created the user. */
const taken = (username: string) =>
  `the username ${username} is taken; if a command that created it was interrupted, anteroom user reset ${username} shows another one-time password`

export async function list(line: CommandLine): Promise<void> {
  const organization = requireFlag(line, 'organization')
  const users = await withDatabase(async ({ systemDatabase }) => {
    const { organization_id } = await findOrganization(systemDatabase, organization)
    const rows = await listUsers(systemDatabase, organization_id, { from: 0, count: null })
    return rows.map(([json]): User => JSON.parse(json ?? ''))
  })
  printTable(
    line,
    users.map(({ id, username, name, role, disabled, second_factor, last_signed_in_at = '' }) => ({
      id,
      username,
      name,
      role,
      disabled,
      second_factor,
      last_signed_in_at,
    })),
  )
}

export async function reset(line: CommandLine): Promise<void> {
  if (line.flags['second-factor']) return resetSecondFactor(line)
  const username = readUsername(line)
  const { password, hash } = await makePassword(createPasswords(), username)
  const reset = async (database: SystemDatabase, key: UserKey) => {
    await endSessionsOf(database, key)
    if (!(await resetPassword(database, key, hash)))
      throw new StartupError(`${username} has no password: the user signs in with the identity provider`)
    await removePasskeys(database, key)
    return key
  }
  await reveal(line, (show) =>
    changeUser('user reset', username, reset, () => show({ username, one_time_password: password })),
  )
}

async function resetSecondFactor(line: CommandLine): Promise<void> {
  const username = readUsername(line)
  const { wasOn } = await changeUser('user reset', username, async (database, key) => {
    await endSessionsOf(database, key)
    await removePasskeys(database, key)
    return { ...key, wasOn: await removeSecondFactor(database, key) }
  })
  printObject(line, { username, second_factor: wasOn ? 'removed' : 'was off' })
}

/** Links a user who has a password to an account of the identity provider. */
export async function link(line: CommandLine): Promise<void> {
  const [username, subject] = [readUsername(line), requireFlag(line, 'subject')]
  const issuer = readIssuer()
  await changeUser('user link', username, async (database, key) => {
    await insertIdentity(database, key, { issuer, subject }, false).catch((error: unknown) => {
      throw error instanceof IdentityRefused ? new StartupError(error.message) : error
    })
    return key
  })
  printObject(line, { username, issuer, subject })
}

export async function unlink(line: CommandLine): Promise<void> {
  const username = readUsername(line)
  await changeUser('user unlink', username, async (database, key) => {
    if (!(await removeIdentity(database, key))) throw new StartupError(`${username} is not linked`)
    await endSessionsOf(database, key)
    return key
  })
  printObject(line, { username, linked: false })
}

function readIssuer(): string {
  const settings = readOpenIdSettings(readConfig())
  if (!settings) throw new StartupError('OIDC_ISSUER is not set: there is no identity provider')
  return settings.issuer.href
}

export const disable = (line: CommandLine): Promise<void> => switchUser(line, 'user disable', true)
export const enable = (line: CommandLine): Promise<void> => switchUser(line, 'user enable', false)

async function switchUser(line: CommandLine, operation: string, disabled: boolean): Promise<void> {
  const username = readUsername(line)
  await changeUser(operation, username, async (database, key, user) => {
    await updateUser(database, key, { ...user, disabled })
    if (disabled) await endSessionsOf(database, key)
    return key
  })
  printObject(line, { username, disabled })
}

/** Changes the user with this username, in any organization; the user is held meanwhile. @throws StartupError when there is none. */
function changeUser<T extends UserKey>(
  operation: string,
  username: string,
  work: (database: SystemDatabase, key: UserKey, user: User) => Promise<T>,
  show?: (result: T) => Promise<void>,
): Promise<T> {
  const find = async (database: SystemDatabase) => {
    const account = await findAccount(database, username)
    const user = account && (await holdUser(database, account))
    if (!user) throw new StartupError(`there is no user ${username}`)
    return work(database, { organizationId: account.organizationId, id: account.id }, user)
  }
  return changeDatabase(operation, find, userOf, show)
}

const userOf = ({ organizationId, id }: UserKey) => ({ organizationId, type: 'user', ids: [id] })

function readUsername(line: CommandLine): string {
  const username = canonicalUsername(requireWord(line, 0, 'a username'))
  if (USERNAME.test(username)) return username
  throw new UsageError('a username has 2 to 100 letters, digits or . _ @ + - and begins with a letter or a digit')
}
