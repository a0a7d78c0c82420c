import { v7 as uuidv7 } from 'uuid'
import { readConfig } from '../../config.ts'
import { isUuid } from '../../contract/formats.ts'
import { beginLog } from '../../events/collect.ts'
import { administer } from '../../platform/audit/administration.ts'
import { findOrganization } from '../../platform/auth/clients.ts'
import type { Vault } from '../../platform/crypto/encryption.ts'
import type { Database } from '../../platform/database/database.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { replaySince } from '../../webhooks/delivery-store.ts'
import { sendTest } from '../../webhooks/send-test.ts'
import { findWebhookFault } from '../../webhooks/webhook-rules.ts'
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  readTarget,
  rotateSecret as rotate,
  setEnabled,
  WEBHOOKS_MAX,
  type WebhookKey,
} from '../../webhooks/webhook-store.ts'
import { eventTypes } from '../events.ts'
import { type CommandLine, requireFlag, requireWord } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { reveal } from './program/reveal.ts'
import { readInstant } from './program/values.ts'
import { withVault } from './program/with-vault.ts'

export async function create(line: CommandLine): Promise<void> {
  const [organization, url] = [requireWord(line, 0, 'an organization'), requireWord(line, 1, 'an address')]
  const event_types = requireFlag(line, 'events').split(',')
  const fault = findWebhookFault(readConfig(), eventTypes, { url, event_types })
  if (fault !== undefined) throw new StartupError(fault.replace(/^event_types/, '--events'))
  const { description } = line.flags
  const body = {
    url,
    event_types,
    includes_record: line.flags['include-record'] !== undefined,
    ...(typeof description === 'string' && { description }),
  }
  const id = uuidv7()
  const make = async (database: Database, vault: Vault, key: WebhookKey) => {
    await beginLog(database, key.organizationId)
    const made = await insertWebhook(database, vault, key, body)
    if (!made) throw new StartupError(`an organization has at most ${WEBHOOKS_MAX} webhooks`)
    return made
  }
  await reveal(line, (show) => change({ organization, id }, 'create', make, ({ secret }) => show({ id, secret })))
}

export async function list(line: CommandLine): Promise<void> {
  const organization = requireWord(line, 0, 'an organization')
  const found = await withVault(async (database) => {
    const { organization_id } = await findOrganization(database.systemDatabase, organization)
    return listWebhooks(database, organization_id)
  })
  printTable(
    line,
    found.map((text) => {
      const { id, url, event_types, enabled, disabled_reason = '', failing_since = '' } = JSON.parse(text)
      return { id, url, events: event_types.join(','), enabled, disabled_reason, failing_since }
    }),
  )
}

export const enable = (line: CommandLine) => switchTo(line, true)
export const disable = (line: CommandLine) => switchTo(line, false)

async function switchTo(line: CommandLine, enabled: boolean): Promise<void> {
  const place = placeOf(line)
  await change(place, enabled ? 'enable' : 'disable', async (database, _vault, key) =>
    requireFound(await setEnabled(database, key, enabled)),
  )
  printObject(line, { id: place.id, enabled })
}

export async function rotateSecret(line: CommandLine): Promise<void> {
  const make = async (database: Database, vault: Vault, key: WebhookKey) =>
    requireFound(await rotate(database, vault, key))
  await reveal(line, (show) => change(placeOf(line), 'rotate-secret', make, show))
}

export async function replay(line: CommandLine): Promise<void> {
  const { until } = line.flags
  const time = {
    since: readInstant(requireFlag(line, 'since'), 'since'),
    ...(typeof until === 'string' && { until: readInstant(until, 'until') }),
  }
  const deliveries = await change(placeOf(line), 'replay', async (database, vault, key) => {
    requireFound(await readTarget(database, vault, key))
    return replaySince(database, key, time)
  })
  printObject(line, { deliveries })
}

export async function test(line: CommandLine): Promise<void> {
  const place = placeOf(line)
  const target = await change(place, 'test', async (database, vault, key) =>
    requireFound(await readTarget(database, vault, key)),
  )
  printObject(line, await sendTest({ config: readConfig(), now: () => new Date(), newId: uuidv7 }, target))
}

export async function remove(line: CommandLine): Promise<void> {
  const place = placeOf(line)
  await change(place, 'remove', async (database, _vault, key) =>
    requireFound((await deleteWebhook(database, key)) || undefined),
  )
  printObject(line, { id: place.id, removed: true })
}

interface Place {
  organization: string
  id: string
}

function placeOf(line: CommandLine): Place {
  const id = requireWord(line, 1, 'the id of a webhook')
  return { organization: requireWord(line, 0, 'an organization'), id: isUuid(id) ? id : uuidv7() }
}

/** @throws StartupError when there is no such webhook. */
function requireFound<T>(found: T | undefined): T {
  if (found === undefined)
    throw new StartupError('there is no such webhook: anteroom webhook list shows those of an organization')
  return found
}

/** Runs a change and writes its audit event with it. `show` runs before the commit: what it cannot show is not stored. */
function change<T>(
  { organization, id }: Place,
  operation: string,
  work: (database: Database, vault: Vault, key: WebhookKey) => Promise<T>,
  show?: (result: T) => Promise<void>,
): Promise<T> {
  return withVault(async (database, vault) => {
    const { organization_id } = await findOrganization(database.systemDatabase, organization)
    return administer(
      database,
      `webhook ${operation}`,
      (inner) => work(inner, vault, { organizationId: organization_id, id }),
      () => ({ organizationId: organization_id, type: 'webhook', ids: [id] }),
      show,
    )
  })
}
