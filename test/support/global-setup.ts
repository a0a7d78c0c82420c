// One real PostgreSQL for the whole run, with migrated templates: every test file clones one of them (database.ts).
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openSigningKeys } from '../../src/platform/auth/signing-keys.ts'
import { createVault } from '../../src/platform/crypto/encryption.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { type EmbeddedConnection, openEmbedded } from '../../src/platform/database/embedded.ts'
import { chooseAccount } from '../../src/platform/database/embedded-account.ts'
import { findBinaries } from '../../src/platform/database/embedded-binaries.ts'
import { ensureCluster } from '../../src/platform/database/embedded-cluster.ts'
import { clusterFolder, openHome } from '../../src/platform/database/embedded-home.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { scratchFolder } from './scratch.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(scratchFolder, 'anteroom-test-'))
  // As root PostgreSQL runs as another user, who must be able to walk here.
  await chmod(dataDir, 0o755)
  await makeCluster(dataDir)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  const admin = openDatabase(embedded.connection, { onError: () => {} })
  await admin.systemDatabase.rows('create database anteroom_template')
  const template = openDatabase({ ...embedded.connection, database: 'anteroom_template' }, { onError: () => {} })
  await migrate(template)
  await template.close()
  await admin.systemDatabase.rows('create database anteroom_template_with_key template anteroom_template')
  await admin.close()
  project.provide('dataKey', await makeSigningKey(embedded.connection))
  project.provide('postgres', embedded.connection)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * This PostgreSQL ends with the run: it flushes nothing. What a crash leaves is tried on clusters that flush as in production (test/faults).
 * It takes the connections of as many files and servers as run at once (decisions/0051-steady-tests.md).
 */
const SETTINGS = `
max_connections = 300
fsync = off
full_page_writes = off
synchronous_commit = off
wal_compression = off
`

async function makeCluster(dataDir: string): Promise<void> {
  const log = () => {}
  const home = await openHome(dataDir, await chooseAccount(), log)
  await ensureCluster(home, await findBinaries(home, log), log)
  await appendFile(join(clusterFolder(home), 'postgresql.conf'), SETTINGS)
}

/** In the second template, under the key that it returns: to make an RSA key in each file took more than to make its database. */
async function makeSigningKey(connection: EmbeddedConnection): Promise<string> {
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
  }
}
