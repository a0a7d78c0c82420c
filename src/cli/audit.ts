import { type AuditEvent, SERVICE_TRAIL } from '../audit/event.ts'
import { forgetTrail } from '../audit/forget.ts'
import { openAuditKey } from '../audit/key.ts'
import { readTrail } from '../audit/read-trail.ts'
import { openTrail } from '../audit/trail.ts'
import { type TrailVerdict, verifyTrail } from '../audit/verify-trail.ts'
import { findOrganization } from '../auth/clients.ts'
import type { DatabasePool, WholeDatabase } from '../database/database.ts'
import type { Vault } from '../encryption.ts'
import { canonicalDateTime, isDate, isUuid } from '../http/formats.ts'
import { StartupError } from '../startup-error.ts'
import { type CommandLine, printObject, printTable, requireFlag, UsageError } from './command-line.ts'
import { withVault } from './with-vault.ts'

const SHOWN = 100

/** Shows, verifies and shortens audit trails; without an organization the trail of the service itself. */
export async function audit(line: CommandLine): Promise<void> {
  switch (line.words[0]) {
    case 'list':
      return list(line)
    case 'verify':
      return verify(line)
    case 'forget':
      return forget(line)
    default:
      throw new UsageError('audit takes list, verify or forget')
  }
}

async function list(line: CommandLine): Promise<void> {
  const { patient, organization } = line.flags
  if (typeof patient === 'string' && !isUuid(patient)) throw new UsageError('--patient must be the id of a patient')
  const events = await withVault(async (database, vault) => {
    const organizationId = await trailOf(database.acrossOrganizations, organization)
    await chainWaiting(database, vault, organizationId)
    return readTrail(database, organizationId, {
      ...(typeof patient === 'string' && { patientId: patient.toLowerCase() }),
      from: instantIn(line, 'from'),
      to: instantIn(line, 'to'),
      limit: limitIn(line),
    })
  })
  printTable(line, line.flags.json ? events : events.map(rowOf))
}

function rowOf({ id, at, operation, os_user, client_id, user_id, address, ...event }: AuditEvent): object {
  const { status, error_name, record_type, record_ids = [], version, times } = event
  const record = record_type
    ? `${record_type} ${record_ids.length === 1 ? record_ids[0] : `(${record_ids.length})`}`
    : '-'
  return {
    event: id,
    at,
    operation: times === undefined ? operation : `${operation} (${times} times)`,
    who: os_user ?? client_id ?? user_id ?? '-',
    from: address ?? '-',
    outcome: error_name ?? status ?? '-',
    record: version === undefined ? record : `${record} v${version}`,
  }
}

/** Prints what stands of each trail. @throws StartupError, exit code 1, where one is not what was written. */
async function verify(line: CommandLine): Promise<void> {
  const { organization, expect } = line.flags
  if (typeof expect === 'string' && typeof organization !== 'string') throw new UsageError('--organization is needed')
  const verdicts = await withVault(async ({ acrossOrganizations }, vault) => {
    const key = await openAuditKey(acrossOrganizations, vault)
    const ids = await trailsToVerify(acrossOrganizations, organization)
    const found: (TrailVerdict & { organization: string })[] = []
    for (const id of ids) {
      const expected = typeof expect === 'string' ? expect : undefined
      found.push({ organization: id, ...(await verifyTrail(acrossOrganizations, key, id, expected)) })
    }
    return found
  })
  const shown = verdicts.map(({ faults, ...verdict }) => ({ ...verdict, faults: faults.length }))
  printTable(line, line.flags.json ? verdicts : shown)
  const faults = verdicts.flatMap(({ organization: id, faults: found }) =>
    found.map(({ number, fault }) => `${id}, block ${number}: ${fault}`),
  )
  if (faults.length > 0) throw new StartupError(`the audit trail is not what was written\n${faults.join('\n')}`)
}

async function trailsToVerify(database: WholeDatabase, organization: string | boolean | undefined): Promise<string[]> {
  if (organization !== undefined) return [await trailOf(database, organization)]
  const rows = await database.rows(
    `select organization_id from audit_head union select organization_id from audit_block
    union select organization_id from audit_pending order by 1`,
  )
  return rows.map(([id]) => id ?? '')
}

async function forget(line: CommandLine): Promise<void> {
  requireFlag(line, 'before')
  const before = instantIn(line, 'before') ?? ''
  const removed = await withVault(async (database, vault) => {
    const organizationId = await trailOf(database.acrossOrganizations, line.flags.organization)
    const count = await forgetTrail(database.acrossOrganizations, organizationId, before)
    await chainWaiting(database, vault, organizationId)
    return count
  })
  printObject(line, { blocks_removed: removed })
}

async function trailOf(database: WholeDatabase, organization: string | boolean | undefined): Promise<string> {
  if (typeof organization !== 'string' || organization === SERVICE_TRAIL) return SERVICE_TRAIL
  return (await findOrganization(database, organization)).organization_id
}

/** What is waiting is chained first, so that it is seen. */
async function chainWaiting(database: DatabasePool, vault: Vault, organizationId: string): Promise<void> {
  const onError = (error: Error) => {
    throw error
  }
  const { acrossOrganizations } = database
  await openTrail({ database, acrossOrganizations, vault, onError }).flush(organizationId)
}

/** A day begins at midnight UTC here. */
function instantIn({ flags }: CommandLine, name: string): string | undefined {
  const text = flags[name]
  if (typeof text !== 'string') return undefined
  const instant = canonicalDateTime(isDate(text) ? `${text}T00:00:00Z` : text)
  if (instant === undefined) throw new UsageError(`--${name} takes a day or an instant, such as 2026-01-31T08:00:00Z`)
  return instant
}

function limitIn({ flags }: CommandLine): number {
  const { limit = String(SHOWN) } = flags
  if (!/^[1-9]\d{0,4}$/.test(String(limit))) throw new UsageError('--limit must be a number from 1 to 99999')
  return Number(limit)
}
