// One real PostgreSQL for the whole run, with a migrated template: every test file clones it (database.ts).
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/platform/database/database.ts'
import { type EmbeddedConnection, openEmbedded } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-test-'))
  // As root PostgreSQL runs as another user, who must be able to walk here.
  await chmod(dataDir, 0o755)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  await flushNothing(embedded.connection)
  const admin = openDatabase(embedded.connection, { onError: () => {} })
  await admin.systemDatabase.rows('create database anteroom_template')
  const template = openDatabase({ ...embedded.connection, database: 'anteroom_template' }, { onError: () => {} })
  await migrate(template)
  await template.close()
  await admin.close()
  project.provide('postgres', embedded.connection)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** This PostgreSQL ends with the run. What a crash leaves is tried on clusters that flush as in production (test/faults). */
async function flushNothing(connection: EmbeddedConnection): Promise<void> {
  const superuser = new Client({ ...connection, user: 'postgres', database: 'postgres' })
  await superuser.connect()
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'wal_compression']) {
    await superuser.query(`alter system set ${setting} = off`)
  }
  await superuser.query('select pg_reload_conf()')
  await superuser.end()
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: EmbeddedConnection
  }
}
