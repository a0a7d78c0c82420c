// The role under which row-level security applies: creating it, and verifying that connections have it.
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import type { Database } from './database.ts'
import { PROPAGATING_OPTION } from './distributed-isolation.ts'
import { INSUFFICIENT_PRIVILEGE } from './errors.ts'

/** The role for all statements of one organization. */
export const APPLICATION_ROLE = 'anteroom_app'

/**
 * The start-up options of a connection with row-level security: a role that owns no table, and the restricted views
 * before the tables.
 */
export const APPLICATION_OPTIONS = `-c role=${APPLICATION_ROLE} -c search_path=walled,public ${PROPAGATING_OPTION}`

const GRANT_ATTEMPTS = 20
const RETRY_MS = 100
/** The error code of SET ROLE for a role that does not exist (invalid_parameter_value). */
const NO_SUCH_ROLE = '22023'

/**
 * Ensures that this login may use the application's role, and creates the role where it may. Roles belong to the
 * cluster, so the start on another database may be creating it at the same moment.
 * @throws StartupError with the SQL that an administrator has to run once.
 */
export async function ensureApplicationRole(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await mayAct(database)) return
    try {
      await makeRole(database)
      return
    } catch (error) {
      const isRefused = codeOf(error) === INSUFFICIENT_PRIVILEGE
      if (!isRefused && attempt < GRANT_ATTEMPTS) await delay(RETRY_MS)
      else if (await mayAct(database)) return
      else throw isRefused ? await explainRefusal(database, error) : error
    }
  }
}

/**
 * Verifies that connections for calls are subject to row-level security and may use what the migrations created. A
 * pooler in between may drop the start-up options, and everything else would still work.
 * @throws StartupError
 */
export async function requireRowLevelSecurity(database: Database): Promise<void> {
  const [role, path, mayUse] =
    (await database.row(
      `select current_user, replace(current_setting('search_path'), ' ', ''), has_schema_privilege('public', 'usage')
        from (select $1::uuid) no_organization`,
      [null],
    )) ?? []
  if (role === APPLICATION_ROLE && path === 'walled,public') {
    if (mayUse === 't') return
    throw new StartupError(
      `the role ${APPLICATION_ROLE} may not use the schema public. Its owner runs once: grant usage on schema public to ${APPLICATION_ROLE};`,
    )
  }
  throw new StartupError(
    'connections to DATABASE_URL do not keep the options that they start with (role, search_path), which isolate organizations from each other: ' +
      'connect to PostgreSQL itself, or through a pooler that passes on start-up options and keeps sessions',
  )
}

async function mayAct(database: Database): Promise<boolean> {
  try {
    await database.transaction((transaction) => transaction.rows(`set local role ${APPLICATION_ROLE}`))
    return true
  } catch (error) {
    if ([INSUFFICIENT_PRIVILEGE, NO_SUCH_ROLE].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

async function makeRole(database: Database): Promise<void> {
  await database.rows(
    `do $$ begin
      if not exists (select from pg_roles where rolname = '${APPLICATION_ROLE}') then create role ${APPLICATION_ROLE} nologin; end if;
      execute 'grant ${APPLICATION_ROLE} to current_user';
    end $$`,
  )
}

async function explainRefusal(database: Database, cause: unknown): Promise<StartupError> {
  const row = await database.row('select quote_ident(current_user)')
  return new StartupError(
    `the login of DATABASE_URL may not act as the role ${APPLICATION_ROLE}. An administrator who may create roles has to run once: ` +
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${row?.[0]};`,
    { cause },
  )
}
