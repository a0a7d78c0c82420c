// Webhooks as they are stored. decisions/0040-webhooks.md
import type { Vault } from '../platform/crypto/encryption.ts'
import type { Database, TextRow } from '../platform/database/database.ts'
import { instant, showing } from '../platform/database/instant.ts'
import { createSecret } from './signature.ts'
import type { MutableWebhook } from './webhook.schema.ts'

export interface WebhookKey {
  organizationId: string
  id: string
}

type Rows = Pick<Database, 'rows' | 'row'>

/** Our choice: each webhook is sent every event that it selects. */
export const WEBHOOKS_MAX = 20
/** How long both secrets sign. */
const ROTATION_HOURS = 24

/** The wire form, built by the database; unknown fields are left out. */
const WEBHOOK_JSON = `json_strip_nulls(json_build_object('id', w.id, 'organization_id', w.organization_id, 'url', w.url,
  'description', w.description, 'event_types', w.event_types, 'includes_record', w.includes_record, 'enabled', w.enabled,
  'disabled_reason', w.disabled_reason, 'disabled_at', ${instant('w.disabled_at')}, 'failing_since', ${instant('w.failing_since')},
  'next_attempt_at', case when w.enabled and w.failing_since is not null and isfinite(w.retry_at) then ${instant('w.retry_at')} end,
  'previous_secret_expires_at', case when w.previous_secret_expires_at > now() then ${instant('w.previous_secret_expires_at')} end,
  'created_at', ${instant('w.created_at')}, 'updated_at', ${instant('w.updated_at')}))::text`

const WRITTEN = { as: 'w', columns: 'w.*', shown: WEBHOOK_JSON }

const insertStatement = {
  name: 'webhook_create',
  text: `with w as (
    insert into webhook as w (organization_id, id, url, description, event_types, includes_record, enabled, secret, position)
    select $1, $2, $3, $4, $5, $6, $7, $8, l.last_number from event_log l
    where l.organization_id = $1 and (select count(*) from webhook o where o.organization_id = $1) < ${WEBHOOKS_MAX}
    returning w.*
    ) select ${WEBHOOK_JSON} from w`,
}

const lockStatement = {
  name: 'webhook_create_lock',
  text: 'select 1 from event_log where organization_id = $1 for update',
}

/**
 * Stores a webhook for events from now on; the organization's event log has been started. Returns its JSON, or
 * undefined when the organization has the maximum number already. `database` is a transaction.
 */
export async function insertWebhook(
  database: Rows,
  vault: Vault,
  key: WebhookKey,
  body: MutableWebhook,
): Promise<{ json: string; secret: string } | undefined> {
  await database.rows(lockStatement, [key.organizationId])
  const secret = createSecret()
  const encrypted = vault.encrypt(secret, placeOf(key, 'secret'))
  const values = [key.organizationId, key.id, ...columnsOf(body), encrypted]
  const row = await database.row(insertStatement, values)
  return row && { json: row[0] ?? '', secret }
}

/**
 * Assignments for `enabled`, of which failed attempts are forgotten. A webhook that the service disabled resumes when a person enables it: no
 * event in between is skipped.
 */
const settingEnabled = (value: string) => `enabled = ${value}, updated_at = now(),
      disabled_reason = case when ${value} then null else disabled_reason end, disabled_at = case when ${value} then null else disabled_at end,
      failures = 0, failing_since = null, retry_at = '-infinity'`

const enableStatement = {
  name: 'webhook_enable',
  text: showing(
    `update webhook w set ${settingEnabled('$3')}
    where organization_id = $1 and id = $2`,
    WRITTEN,
  ),
}

/** Enables or disables a webhook. Returns its JSON; undefined when there is none. */
export async function setEnabled(database: Rows, key: WebhookKey, enabled: boolean): Promise<string | undefined> {
  return (await database.row(enableStatement, [key.organizationId, key.id, enabled]))?.[0]
}

const updateStatement = {
  name: 'webhook_update',
  text: showing(
    `update webhook w set url = $3, description = $4, event_types = $5, includes_record = $6, ${settingEnabled('$7')}
    where organization_id = $1 and id = $2`,
    WRITTEN,
  ),
}

/** Replaces all fields, and forgets failed attempts, as `setEnabled` does. Returns its JSON; undefined when there is none. */
export async function updateWebhook(
  database: Rows,
  key: WebhookKey,
  body: MutableWebhook,
): Promise<string | undefined> {
  const row = await database.row(updateStatement, [key.organizationId, key.id, ...columnsOf(body)])
  return row?.[0]
}

const columnsOf = ({ url, description, event_types, includes_record = false, enabled = true }: MutableWebhook) => [
  url,
  description ?? null,
  [...new Set(event_types)],
  includes_record,
  enabled,
]

const readStatement = {
  name: 'webhook_read',
  text: `select ${WEBHOOK_JSON} from webhook w where organization_id = $1 and id = $2`,
}

/** Its JSON, without secrets. */
export async function readWebhook(database: Rows, key: WebhookKey): Promise<string | undefined> {
  return (await database.row(readStatement, [key.organizationId, key.id]))?.[0]
}

const listStatement = {
  name: 'webhook_list',
  text: `select ${WEBHOOK_JSON} from webhook w where organization_id = $1 order by created_at, id`,
}

/** The JSON of each, without secrets, oldest first. */
export async function listWebhooks(database: Rows, organizationId: string): Promise<string[]> {
  return (await database.rows(listStatement, [organizationId])).map(([json]) => json ?? '')
}

const deleteStatement = {
  name: 'webhook_delete',
  text: 'delete from webhook where organization_id = $1 and id = $2 returning id',
}

/** With its deliveries. False when there is no such webhook. */
export async function deleteWebhook(database: Rows, key: WebhookKey): Promise<boolean> {
  return (await database.rows(deleteStatement, [key.organizationId, key.id])).length > 0
}

const secretStatement = {
  name: 'webhook_secret',
  text: `select secret from webhook where organization_id = $1 and id = $2 for update`,
}

const rotateStatement = {
  name: 'webhook_secret_rotate',
  text: showing(
    `update webhook set secret = $3, previous_secret = $4, previous_secret_expires_at = now() + interval '${ROTATION_HOURS} hours'
    where organization_id = $1 and id = $2`,
    { as: 'w', columns: 'previous_secret_expires_at', shown: instant('previous_secret_expires_at') },
  ),
}

/**
 * Creates a new secret; the previous one signs for another day. `database` is a transaction. Undefined when there is no
 * such webhook.
 */
export async function rotateSecret(
  database: Rows,
  vault: Vault,
  key: WebhookKey,
): Promise<{ secret: string; previous_secret_expires_at: string } | undefined> {
  const row = await database.row(secretStatement, [key.organizationId, key.id])
  if (!row) return undefined
  const secret = createSecret()
  const previous = vault.decrypt(row[0] ?? '', placeOf(key, 'secret'))
  const rotated = await database.row(rotateStatement, [
    key.organizationId,
    key.id,
    vault.encrypt(secret, placeOf(key, 'secret')),
    vault.encrypt(previous, placeOf(key, 'previous_secret')),
  ])
  return { secret, previous_secret_expires_at: rotated?.[0] ?? '' }
}

/** The parts of a webhook that its deliveries need. */
export interface Target extends WebhookKey {
  url: string
  eventTypes: string[]
  includesRecord: boolean
  secrets: string[]
  failures: number
  /** The time since an attempt last succeeded. */
  failingForMs: number
}

const TARGET_COLUMNS = `w.organization_id, w.id, w.url, to_json(w.event_types)::text, w.includes_record, w.secret,
  case when w.previous_secret_expires_at > now() then w.previous_secret end, w.failures,
  coalesce(extract(epoch from now() - w.failing_since) * 1000, 0)::bigint`

function toTarget(vault: Vault, row: TextRow): Target {
  const [
    organizationId = '',
    id = '',
    url = '',
    eventTypes = '[]',
    includesRecord,
    secret = '',
    previous,
    failures,
    failingForMs,
  ] = row
  const key = { organizationId, id }
  const secrets = [vault.decrypt(secret, placeOf(key, 'secret'))]
  if (previous) secrets.push(vault.decrypt(previous, placeOf(key, 'previous_secret')))
  return {
    ...key,
    url,
    eventTypes: JSON.parse(eventTypes),
    includesRecord: includesRecord === 't',
    secrets,
    failures: Number(failures),
    failingForMs: Number(failingForMs),
  }
}

const targetStatement = {
  name: 'webhook_target',
  text: `select ${TARGET_COLUMNS} from webhook w where organization_id = $1 and id = $2`,
}

/** @throws when its secrets were encrypted under a key that the service no longer has. */
export async function readTarget(database: Rows, vault: Vault, key: WebhookKey): Promise<Target | undefined> {
  const row = await database.row(targetStatement, [key.organizationId, key.id])
  return row && toTarget(vault, row)
}

const placeOf = ({ organizationId, id }: WebhookKey, column: 'secret' | 'previous_secret') => ({
  table: 'webhook',
  column,
  organizationId,
  id,
})
