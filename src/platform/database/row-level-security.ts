// How a connection comes under row-level security. What it is made of: migrations/0030_tenant_wall.sql;
// why: decisions/0011-row-level-security.md.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isUuid } from '../../contract/formats.ts'
import { StartupError } from '../startup-error.ts'
import { queryWithin } from './bounded-query.ts'
import type { Database, Statement, TextRow, TextRows } from './database.ts'

/** The role of every statement of one organization. */
export const APPLICATION_ROLE = 'anteroom_app'

/** Start-up options of a connection under row-level security: a role that owns no table, and the restricted views before the tables. */
export const APPLICATION_OPTIONS = `-c role=${APPLICATION_ROLE} -c search_path=walled,public`

const enterStatement: Statement = {
  name: 'organization_enter',
  text: `select set_config('anteroom.organization', $1, false)`,
}

/** Statements of one organization, or of none: its rows are all that there is for them. */
export interface RowLevelSecurity {
  /** Sends a statement under row-level security of the organization that its $1 names; without one it finds no organization's row. */
  ask(client: pg.ClientBase, statement: Statement | string, values: unknown[]): Promise<TextRows>
  /** A rollback takes back also where the connection stood. */
  forget(client: pg.ClientBase): unknown
}

interface Standing {
  organization: string
  entered: Promise<unknown>
}

/**
 * Remembers where each connection stands, so that only a change is sent: in one packet with the statement, on connections that
 * pipeline. A statement whose organization could not be entered fails, whatever it found.
 */
export function applyRowLevelSecurity(): RowLevelSecurity {
  const standings = new WeakMap<pg.ClientBase, Standing>()

  function enter(client: pg.ClientBase, organization: string): Standing {
    const entered = client.query({ ...enterStatement, values: [organization] })
    const standing = { organization, entered }
    standings.set(client, standing)
    entered.catch(() => standings.get(client) === standing && standings.delete(client))
    return standing
  }

  return {
    async ask(client, statement, values) {
      const organization = organizationOf(values)
      const known = standings.get(client)
      const { entered } = known?.organization === organization ? known : enter(client, organization)
      const [rows] = await Promise.all([send(client, statement, values), entered])
      return rows
    },
    forget: (client) => standings.delete(client),
  }
}

/** Statements as they are, on connections that see every organization. */
export const withoutRowLevelSecurity: RowLevelSecurity = { ask: send, forget() {} }

async function send(client: pg.ClientBase, statement: Statement | string, values: unknown[]): Promise<TextRows> {
  const { timeoutMs, maxBytes, ...named } = typeof statement === 'string' ? { text: statement } : statement
  const query = { ...named, ...(timeoutMs && { query_timeout: timeoutMs }), values, rowMode: 'array' as const }
  if (maxBytes !== undefined) return queryWithin(client, query, maxBytes)
  return (await client.query<TextRow>(query)).rows
}

/** By convention $1 of a statement that reads or writes an organization's rows is the organization; '' for every other statement. */
export function organizationOf([first]: unknown[]): string {
  return typeof first === 'string' && isUuid(first) ? first : ''
}

const GRANT_ATTEMPTS = 20
const RETRY_MS = 100
const INSUFFICIENT_PRIVILEGE = '42501'
/** What SET ROLE says of a role that is not there (invalid_parameter_value). */
const NO_SUCH_ROLE = '22023'

/**
 * Makes sure that this login may act as the application's role, making it where it may: roles belong to the cluster, so another
 * database's start may be making it at the same moment. @throws StartupError with the SQL that somebody with more rights runs once.
 */
export async function ensureApplicationRole(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await mayAct(database)) return
    try {
      await makeRole(database)
      return
    } catch (error) {
      const isRefused = (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE
      if (!isRefused && attempt < GRANT_ATTEMPTS) await delay(RETRY_MS)
      else if (await mayAct(database)) return
      else throw isRefused ? await explainRefusal(database, error) : error
    }
  }
}

/**
 * That a connection for calls is under row-level security, and may use what the migrations made: a pooler between us and the database may leave
 * out the start-up options, and everything else would go on working. @throws StartupError
 */
export async function requireRowLevelSecurity(database: Database): Promise<void> {
  const [role, path, mayUse] =
    (await database.row(
      `select current_user, replace(current_setting('search_path'), ' ', ''), has_schema_privilege('public', 'usage')
        from (select $1::uuid) nobody`,
      [null],
    )) ?? []
  if (role === APPLICATION_ROLE && path === 'walled,public') {
    if (mayUse === 't') return
    throw new StartupError(
      `the role ${APPLICATION_ROLE} may not use the schema public. Its owner runs once: grant usage on schema public to ${APPLICATION_ROLE};`,
    )
  }
  throw new StartupError(
    'connections to DATABASE_URL do not keep the options that they start with (role, search_path), which is what keeps organizations apart: ' +
      'connect to PostgreSQL itself, or through a pooler that hands start-up options on and keeps sessions',
  )
}

async function mayAct(database: Database): Promise<boolean> {
  try {
    await database.transaction((transaction) => transaction.rows(`set local role ${APPLICATION_ROLE}`))
    return true
  } catch (error) {
    if ([INSUFFICIENT_PRIVILEGE, NO_SUCH_ROLE].includes((error as { code?: string }).code ?? '')) return false
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
    `the login of DATABASE_URL may not act as the role ${APPLICATION_ROLE}. Somebody who may create roles runs once: ` +
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${row?.[0]};`,
    { cause },
  )
}
