// An organization's stored connectors and routes, managed by `anteroom connector` and `anteroom route`.

import type { Place, Vault } from '../platform/crypto/encryption.ts'
import type { Database, TextRow } from '../platform/database/database.ts'
import { constraintOf, violatedConstraint } from '../platform/database/errors.ts'
import { instant } from '../platform/database/instant.ts'
import type { Networks } from '../platform/outbound/public-address.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { Connection } from './clearinghouses.ts'
import {
  type Connector,
  connect,
  haveSameAddresses,
  isConnectorKind,
  withoutSecrets,
  withStoredSecrets,
} from './connector-kinds.ts'

export interface StoreDeps {
  database: Database
  vault: Pick<Vault, 'encrypt' | 'decrypt'>
  /** The networks that connectors with an organization's own address may reach besides the public Internet. */
  connectorNetworks?: Networks
}

interface ConnectorKey {
  organizationId: string
  name: string
}

interface StoredConnector {
  name: string
  kind: string
  /** The organization chose its address, so it reaches only the public Internet. */
  public_only: boolean
  is_default: boolean
  created_at: string
  updated_at: string
}

export interface StoredRoute {
  /** `default` for every payer without its own route. */
  payer_id: string
  connector: string
  connector_payer_id: string | null
}

/** The organization has no such connector or route. */
export class UnknownConnector extends StartupError {}

/** The payer id of the default route. */
const EVERY_PAYER = ''

/** Reserved segments of `/api/eligibility/v2/` (rules.md 5, 18.13). */
const TAKEN_NAMES = new Set(['partner', 'availity', 'existing-checks', 'sandbox'])

/** @throws StartupError for a name that is taken or malformed, an unknown kind, and all faults of the settings together. */
export async function createConnector(
  deps: StoreDeps,
  { organizationId, publicOnly = false, ...connector }: ConnectorKey & Connector & { publicOnly?: boolean },
): Promise<void> {
  const { name, kind } = connector
  if (!/^[a-z0-9][a-z0-9-]{0,49}$/.test(name)) {
    throw new StartupError('name must have at most 50 lowercase letters, digits and hyphens')
  }
  if (TAKEN_NAMES.has(name)) {
    throw new StartupError('name is reserved: choose another one')
  }
  const encrypted = encryptSettings(deps, organizationId, { ...connector, ...reachOf(deps, publicOnly) })
  try {
    await deps.database.rows(
      'insert into connector (organization_id, name, kind, settings, public_only) values ($1, $2, $3, $4, $5)',
      [organizationId, name, kind, encrypted, publicOnly],
    )
  } catch (error) {
    if (violatedConstraint(error) !== 'connector_pkey') throw error
    throw new StartupError('name is in use by another connector: update that one, or choose another name')
  }
}

/**
 * Replaces the settings on behalf of an operator; routes stay. @throws StartupError as `createConnector` does, and when there is no such
 * connector.
 */
export async function updateConnector(deps: StoreDeps, key: ConnectorKey, settings: unknown): Promise<void> {
  const { kind } = await readConnector(deps, key)
  await storeSettings(deps, key, { kind, settings, publicOnly: false })
}

/**
 * Replaces the settings on behalf of the organization: `(set)` keeps a secret as long as the addresses stay the same. After a change of
 * address, the connector reaches only the public Internet. @throws StartupError as `updateConnector` does.
 */
export async function updateOwnConnector(deps: StoreDeps, key: ConnectorKey, settings: unknown): Promise<void> {
  const { kind, encrypted, public_only } = await readConnector(deps, key)
  if (!isConnectorKind(kind)) throw new StartupError(`unknown connector kind ${kind}`)
  const stored = decryptSettings(deps, key, encrypted)
  const publicOnly = public_only || !haveSameAddresses(kind, settings, stored)
  await storeSettings(deps, key, { kind, settings: withStoredSecrets(kind, settings, stored), publicOnly })
}

async function storeSettings(
  deps: StoreDeps,
  { organizationId, name }: ConnectorKey,
  { publicOnly, ...connector }: { kind: string; settings: unknown; publicOnly: boolean },
): Promise<void> {
  const encrypted = encryptSettings(deps, organizationId, { name, ...connector, ...reachOf(deps, publicOnly) })
  await deps.database.rows(
    'update connector set settings = $3, public_only = $4, updated_at = now() where organization_id = $1 and name = $2',
    [organizationId, name, encrypted, publicOnly],
  )
}

/** The networks that a connector may reach. */
export const reachOf = ({ connectorNetworks = [] }: Pick<StoreDeps, 'connectorNetworks'>, publicOnly: boolean) =>
  publicOnly ? { allowedNetworks: connectorNetworks } : {}

const connectorColumns = `name, kind, ${instant('created_at')}, ${instant('updated_at')},
  exists (select from payer_route r where r.organization_id = $1 and r.connector = c.name and r.payer_id = ''), public_only`

export async function listConnectors(deps: StoreDeps, organizationId: string): Promise<StoredConnector[]> {
  const rows = await deps.database.rows(
    `select ${connectorColumns} from connector c where organization_id = $1 order by name`,
    [organizationId],
  )
  return rows.map(toConnector)
}

/** A connector with its settings, without secrets. @throws StartupError when there is no such connector. */
export async function showConnector(
  deps: StoreDeps,
  key: ConnectorKey,
): Promise<StoredConnector & { settings: unknown }> {
  const { encrypted, ...connector } = await readConnector(deps, key)
  if (!isConnectorKind(connector.kind)) return { ...connector, settings: {} }
  return { ...connector, settings: withoutSecrets(connector.kind, decryptSettings(deps, key, encrypted)) }
}

/**
 * The connection of a stored connector, for a trial, with other limits if given. @throws StartupError when there is no such connector or
 * its settings cannot be decrypted.
 */
export async function readConnection(
  deps: StoreDeps,
  key: ConnectorKey,
  limits: { timeoutMs?: number } = {},
): Promise<Connection> {
  const { encrypted, kind, public_only } = await readConnector(deps, key)
  const settings = decryptSettings(deps, key, encrypted) as object
  return connect({ name: key.name, kind, settings: { ...settings, ...limits }, ...reachOf(deps, public_only) })
}

/** @throws StartupError when there is no such connector, or while routes use it. */
export async function removeConnector(deps: StoreDeps, key: ConnectorKey): Promise<void> {
  const routes = (await listRoutes(deps, key.organizationId)).filter(({ connector }) => connector === key.name)
  if (routes.length > 0) {
    const payers = routes.slice(0, 5).map(({ payer_id }) => payer_id)
    throw new StartupError(`routes use ${key.name} (${payers.join(', ')}): remove them first`)
  }
  const removed = await deps.database.rows(
    'delete from connector where organization_id = $1 and name = $2 returning name',
    [key.organizationId, key.name],
  )
  if (removed.length === 0) throw unknownConnector(key.name)
}

/** Sets the default route when no payer id is given. @throws StartupError when there is no such connector. */
export async function setRoute(
  deps: StoreDeps,
  route: { organizationId: string; payerId?: string; connector: string; connectorPayerId?: string },
): Promise<void> {
  try {
    await deps.database.rows(
      `insert into payer_route (organization_id, payer_id, connector, connector_payer_id) values ($1, $2, $3, $4)
        on conflict (organization_id, payer_id)
        do update set connector = excluded.connector, connector_payer_id = excluded.connector_payer_id`,
      [route.organizationId, route.payerId ?? EVERY_PAYER, route.connector, route.connectorPayerId ?? null],
    )
  } catch (error) {
    const constraint = constraintOf(error)
    if (constraint !== 'payer_route_connector_exists') throw error
    throw unknownConnector(route.connector)
  }
}

/** In the order of the payer ids, the default route first. */
export async function listRoutes(deps: StoreDeps, organizationId: string): Promise<StoredRoute[]> {
  const rows = await deps.database.rows(
    'select payer_id, connector, connector_payer_id from payer_route where organization_id = $1 order by payer_id',
    [organizationId],
  )
  return rows.map(([payerId, connector, connectorPayerId]) => ({
    payer_id: payerId === EVERY_PAYER ? 'default' : (payerId ?? ''),
    connector: connector ?? '',
    connector_payer_id: connectorPayerId ?? null,
  }))
}

/** Removes the default route when no payer id is given. @throws StartupError when there is no such route. */
export async function removeRoute(deps: StoreDeps, organizationId: string, payerId?: string): Promise<void> {
  const removed = await deps.database.rows(
    'delete from payer_route where organization_id = $1 and payer_id = $2 returning connector',
    [organizationId, payerId ?? EVERY_PAYER],
  )
  if (removed.length === 0) {
    throw new UnknownConnector(
      payerId === undefined ? 'there is no default route' : `there is no route for payer ${payerId}`,
    )
  }
}

async function readConnector(deps: StoreDeps, key: ConnectorKey): Promise<StoredConnector & { encrypted: string }> {
  const row = await deps.database.row(
    `select ${connectorColumns}, settings from connector c where organization_id = $1 and name = $2`,
    [key.organizationId, key.name],
  )
  if (!row) throw unknownConnector(key.name)
  return { ...toConnector(row), encrypted: row[6] ?? '' }
}

function toConnector([name, kind, createdAt, updatedAt, isDefault, publicOnly]: TextRow): StoredConnector {
  return {
    name: name ?? '',
    kind: kind ?? '',
    is_default: isDefault === 't',
    public_only: publicOnly === 't',
    created_at: createdAt ?? '',
    updated_at: updatedAt ?? '',
  }
}

function encryptSettings(deps: StoreDeps, organizationId: string, connector: Connector): string {
  // Settings from which no connection can be created are not stored.
  connect(connector)
  return deps.vault.encrypt(JSON.stringify(connector.settings), settingsPlace({ organizationId, name: connector.name }))
}

function decryptSettings(deps: StoreDeps, key: ConnectorKey, encrypted: string): unknown {
  try {
    return JSON.parse(deps.vault.decrypt(encrypted, settingsPlace(key)))
  } catch (cause) {
    throw new StartupError('the settings were encrypted under another encryption key', { cause })
  }
}

/** The location of a connector's settings, which encryption authenticates. */
export function settingsPlace({ organizationId, name }: ConnectorKey): Place {
  return { table: 'connector', column: 'settings', organizationId, id: name }
}

const unknownConnector = (name: string) => new UnknownConnector(`there is no connector ${name}`)
