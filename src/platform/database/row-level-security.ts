// How statements are subject to row-level security. Its definition: migrations/0030_tenant_wall.sql; its role: application-role.ts; its
// reasons: decisions/0011-row-level-security.md.

import type pg from 'pg'
import { isUuid } from '../../contract/formats.ts'
import type { Statement, TextRow, TextRows } from './database.ts'
import { aloneIn, enterLocally, mayBeDistributed } from './distributed-isolation.ts'
import { renewPlans } from './statements/plan-age.ts'
import { queryText } from './statements/text-query.ts'

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
