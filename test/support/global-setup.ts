// One real PostgreSQL for the whole run, with templates: every test file clones one of them (database.ts).
import { randomBytes } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openSigningKeys } from '../../src/platform/auth/signing-keys.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { type EmbeddedConnection, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { citusConnection, citusUrl, cloneDistributed, createDistributed, dropDistributed } from './citus.ts'
import { configurationOf, placeMigratedCluster } from './migrated-cluster.ts'
import { copyFolder, removeFolder, scratchFolder } from './scratch.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = join(scratchFolder, `anteroom-test-${randomBytes(6).toString('hex')}`)
  const migratedFolder = `${dataDir}-migrated`
  await placeMigratedCluster(migratedFolder)
  await copyFolder(migratedFolder, dataDir)
  await appendFile(configurationOf(dataDir), SETTINGS)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  const admin = openDatabase(embedded.connection, { onError: () => {} })
  const { database } = embedded.connection
  await admin.systemDatabase.rows(`create database anteroom_template template ${database}`)
  await admin.systemDatabase.rows('create database anteroom_template_with_key template anteroom_template')
  await admin.systemDatabase.rows('create database anteroom_empty')
  await admin.close()
  if (citusUrl) {
    await createDistributed(citusUrl, 'anteroom_template')
    await dropDistributed(citusUrl, 'anteroom_template_with_key')
    await cloneDistributed(citusUrl, 'anteroom_template', 'anteroom_template_with_key')
  }
  project.provide('dataKey', await makeSigningKey(citusUrl ? citusConnection(citusUrl) : embedded.connection))
  project.provide('postgres', embedded.connection)
  project.provide('migratedFolder', migratedFolder)
  return async () => {
    await embedded.stop()
    for (const folder of [dataDir, migratedFolder]) await removeFolder(folder)
  }
}

/**
 * This PostgreSQL ends with the run: it flushes nothing. What a crash leaves is tried on clusters that flush as in production (test/faults).
 * It takes the connections of as many files and servers as run at once (decisions/0051-steady-tests.md). Databases of tests are small: with fewer
 * buffers, and without processes that read for others, a short session takes an eighth less (decisions/0217-where-a-run-of-the-tests-goes-by-thread.md).
 */
const SETTINGS = `
max_connections = 300
shared_buffers = 128MB
io_method = sync
fsync = off
full_page_writes = off
synchronous_commit = off
wal_compression = off
`

/** In the second template, under the key that it returns: to make an RSA key in each file took more than to make its database. */
async function makeSigningKey(connection: pg.PoolConfig): Promise<string> {
  const dataKey = randomBytes(32)
  const database = openDatabase({ ...connection, database: 'anteroom_template_with_key' }, { onError: () => {} })
  await openSigningKeys(database.systemDatabase, createVault(dataKey))
  await database.close()
  return dataKey.toString('hex')
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: EmbeddedConnection
    dataKey: string
    /** A data folder whose database is migrated and stopped: to be copied. */
    migratedFolder: string
  }
}
