// Which connector asks which payer for which organization: what `anteroom connector` and `anteroom route` have stored.

import { LRUCache } from 'lru-cache'
import type { Vault } from '../platform/crypto/encryption.ts'
import type { Database, Statement, TextRow } from '../platform/database/database.ts'
import type { Networks } from '../platform/outbound/public-address.ts'
import type { Inquiry } from '../x12/model.ts'
import { type Clearinghouse, ClearinghouseError } from './clearinghouse.ts'
import type { Clearinghouses, Connection } from './clearinghouses.ts'
import { connect } from './connector-kinds.ts'
import { reachOf, settingsPlace } from './connector-store.ts'
import { shareFairly } from './fair-clearinghouse.ts'

export interface RegistryDeps {
  database: Pick<Database, 'rowByKey'>
  vault: Pick<Vault, 'decrypt'>
  /** What connectors reach beside the public Internet whose address an organization has chosen. */
  connectorNetworks?: Networks
  /** Milliseconds of a clock that never steps back. */
  clock?: () => number
}

/** What was looked up is believed this long, so that other processes' changes count within ten seconds. */
const BELIEVED_MS = 5_000
/** Far more payers than organizations ask about at a time; the rest is looked up again. */
const MAX_LOOKUPS = 20_000
/** A connector keeps its connections and its bound on concurrency while it stays among so many. */
const MAX_CONNECTORS = 2_000

const columns = 'c.name, c.kind, c.settings, c.public_only'

const routeStatement = {
  name: 'connector_route',
  text: `select ${columns}, r.connector_payer_id from payer_route r
      join connector c on c.organization_id = r.organization_id and c.name = r.connector
    where r.organization_id = $1 and r.payer_id in ($2, '') order by r.payer_id desc limit 1`,
}

const namedStatement = {
  name: 'connector_named',
  text: `select ${columns}, null from connector c where c.organization_id = $1 and c.name = $2`,
}

/**
 * The stored connectors and routes of every organization, and `common` for whoever has none, of which `places` inquiries may be open at
 * a time. A connector stays the same object while its settings do: its bound on concurrency and its open connections hold across calls.
 */
export function openClearinghouses(deps: RegistryDeps, common: Connection, places: number): Clearinghouses {
  const standard = shareFairly(common, places)
  const clock = deps.clock ?? (() => performance.now())
  const lookups = new LRUCache<string, { until: number; row: Promise<TextRow | undefined> }>({ max: MAX_LOOKUPS })
  const connections = new LRUCache<string, { encrypted: string; connection: Connection }>({ max: MAX_CONNECTORS })

  async function find(statement: Statement, organizationId: string, name: string): Promise<Connection | undefined> {
    const row = await lookUp(statement, organizationId, name)
    if (!row) return undefined
    const connection = connectionOf(organizationId, row)
    const payerId = row[4] as string | null
    return payerId === null
      ? connection
      : { ...connection, clearinghouse: askingFor(connection.clearinghouse, payerId) }
  }

  function lookUp(statement: Statement, organizationId: string, name: string): Promise<TextRow | undefined> {
    const key = JSON.stringify([statement.name, organizationId, name])
    const known = lookups.get(key)
    if (known && clock() < known.until) return known.row
    const row = deps.database.rowByKey(statement, [organizationId, name])
    lookups.set(key, { until: clock() + BELIEVED_MS, row })
    // A failure is told to those who wait for it and to nobody after them.
    row.catch(() => lookups.delete(key))
    return row
  }

  function connectionOf(
    organizationId: string,
    [name = '', kind = '', encrypted = '', publicOnly]: TextRow,
  ): Connection {
    const key = JSON.stringify([organizationId, name])
    const known = connections.get(key)
    // Encryption uses a fresh nonce, so the same encrypted text is the same settings.
    if (known?.encrypted === encrypted) return known.connection
    const reach = reachOf(deps, publicOnly === 't')
    const connection = openConnection(deps.vault, { organizationId, name, kind, encrypted, ...reach })
    connections.set(key, { encrypted, connection })
    return connection
  }

  return {
    forPayer: async (organizationId, payerId) =>
      (await find(routeStatement, organizationId, payerId)) ?? standard(organizationId),
    standard: async (organizationId) => (await find(routeStatement, organizationId, '')) ?? standard(organizationId),
    named: async (organizationId, name) =>
      (await find(namedStatement, organizationId, name)) ??
      (name === common.name ? standard(organizationId) : undefined),
  }
}

function openConnection(
  vault: Pick<Vault, 'decrypt'>,
  row: { organizationId: string; name: string; kind: string; encrypted: string; allowedNetworks?: Networks },
): Connection {
  try {
    const settings: unknown = JSON.parse(vault.decrypt(row.encrypted, settingsPlace(row)))
    return connect({ name: row.name, kind: row.kind, settings, allowedNetworks: row.allowedNetworks })
  } catch (cause) {
    return unusable(row.name, cause)
  }
}

/** A check through it ends in a stored error that says what to do, as with a clearinghouse that is down. */
function unusable(name: string, cause: unknown): Connection {
  const message = `The settings of connector ${name} cannot be used; store them again`
  const clearinghouse: Clearinghouse = {
    name,
    async checkEligibility() {
      throw new ClearinghouseError(message, { code: 'NotConfigured', retryable: false, cause })
    },
  }
  return { name, clearinghouse, retryForMs: 0 }
}

/** The same connector, naming the payer as its other side does. */
function askingFor(inner: Clearinghouse, payerId: string): Clearinghouse {
  const { coordinateBenefits } = inner
  const renamed = (inquiry: Inquiry) => ({ ...inquiry, payer: { ...inquiry.payer, id: payerId } })
  return {
    ...inner,
    checkEligibility: (inquiry, options) => inner.checkEligibility(renamed(inquiry), options),
    ...(coordinateBenefits && {
      coordinateBenefits: (inquiry, options) =>
        coordinateBenefits({ ...inquiry, tradingPartnerServiceId: payerId }, options),
    }),
  }
}
