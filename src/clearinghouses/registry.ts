// Selects connectors by organization and payer, from what `anteroom connector` and `anteroom route` have stored.

import type { Vault } from '../platform/crypto/encryption.ts'
import type { Database, Statement, TextRow } from '../platform/database/database.ts'
import type { Networks } from '../platform/outbound/public-address.ts'
import { recentlyUsed } from '../platform/recently-used.ts'
import type { Inquiry } from '../x12/model.ts'
import { type Clearinghouse, ClearinghouseError } from './clearinghouse.ts'
import type { Clearinghouses, Connection } from './clearinghouses.ts'
import { connect } from './connector-kinds.ts'
import { reachOf, settingsPlace } from './connector-store.ts'
import { shareFairly } from './fair-clearinghouse.ts'

interface RegistryDeps {
  database: Pick<Database, 'rowByKey'>
  vault: Pick<Vault, 'decrypt'>
  /** The networks that connectors with an organization's own address may reach besides the public Internet. */
  connectorNetworks?: Networks
  /** Monotonic milliseconds. */
  clock?: () => number
}

/** How long a lookup is cached, so that changes by other processes take effect within ten seconds. */
const LOOKUP_TTL_MS = 5_000
/** Far more payers than organizations inquire about at a time; the rest are looked up again. */
const MAX_LOOKUPS = 20_000
/** A connector keeps its connections and its concurrency limit while it is among this many. */
const MAX_CONNECTORS = 2_000

const columns = 'c.name, c.kind, c.settings, c.public_only'

const routeStatement = {
  name: 'connector_route',
  text: `select ${columns}, r.connector_payer_id from payer_route r
      join connector c on c.organization_id = $1 and c.name = r.connector
    where r.organization_id = $1 and r.payer_id in ($2, '') order by r.payer_id desc limit 1`,
}

const namedStatement = {
  name: 'connector_named',
  text: `select ${columns}, null from connector c where c.organization_id = $1 and c.name = $2`,
}

/**
 * The stored connectors and routes of every organization, and `common` for organizations without any; at most `places` inquiries use it
 * concurrently. A connector stays the same object as long as its settings stay the same, so that its concurrency limit and its open
 * connections hold across calls.
 */
export function openClearinghouses(deps: RegistryDeps, common: Connection, places: number): Clearinghouses {
  const standard = shareFairly(common, places)
  const clock = deps.clock ?? (() => performance.now())
  const lookups = recentlyUsed<{ until: number; row: Promise<TextRow | undefined> }>(MAX_LOOKUPS)
  const connections = recentlyUsed<{ encrypted: string; connection: Connection }>(MAX_CONNECTORS)

  async function find(statement: Statement, organizationId: string, name: string): Promise<Connection | undefined> {
    const row = await lookUp(statement, organizationId, name)
    if (!row) return undefined
    const connection = connectionOf(organizationId, row)
    const payerId = row[4] as string | null
    return payerId === null
      ? connection
      : { ...connection, clearinghouse: withPayerId(connection.clearinghouse, payerId) }
  }

  function lookUp(statement: Statement, organizationId: string, name: string): Promise<TextRow | undefined> {
    const key = JSON.stringify([statement.name, organizationId, name])
    const known = lookups.get(key)
    if (known && clock() < known.until) return known.row
    const row = deps.database.rowByKey(statement, [organizationId, name])
    lookups.set(key, { until: clock() + LOOKUP_TTL_MS, row })
    // A failed lookup fails the calls that wait for it and is not cached.
    row.catch(() => lookups.delete(key))
    return row
  }

  function connectionOf(
    organizationId: string,
    [name = '', kind = '', encrypted = '', publicOnly]: TextRow,
  ): Connection {
    const key = JSON.stringify([organizationId, name])
    const known = connections.get(key)
    // Encryption uses a fresh nonce, so equal encrypted texts mean equal settings.
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

/** A check through this connection ends in a stored error that names the remedy, as with an unavailable clearinghouse. */
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

/** The same connector, using its own id for the payer. */
function withPayerId(inner: Clearinghouse, payerId: string): Clearinghouse {
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
