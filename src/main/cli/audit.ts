import { type AuditEvent, SERVICE_TRAIL } from '../../platform/audit/event.ts'
import { openAuditKey } from '../../platform/audit/key.ts'
import { pruneTrail } from '../../platform/audit/prune.ts'
import { readTrail } from '../../platform/audit/read-trail.ts'
import { openTrail } from '../../platform/audit/trail.ts'
import { type TrailVerdict, verifyTrail } from '../../platform/audit/verify-trail.ts'
import { findOrganization } from '../../platform/auth/clients.ts'
import type { Vault } from '../../platform/crypto/encryption.ts'
import type { SystemDatabase } from '../../platform/database/database.ts'
import type { DatabasePool } from '../../platform/database/database-pool.ts'
import { isConnectionFailure } from '../../platform/database/errors.ts'
import { describeFailure } from '../../platform/known-failure.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { auditedRecords } from '../resources.ts'
import { type CommandLine, requireFlag, UsageError } from './program/command-line.ts'
import { printDiagnostic, printObject, printTable } from './program/output.ts'
import { readInstant, readPastInstant, readPatientId } from './program/values.ts'
import { withVault } from './program/with-vault.ts'

const SHOWN = 100

/** Without an organization: the trail of the service itself. */
export async function list(line: CommandLine): Promise<void> {
  const { patient, organization, limit = SHOWN } = line.flags
  const events = await withVault(async (database, vault) => {
    const organizationId = await trailOf(database.systemDatabase, organization)
    await chainWaiting(database, vault, organizationId)
    return readTrail(database, organizationId, {
      ...(typeof patient === 'string' && { patientId: readPatientId(patient, 'patient') }),
      from: instantIn(line, 'from'),
      to: instantIn(line, 'to'),
      limit: Number(limit),
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

/**
 * Prints the state of each trail that can be read. @throws StartupError, exit code 1, when a trail was altered, or something could not be read.
 */
export async function verify(line: CommandLine): Promise<void> {
  const { organization, expect } = line.flags
  if (typeof expect === 'string' && typeof organization !== 'string') throw new UsageError('--organization is required')
  const unread: string[] = []
  const onFailure = (error: unknown, what: string) => {
    if (isConnectionFailure(error) || organization !== undefined) throw error
    const { code, advice } = describeFailure(error)
    printDiagnostic([`${what} could not be read`, code && `(${code})`, advice].filter(Boolean).join(' '))
    unread.push(what)
  }
  const verdicts = await withVault(async ({ systemDatabase }, vault) => {
    const key = await openAuditKey(systemDatabase, vault)
    const ids =
      organization === undefined
        ? await allTrails(systemDatabase, onFailure)
        : [await trailOf(systemDatabase, organization)]
    const found: (TrailVerdict & { organization: string })[] = []
    for (const id of ids) {
      const expected = typeof expect === 'string' ? expect : undefined
      await verifyTrail(systemDatabase, key, id, expected).then(
        (verdict) => found.push({ organization: id, ...verdict }),
        (error) => onFailure(error, `the trail of ${id}`),
      )
    }
    return found
  })
  const shown = verdicts.map(({ faults, ...verdict }) => ({ ...verdict, faults: faults.length }))
  printTable(line, line.flags.json ? verdicts : shown)
  const faults = verdicts.flatMap(({ organization: id, faults: found }) =>
    found.map(({ number, fault }) => `${id}, block ${number}: ${fault}`),
  )
  for (const fault of faults) printDiagnostic(fault)
  if (faults.length > 0) throw new StartupError('the audit trail was altered')
  if (unread.length > 0) throw new StartupError('the audit trail could not be read as a whole')
}

/** Each of these tables is asked by itself: what is damaged in one must hide no trail that another one names. */
const TABLES = ['audit_head', 'audit_block', 'audit_pending']

async function allTrails(
  database: SystemDatabase,
  onFailure: (error: unknown, what: string) => void,
): Promise<string[]> {
  const ids = new Set<string>()
  for (const table of TABLES) {
    await database.rows(`select distinct organization_id from ${table}`).then(
      (rows) => {
        for (const [id] of rows) ids.add(id ?? '')
      },
      (error) => onFailure(error, `the list of trails in ${table}`),
    )
  }
  return [...ids].sort()
}

/**
 * Reports what it removed, step by step. When it is interrupted, the removed part stays removed, and the next run
 * continues.
 */
export async function prune(line: CommandLine): Promise<void> {
  const { organization } = line.flags
  const before = readPastInstant(requireFlag(line, 'before'), 'before')
  const removed = await withVault(async (database, vault) => {
    const organizationId = await trailOf(database.systemDatabase, organization)
    return pruneTrail(database.systemDatabase, organizationId, before, async (count) => {
      await chainWaiting(database, vault, organizationId)
      if (count > 0) printDiagnostic(`${count} blocks removed`)
    })
  })
  printObject(line, { trail: organization ?? 'service', before, blocks_removed: removed })
}

async function trailOf(database: SystemDatabase, organization: string | boolean | undefined): Promise<string> {
  if (typeof organization !== 'string' || organization === SERVICE_TRAIL) return SERVICE_TRAIL
  return (await findOrganization(database, organization)).organization_id
}

/** Waiting events are chained first, so that they are included. */
async function chainWaiting(database: DatabasePool, vault: Vault, organizationId: string): Promise<void> {
  const onError = (error: Error) => {
    throw error
  }
  const { systemDatabase } = database
  await openTrail({ database, systemDatabase, vault, records: auditedRecords, onError }).flush(organizationId)
}

function instantIn({ flags }: CommandLine, name: string): string | undefined {
  const text = flags[name]
  return typeof text === 'string' ? readInstant(text, name) : undefined
}
