// Organizations and their API clients, as `anteroom organization` and `anteroom client` manage them.

import type { ClientActor } from '../../contract/actor.ts'
import { isUuid, NIL_UUID } from '../../contract/formats.ts'
import { isEqual } from '../crypto/constant-time.ts'
import type { Database, Statement, SystemDatabase, TextRow } from '../database/database.ts'
import { violatedConstraint } from '../database/errors.ts'
import { instant, showing } from '../database/instant.ts'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import { hashSecret, newSecret } from './secrets.ts'

export interface Organization {
  organization_id: string
  name: string
  time_zone: string
}

/** The settings of an organization, named after their columns. */
export interface OrganizationSettings {
  /** Pages that may call the service with its tokens (decisions/0042-cors.md). */
  allowed_origins: string[]
  /** Whether eligibility checks may write benefits into coverages (rules.md 10.3). */
  auto_update_benefits: boolean
  /** The NPI of the inquiry when the appointment names no doctor with an NPI (rules.md 17). */
  npi: string | null
  /** Whether coverages are verified before visits, and how many days ahead (rules.md 17). */
  verification: boolean
  verification_days: number
  /**
   * The X12 1365 codes of each service of an appointment; a service that is not listed counts as an office visit
   * (rules.md 17).
   */
  visit_services: Record<string, string[]>
}

/** All settings; reads and writes use this list. */
const SETTINGS = [
  'allowed_origins',
  'auto_update_benefits',
  'npi',
  'verification',
  'verification_days',
  'visit_services',
] as const satisfies readonly (keyof OrganizationSettings)[]

export interface Client {
  client_id: string
  organization_id: string
  name: string
  /** Its scopes; undefined means everything. */
  scopes: string[] | undefined
  revoked: boolean
  created_at: string
  /** Until then the secret before the newest works as well. */
  previous_secret_expires_at?: string
}

/** The credentials that a caller needs to obtain tokens. The secret is shown once and stored as a hash only. */
export interface Credentials {
  client_id: string
  client_secret: string
  organization_id: string
}

/** How long the old secret stays valid after `client rotate`, so that callers can switch. */
const ROTATION_GRACE = '24 hours'

/** @throws StartupError when the name is taken or the time zone is not an IANA name. */
export async function createOrganization(
  database: SystemDatabase,
  newId: () => string,
  organization: { name: string; timeZone?: string },
): Promise<Organization> {
  const timeZone = organization.timeZone ?? 'UTC'
  if (!isTimeZone(timeZone)) throw new StartupError('the time zone must be an IANA name such as America/New_York')
  await database.row('select now() at time zone $1', [timeZone]).catch((error: unknown) => {
    if (codeOf(error) !== UNKNOWN_TIME_ZONE) throw error
    throw new StartupError('the database does not know this time zone: it may have an earlier name there', {
      cause: error,
    })
  })
  const id = newId()
  try {
    await database.rows('insert into organization (id, name, time_zone) values ($1, $2, $3)', [
      id,
      organization.name,
      timeZone,
    ])
  } catch (error) {
    if (violatedConstraint(error) !== 'organization_name_unique') throw error
    throw new StartupError(`an organization named ${organization.name} already exists`)
  }
  return { organization_id: id, name: organization.name, time_zone: timeZone }
}

export async function listOrganizations(database: SystemDatabase): Promise<Organization[]> {
  const rows = await database.rows('select id, name, time_zone from organization order by name')
  return rows.map(([id, name, timeZone]) => ({
    organization_id: id ?? '',
    name: name ?? '',
    time_zone: timeZone ?? '',
  }))
}

/** The organization with this id or name. @throws StartupError when there is none. */
export async function findOrganization(database: SystemDatabase, idOrName: string): Promise<Organization> {
  const organizations = await listOrganizations(database)
  const found = organizations.find(({ organization_id, name }) => organization_id === idOrName || name === idOrName)
  if (!found) throw new StartupError(`there is no organization ${idOrName}: anteroom organization list shows all`)
  return found
}

/**
 * Changes the given settings, and returns the organization with all of them. @throws StartupError when there is none.
 */
export async function updateOrganization(
  database: SystemDatabase,
  idOrName: string,
  changes: Partial<OrganizationSettings>,
): Promise<Organization & OrganizationSettings> {
  const organization = await findOrganization(database, idOrName)
  return { ...organization, ...(await changeSettings(database, organization.organization_id, changes)) }
}

/** Changes the given settings, and returns all of them. */
export async function changeSettings(
  database: Pick<Database, 'row'>,
  organizationId: string,
  changes: Partial<OrganizationSettings> = {},
): Promise<OrganizationSettings> {
  const changed = SETTINGS.filter((setting) => changes[setting] !== undefined)
  const assignments = changed.map((setting, index) => `${setting} = $${index + 2}`)
  const shown = `json_build_object(${SETTINGS.map((setting) => `'${setting}', ${setting}`)})`
  const row = await database.row(
    assignments.length === 0
      ? `select ${shown} from organization where id = $1`
      : showing(`update organization set ${assignments} where id = $1`, {
          as: 'changed',
          columns: SETTINGS.join(', '),
          shown,
        }),
    [organizationId, ...changed.map((setting) => asParameter(changes[setting]))],
  )
  return JSON.parse(row?.[0] ?? '{}')
}

const asParameter = (value: OrganizationSettings[keyof OrganizationSettings] | undefined) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/** Identifies a client: of this organization, or of any when an operator names no organization. */
interface ClientKey {
  id: string
  organizationId?: string
}

type Rows = Pick<Database, 'rows' | 'row'>

/** Creates a client together with the user that it acts as; without scopes it may do everything. */
export async function createClient(
  database: Rows,
  newId: () => string,
  client: { organizationId: string; name: string; scopes?: string[] | undefined },
): Promise<Credentials> {
  const [clientId, userId, secret] = [newId(), newId(), newSecret()]
  await database.rows(
    `with made as (insert into app_user (organization_id, id, name) values ($1, $2, $3))
    insert into client (id, organization_id, user_id, name, secret_hash, scopes) values ($4, $1, $2, $3, $5, $6)`,
    [client.organizationId, userId, client.name, clientId, hashSecret(secret), client.scopes ?? null],
  )
  return { client_id: clientId, client_secret: secret, organization_id: client.organizationId }
}

/** Oldest first. */
export async function listClients(database: Rows, organizationId?: string): Promise<Client[]> {
  const rows = await database.rows(
    `select ${CLIENT_COLUMNS} from client where $1::uuid is null or organization_id = $1 order by created_at, id`,
    [organizationId ?? null],
  )
  return rows.map(toClient)
}

/** The client, locked until the end of the transaction; undefined when there is none. */
export async function lockClient(database: Rows, key: ClientKey): Promise<Client | undefined> {
  const row = await database.row(`select ${CLIENT_COLUMNS} from client where ${OF_KEY} for update`, valuesOf(key))
  return row && toClient(row)
}

/**
 * Changes the scopes of a client, within ten seconds also for tokens already issued, and returns its organization.
 * @throws StartupError when there is no such client.
 */
export const grantScopes = (database: Rows, key: ClientKey, scopes: string[] | undefined): Promise<string> =>
  changeClient(database, key, 'scopes = $3', [scopes ?? null])

/**
 * Creates a new secret for the client; the old one works for another 24 hours. @throws StartupError when there is no
 * such client, or it is revoked: no secret of it would work.
 */
export async function rotateClient(database: Rows, key: ClientKey): Promise<Credentials> {
  if (isUuid(key.id) && (await lockClient(database, key))?.revoked) {
    throw new StartupError(`client ${key.id} is revoked: create a new one`)
  }
  const secret = newSecret()
  const organizationId = await changeClient(
    database,
    key,
    `previous_secret_hash = secret_hash, secret_hash = $3, previous_secret_expires_at = now() + interval '${ROTATION_GRACE}'`,
    [hashSecret(secret)],
  )
  return { client_id: key.id, client_secret: secret, organization_id: organizationId }
}

/**
 * Revokes a client: it gets no new tokens, and its tokens are refused within seconds. Returns its organization. @throws
 * StartupError when there is no such client.
 */
export const revokeClient = (database: Rows, key: ClientKey): Promise<string> =>
  changeClient(database, key, 'revoked_at = coalesce(revoked_at, moment.at)')

const CLIENT_COLUMNS = `id, organization_id, name, array_to_json(scopes), revoked_at is not null, ${instant('created_at')},
  case when previous_secret_expires_at > now() then ${instant('previous_secret_expires_at')} end`

const OF_KEY = 'id = $2 and ($1::uuid is null or organization_id = $1)'
const valuesOf = ({ id, organizationId }: ClientKey) => [organizationId ?? null, id]

function toClient(row: TextRow): Client {
  const [id, organization, name, scopes, revoked, createdAt, previousUntil] = row as [
    string,
    string,
    string,
    string | null,
    string,
    string,
    string | null,
  ]
  return {
    client_id: id,
    organization_id: organization,
    name,
    scopes: scopes === null ? undefined : JSON.parse(scopes),
    revoked: revoked === 't',
    created_at: createdAt,
    ...(previousUntil !== null && { previous_secret_expires_at: previousUntil }),
  }
}

async function changeClient(database: Rows, key: ClientKey, change: string, values: unknown[] = []): Promise<string> {
  const sql = `update client set ${change} from (select now() as at) moment where ${OF_KEY} returning organization_id`
  const row = isUuid(key.id) ? await database.row(sql, [...valuesOf(key), ...values]) : undefined
  if (!row) throw new StartupError(`there is no client ${key.id}`)
  return row[0] ?? ''
}

const UNKNOWN_CLIENT_HASH = hashSecret(newSecret())

const credentialsStatement: Statement = {
  name: 'client_credentials',
  text: `select organization_id, user_id, encode(secret_hash, 'hex'), encode(previous_secret_hash, 'hex'),
      revoked_at is null, previous_secret_expires_at > now()
    from client where id = $1`,
}

/**
 * The actor with these credentials; undefined when the id is unknown, the secret is wrong or the client is revoked. All
 * three cases take the same steps, so that neither the answer nor its timing reveals which ids exist.
 */
export async function verifyCredentials(
  database: SystemDatabase,
  clientId: string,
  secret: string,
): Promise<ClientActor | undefined> {
  const row = await database.rowByKey(credentialsStatement, [isUuid(clientId) ? clientId : NIL_UUID])
  const offered = hashSecret(secret)
  const current = isEqual(offered, row?.[2] ? Buffer.from(row[2], 'hex') : UNKNOWN_CLIENT_HASH)
  const previous = isEqual(offered, row?.[3] ? Buffer.from(row[3], 'hex') : UNKNOWN_CLIENT_HASH)
  if (row?.[4] !== 't' || !(current || (previous && row[5] === 't'))) return undefined
  return { organizationId: row[0] ?? '', userId: row[1] ?? '', clientId: clientId.toLowerCase() }
}

/** invalid_parameter_value */
const UNKNOWN_TIME_ZONE = '22023'

/** Newer versions of Node accept offsets, which PostgreSQL reads with the opposite sign. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
