// Verifies a username and a password. decisions/0045-people-and-sessions.md
import type { Database, Statement } from '../database/database.ts'
import type { Passwords } from './passwords.ts'
import type { ProvenUser } from './session-store.ts'
import { hasSecondFactor, type UserKey } from './user-account.ts'

/** Both statements find a row by a unique key. */
type Rows = Pick<Database, 'rowByKey'>

/** An account as sign-in reads it. */
interface Account extends ProvenUser {
  passwordHash: string
  /** False for a disabled user, and for a one-time password that has expired. */
  maySignIn: boolean
  /** Whether sign-in requires a code in addition to the password. */
  hasSecondFactor: boolean
}

const COLUMNS = `organization_id, id, password_hash, disabled_at is null and (password_expires_at is null or password_expires_at > now()), ${hasSecondFactor('a.organization_id')}, sessions_ended`

const byNameStatement: Statement = {
  name: 'user_account_by_name',
  text: `select ${COLUMNS} from user_account a where username = $1`,
}

/** In any organization, because a sign-in does not name one. */
export async function findAccount(database: Rows, username: string): Promise<Account | undefined> {
  return accountOf(await database.rowByKey(byNameStatement, [username]))
}

const byKeyStatement: Statement = {
  name: 'user_account_by_key',
  text: `select ${COLUMNS} from user_account a where organization_id = $1 and id = $2`,
}

/** Also for a user who may not sign in (`maySignIn`); undefined when there is no account. */
export async function readAccount(database: Rows, { organizationId, id }: UserKey): Promise<Account | undefined> {
  return accountOf(await database.rowByKey(byKeyStatement, [organizationId, id]))
}

function accountOf(row: string[] | undefined): Account | undefined {
  if (!row) return undefined
  const [organizationId = '', id = '', passwordHash = '', maySignIn, hasSecondFactor, sessionsEnded] = row
  return {
    organizationId,
    id,
    passwordHash,
    maySignIn: maySignIn === 't',
    hasSecondFactor: hasSecondFactor === 't',
    sessionsEnded: Number(sessionsEnded),
  }
}

/** Whether this password is correct for this account. Every refusal takes the same steps and the same time. */
export async function admits(
  passwords: Passwords,
  account: Account | undefined,
  password: string,
  sharer: string,
): Promise<boolean> {
  const isRight = await passwords.matches(password, account?.passwordHash, sharer)
  return isRight && account?.maySignIn === true
}
