// One real PostgreSQL for the whole run, with a migrated template: every test file clones it (database.ts).
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/database/database.ts'
import { type EmbeddedConnection, openEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-test-'))
  // As root PostgreSQL runs as another user, who must be able to walk here.
  await chmod(dataDir, 0o755)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  const admin = openDatabase(embedded.connection, { onError: () => {} })
  await admin.acrossOrganizations.rows('create database anteroom_template')
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

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: EmbeddedConnection
  }
}
