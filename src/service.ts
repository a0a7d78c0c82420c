// What `serve`, the commands and the tests have in common: from settings to dependencies, and back down again.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { openTokenIssuer } from './auth/tokens.ts'
import { createBackground } from './background.ts'
import { createPayerBreaker } from './checks/payer-breaker.ts'
import { createStandardConnection } from './clearinghouses/index.ts'
import { openClearinghouses } from './clearinghouses/registry.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from './clearinghouses/sandbox/sandbox.ts'
import type { Config } from './config.ts'
import { type DatabasePool, openDatabase, type WholeDatabase } from './database/database.ts'
import { openEmbedded } from './database/embedded.ts'
import { isConnectionFailure } from './database/errors.ts'
import { migrate } from './database/migrate.ts'
import type { Deps } from './deps.ts'
import { createVault, type Vault } from './encryption.ts'
import { StartupError } from './startup-error.ts'
import { openStorage } from './storage/index.ts'

/** Things that were opened, closed in the opposite order; closing one never keeps the others open. */
export interface Opened<T> {
  value: T
  close(): Promise<void>
}

/** The database of these settings, migrated: `DATABASE_URL`, or the embedded PostgreSQL of `DATA_DIR`. */
export async function openMigratedDatabase(
  config: Config,
  log: FastifyBaseLogger,
  role: 'server' | 'command',
): Promise<Opened<DatabasePool>> {
  const embedded = config.DATABASE_URL
    ? undefined
    : await openEmbedded({ dataDir: config.DATA_DIR, log: logTo(log), role })
  const connection: pg.PoolConfig = embedded?.connection ?? { connectionString: config.DATABASE_URL }
  const database = openDatabase(connection, {
    onError: (error) => log.warn({ type: error.name }, 'a database connection was lost'),
  })
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    const applied = await migrate(database)
    if (applied.length > 0) log.info({ applied }, 'the database was migrated')
    return { value: database, close }
  } catch (error) {
    await close()
    throw isConnectionFailure(error)
      ? new StartupError('the database of DATABASE_URL cannot be reached', { cause: error })
      : error
  }
}

/** What seals and opens with the key of these settings. @throws StartupError when the database was written with another one. */
export async function openVault(config: Config, database: WholeDatabase): Promise<Vault> {
  const vault = createVault(await readEncryptionKey(config))
  await registerEncryptionKey(database, vault)
  return vault
}

/** Everything that `buildApp` needs, over an open database. */
export async function assembleDeps(
  config: Config,
  database: DatabasePool,
  clearinghouseUrl: string | undefined,
): Promise<Deps> {
  const { acrossOrganizations } = database
  const vault = await openVault(config, acrossOrganizations)
  const now = () => new Date()
  return {
    config,
    database,
    acrossOrganizations,
    clearinghouses: openClearinghouses({ database, vault }, createStandardConnection(config, clearinghouseUrl)),
    tokens: await openTokenIssuer({
      database: acrossOrganizations,
      vault,
      issuer: config.PUBLIC_URL ?? 'anteroom',
      lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
      now,
    }),
    vault,
    breaker: createPayerBreaker(),
    background: createBackground(),
    storage: await openStorage(config, now()),
    wakeWorkers: () => {},
    now,
    newId: uuidv7,
  }
}

/** The sandbox clearinghouse. @throws StartupError in one line for the faults of a roster and for a port in use. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const line =
      code === 'EADDRINUSE'
        ? `port ${options.port} is in use: choose another with --port`
        : message.replace(/:\s*\n\s*/, ': ').replaceAll(/\s*\n\s*/g, '; ')
    throw new StartupError(line, { cause: error })
  }
}

export function logTo(log: FastifyBaseLogger): (message: string, fields?: object) => void {
  return (message, fields = {}) => log.info(fields, message)
}

const KEY_FILE = 'encryption-key'

/** `ENCRYPTION_KEY`, or a key file under the data folder that is made at the first start and readable by its owner only. */
async function readEncryptionKey(config: Config): Promise<Buffer> {
  if (config.ENCRYPTION_KEY) return Buffer.from(config.ENCRYPTION_KEY, 'hex')
  const path = join(config.DATA_DIR, KEY_FILE)
  try {
    await mkdir(config.DATA_DIR, { recursive: true })
    await writeFile(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
    await chmod(path, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartupError(`the encryption key cannot be kept in ${path}`, { cause: error })
    }
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (key.length !== 32) throw new StartupError(`${path} does not hold a key of 64 hexadecimal digits`)
  return key
}

/** @throws StartupError when this database was written with another key: better now than at the first social security number. */
async function registerEncryptionKey(database: WholeDatabase, vault: Vault): Promise<void> {
  await database.rows(
    'insert into encryption_key (id) select $1 where not exists (select from encryption_key) on conflict do nothing',
    [vault.keyId],
  )
  const known = (await database.rows('select id from encryption_key')).map(([id]) => id)
  if (!known.includes(vault.keyId)) {
    throw new StartupError(
      `the database was written with encryption key ${known.join(', ')}, but ENCRYPTION_KEY or the key file is ${vault.keyId}`,
    )
  }
}
