// Reports problems of an installation. It changes nothing: on each disk it makes an empty file, and removes it.

import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { describeWebhooks, LATE_SECONDS, UNCHAINED_SECONDS } from '../../administration/system-health/find-health.ts'
import { isUnset, usesSandbox } from '../../clearinghouses/uses-sandbox.ts'
import { type Config, readConfig } from '../../config.ts'
import { NIL_UUID } from '../../contract/formats.ts'
import { requireRowLevelSecurity } from '../../platform/database/application-role.ts'
import { explainNoConnection, withoutDatabase } from '../../platform/database/connections/no-connection.ts'
import { type DatabasePool, openDatabase } from '../../platform/database/database-pool.ts'
import { isMigrated } from '../../platform/database/migrate.ts'
import { requireSuitable } from '../../platform/database/suitable.ts'
import { whyNotValid } from '../../platform/http/tls.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { imageFolderOf } from '../../platform/storage/image-folder.ts'
import { openFiles } from '../../platform/storage/index.ts'
import { holdsFiles } from '../../platform/storage/storage.ts'
import { whyUnwritable } from '../../platform/why-unwritable.ts'
import { refuseEmptyFolder } from '../existing-data.ts'
import { clockDifferenceOf, type Disk, disksOf, freeShareOf, readX509 } from '../installation.ts'
import { openConnection, openVault, replicaOf } from '../open-database.ts'
import { findServiceFaults, findUnusedSettings } from '../service-settings.ts'
import type { CommandLine } from './program/command-line.ts'
import { commandLog, printTable } from './program/output.ts'

interface Finding {
  what: string
  state: 'ok' | 'warning' | 'fault'
  says: string
}

const ok = (what: string, says: string): Finding => ({ what, state: 'ok', says })
const warning = (what: string, says: string): Finding => ({ what, state: 'warning', says })
const fault = (what: string, says: string): Finding => ({ what, state: 'fault', says })

const LEAST_DISK_SHARE = 0.1
const MOST_CLOCK_SECONDS = 5
const CERTIFICATE_DAYS = 14
const DAY_MS = 86_400_000

export async function doctor(line: CommandLine): Promise<void> {
  const findings = await examine(readConfig())
  printTable(line, findings)
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
}

async function examine(config: Config): Promise<Finding[]> {
  const before = [
    findNodeVersion(process.versions.node),
    await findSettings(config),
    findClearinghouse(config),
    ...(await findDisks(config)),
    ...(await findCertificate(config)),
  ]
  let connection: Awaited<ReturnType<typeof openConnection>>
  try {
    refuseEmptyFolder(config)
    connection = await openConnection(config, commandLog(), 'command')
  } catch (error) {
    return [...before, fault('database', (error as Error).message)]
  }
  const replica = replicaOf(config)
  const database = openDatabase(connection.value, { onError: () => {}, ...(replica && { replica }) })
  try {
    return [...before, ...(await findInDatabase(config, connection.value, database))]
  } finally {
    await database.close()
    await connection.close()
  }
}

function findNodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    return fault('node', `Node ${version} is too old: 20.19 or newer is required, 24 is recommended`)
  if (major === 20) return warning('node', `Node ${version} has had no security updates since April 2026: use 24`)
  return ok('node', `Node ${version}`)
}

async function findSettings(config: Config): Promise<Finding> {
  const faults = await findServiceFaults(config)
  if (faults.length > 0) return fault('settings', faults.join('; '))
  return ok('settings', 'valid; anteroom config check shows them')
}

/** What answers the checks of organizations without a connector of their own. */
export function findClearinghouse(config: Config): Finding {
  const what = 'clearinghouse'
  const unused = findUnusedSettings(config)
  if (unused !== undefined) return warning(what, unused)
  if (usesSandbox(config))
    return config.NODE_ENV === 'production'
      ? warning(what, 'the sandbox answers checks in production')
      : ok(what, 'the sandbox answers checks')
  if (isUnset(config))
    return warning(what, 'none is configured: only organizations with a connector of their own can ask payers')
  const { CLEARINGHOUSE_KIND: kind, CLEARINGHOUSE_URL: url } = config
  const place = url !== undefined && URL.canParse(url) ? ` at ${new URL(url).host}` : ''
  return ok(what, `${kind}${place}; it was not asked: anteroom connector test does`)
}

async function findDisks(config: Config): Promise<Finding[]> {
  const disks = await disksOf(config)
  if (disks.length > 0) return Promise.all(disks.map(findDisk))
  return [
    config.DATABASE_URL
      ? ok('disk', 'DATA_DIR does not exist yet')
      : fault('disk', 'DATA_DIR cannot be read: was a server started with these settings?'),
  ]
}

export async function findDisk({ what, path, name }: Disk): Promise<Finding> {
  try {
    const share = await freeShareOf({ path })
    await requireWritable(path)
    const says = `${Math.round(share * 100)} % of the disk of ${name} is free`
    if (share < LEAST_DISK_SHARE) return fault(what, `${says}: a full disk stops all writes`)
    return ok(what, says)
  } catch (error) {
    return fault(what, `the folder of ${name}, ${path}, cannot be written: ${whyUnwritable(path, error)}`)
  }
}

/** A disk that the system has aborted after a fault, or that has no inodes left, has free space and permissions: only a new file shows it. */
async function requireWritable(folder: string): Promise<void> {
  const path = join(folder, `.doctor-${randomUUID()}`)
  const file = await open(path, 'wx')
  await file.close()
  await rm(path)
}

export async function findCertificate({ TLS_CERT_FILE: file }: Config, now = Date.now()): Promise<Finding[]> {
  if (file === undefined) return []
  try {
    const certificate = await readX509(file)
    const reason = whyNotValid(certificate, now)
    if (reason !== undefined) return [fault('certificate', reason)]
    const endsAt = Date.parse(certificate.validTo)
    const day = new Date(endsAt).toISOString().slice(0, 10)
    if (endsAt - now < CERTIFICATE_DAYS * DAY_MS) return [warning('certificate', `expires on ${day}: renew it`)]
    return [ok('certificate', `valid until ${day}`)]
  } catch {
    return [fault('certificate', 'TLS_CERT_FILE cannot be read, or is not a certificate')]
  }
}

/** A key that no file has. */
const NO_FILE = `${NIL_UUID}/${NIL_UUID}`

async function findImages(config: Config, { systemDatabase }: DatabasePool): Promise<Finding> {
  const [place, advice] =
    config.S3_BUCKET === undefined
      ? [imageFolderOf(config), 'is its disk mounted?']
      : ['the bucket of S3_BUCKET', 'compare the S3_ settings; the access key must be allowed to read and list it.']
  try {
    const storage = await openFiles(config, holdsFiles(systemDatabase))
    await storage.open(NO_FILE)
    return ok('images', `${place} can be read`)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    return fault('images', `${place} cannot be read (${reason}): ${advice} No image is stored until then`)
  }
}

async function findInDatabase(config: Config, connection: pg.PoolConfig, pool: DatabasePool): Promise<Finding[]> {
  const database = pool.systemDatabase
  let version: number
  let fsync: string | undefined
  let late: number
  try {
    late = await clockDifferenceOf(database)
    ;[fsync] = (await database.row(`select current_setting('fsync')`)) ?? []
    version = await requireSuitable(database)
  } catch (error) {
    const explained = explainNoConnection(error, connection)
    const { message } = explained instanceof StartupError ? explained : withoutDatabase(connection, error)
    return [fault('database', message)]
  }
  const found = [
    ok('database', `PostgreSQL ${version} answers`),
    fsync === 'on'
      ? ok('durability', 'fsync is on')
      : fault('durability', 'fsync is off: a power failure loses acknowledged writes'),
    late > MOST_CLOCK_SECONDS
      ? warning('clock', `this machine and the database differ by ${Math.round(late)} seconds`)
      : ok('clock', 'this machine and the database agree'),
  ]
  if (!(await isMigrated(database).catch(() => false)))
    return [
      ...found,
      fault(
        'schema',
        'the database schema does not match this release: run anteroom migrate, or use the newer release',
      ),
    ]
  return [
    ...found,
    ok('schema', 'matches this release'),
    await findIsolation(pool),
    ...(await findReplica(pool)),
    await findKey(config, pool),
    await findImages(config, pool),
    ...(await findWork(pool)),
  ]
}

async function findIsolation(pool: DatabasePool): Promise<Finding> {
  try {
    await requireRowLevelSecurity(pool)
    return ok('isolation', 'row-level security applies to connections')
  } catch (error) {
    return fault('isolation', (error as Error).message)
  }
}

async function findReplica({ reads }: DatabasePool): Promise<Finding[]> {
  if (!reads) return []
  const { isFault, says } = await reads.examine()
  return [isFault ? fault('standby', says) : ok('standby', says)]
}

async function findKey(config: Config, pool: DatabasePool): Promise<Finding> {
  try {
    await openVault(config, pool.systemDatabase)
    return ok('encryption', 'the key decrypts the stored data')
  } catch (error) {
    return fault('encryption', (error as Error).message)
  }
}

const workStatement = `select
  (select count(*) from organization),
  (select count(*) from eligibility_check where status = 'PENDING' and due_at < now() - interval '${LATE_SECONDS} seconds'),
  (select count(*) from audit_pending where at < now() - interval '${UNCHAINED_SECONDS} seconds'),
  (select count(*) from webhook where disabled_at is not null),
  (select count(*) from webhook where enabled and failing_since is not null),
  (select coalesce(extract(epoch from now() - min(failing_since)), 0)::bigint from webhook where enabled)`

function findWebhooks(disabled: number, failing: number, seconds: number): Finding {
  const { isLong, says } = describeWebhooks(disabled, failing, seconds)
  if (says === undefined) return ok('webhooks', 'none is failing')
  return isLong ? warning('webhooks', `${says}: anteroom webhook list says why`) : ok('webhooks', `${says}: retried`)
}

async function findWork({ systemDatabase }: DatabasePool): Promise<Finding[]> {
  const row = (await systemDatabase.row(workStatement)) ?? []
  const [organizations = 0, checks = 0, events = 0, disabled = 0, failing = 0, failingSeconds = 0] = row.map(Number)
  return [
    organizations === 0
      ? warning('organizations', 'there is none: run anteroom organization create')
      : ok('organizations', String(organizations)),
    checks > 0
      ? fault('checks', `${checks} have been due for a quarter of an hour: is a worker running?`)
      : ok('checks', 'none is late'),
    events > 0
      ? fault('audit trail', `events waiting to be chained: ${events}; is a server running?`)
      : ok('audit trail', 'up to date'),
    findWebhooks(disabled, failing, failingSeconds),
  ]
}
