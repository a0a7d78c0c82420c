// How connections are subject to row-level security. Its definition: migrations/0030_tenant_wall.sql; its reasons:
// decisions/0011-row-level-security.md.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isUuid } from '../../contract/formats.ts'
import { StartupError } from '../startup-error.ts'
import type { Database, Statement, TextRow, TextRows } from './database.ts'
import { aloneIn, enterLocally, mayBeDistributed, PROPAGATING_OPTION } from './distributed-isolation.ts'
import { INSUFFICIENT_PRIVILEGE } from './errors.ts'
import { renewPlans } from './plan-age.ts'
import { queryText } from './text-query.ts'

/** The role for all statements of one organization. */
export const APPLICATION_ROLE = 'anteroom_app'

/**
 * The start-up options of a connection with row-level security: a role that owns no table, and the restricted views
 * before the tables.
 */
export const APPLICATION_OPTIONS = `-c role=${APPLICATION_ROLE} -c search_path=walled,public ${PROPAGATING_OPTION}`

const enterStatement: Statement = {
  name: 'organization_enter',
  text: `select set_config('anteroom.organization', $1, false)`,
}

type Ask = (client: pg.ClientBase, statement: Statement | string, values: unknown[]) => Promise<TextRows>

/** Statements of one organization, or of none: they see its rows only. */
export interface RowLevelSecurity {
  /** Sends a statement for the organization that its $1 names; without one it finds no rows of any organization. */
  ask: Ask
  /** Sends the statements of one transaction that has begun. */
  within(): Ask
  /** A rollback also resets the connection's current organization. */
  forget(client: pg.ClientBase): unknown
}

interface Standing {
  organization: string
  entered: Promise<unknown>
  /** Known to have been entered: there is nothing left to await. */
  hasEntered: boolean
}

/** Every statement is sent within the organization that its $1 names: on one server, or on the coordinator of several. */
export function applyRowLevelSecurity(): RowLevelSecurity {
  const { ask, forget } = rememberOrganizations()
  // One answer holds for all connections: they lead to the same database.
  let distributed: boolean | undefined
  const chosen = async (client: pg.ClientBase, plain: Ask, other: Ask) => {
    distributed ??= await mayBeDistributed(client)
    return distributed ? other : plain
  }

  return {
    ask(client, statement, values) {
      if (distributed === false) return ask(client, statement, values)
      return chosen(client, ask, askDistributed).then((asking) => asking(client, statement, values))
    },
    within() {
      if (distributed === false) return ask
      const local = withinDistributed()
      return async (client, statement, values) => (await chosen(client, ask, local))(client, statement, values)
    },
    forget,
  }
}

/**
 * Remembers the current organization of each connection, so that only a change is sent, in one packet with the
 * statement on pipelined connections. A statement whose organization could not be entered fails, regardless of its
 * result.
 */
function rememberOrganizations(): Pick<RowLevelSecurity, 'ask' | 'forget'> {
  const standings = new WeakMap<pg.ClientBase, Standing>()

  function enter(client: pg.ClientBase, organization: string): Standing {
    const entered = queryText(client, enterStatement, [organization])
    const standing: Standing = { organization, entered, hasEntered: false }
    standings.set(client, standing)
    entered.then(
      () => {
        standing.hasEntered = true
      },
      () => standings.get(client) === standing && standings.delete(client),
    )
    return standing
  }

  async function askOnEntering({ entered }: Standing, ...asked: Parameters<Ask>): Promise<TextRows> {
    const [rows] = await Promise.all([send(...asked), entered])
    return rows
  }

  return {
    ask(client, statement, values) {
      const organization = organizationOf(values)
      const known = standings.get(client)
      const standing = known?.organization === organization ? known : enter(client, organization)
      return standing.hasEntered ? send(client, statement, values) : askOnEntering(standing, client, statement, values)
    },
    forget: (client) => standings.delete(client),
  }
}

const askDistributed: Ask = (client, statement, values) =>
  aloneIn(client, organizationOf(values), () => send(client, statement, values))

/** The statements of one transaction: the organization is entered when it changes. */
function withinDistributed(): Ask {
  let current: string | undefined
  return async (client, statement, values) => {
    const organization = organizationOf(values)
    const entered = current === organization ? undefined : enterLocally(client, organization)
    current = organization
    const [rows] = await Promise.all([send(client, statement, values), entered])
    return rows
  }
}

/** Sends statements unchanged, on connections that see every organization. */
export const withoutRowLevelSecurity: RowLevelSecurity = { ask: send, within: () => send, forget() {} }

function send(client: pg.ClientBase, statement: Statement | string, values: unknown[]): Promise<TextRows> {
  if (typeof statement === 'string')
    return values.length === 0 ? sendPlain(client, statement) : queryText(client, { text: statement }, values)
  if (statement.name !== undefined) renewPlans(client)
  return queryText(client, statement, values)
}

/** Without values a text may be several statements. */
async function sendPlain(client: pg.ClientBase, text: string): Promise<TextRows> {
  return (await client.query<TextRow>({ text, rowMode: 'array' })).rows
}

/** By convention, $1 of a statement on an organization's rows is the organization; '' for all other statements. */
export function organizationOf([first]: unknown[]): string {
  return typeof first === 'string' && isUuid(first) ? first : ''
}

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
      const isRefused = (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE
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
    `the login of DATABASE_URL may not act as the role ${APPLICATION_ROLE}. An administrator who may create roles has to run once: ` +
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${row?.[0]};`,
    { cause },
  )
}
