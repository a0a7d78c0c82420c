// A migrated cluster, kept in node_modules until something changes that it is made from: to make it is half of what a single file takes.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { copyFolder, removeFolder, scratchFolder } from './scratch.ts'

const shelf = packageFile('node_modules', '.migrated-clusters')
/** The statements, the code that executes them, and the version of PostgreSQL. */
const SOURCES = ['migrations', 'src/platform/database', 'package-lock.json', 'test/support/migrated-cluster.ts']

/**
 * What a cluster of a test does without. Preparing 512 MB of buffers, and reading again what was in memory before the last stop, was four fifths of a
 * start of PostgreSQL. Three processes that read for others are a tenth. Clusters of a first start have all of them.
 */
const LEAN = `
shared_buffers = 32MB
pg_prewarm.autoprewarm = off
io_method = sync
`
export const configurationOf = (dataDir: string) => join(dataDir, 'postgresql', 'cluster', 'data', 'postgresql.conf')
export const makeLean = (dataDir: string) => appendFile(configurationOf(dataDir), LEAN)

/** Makes `to`, which must not exist: a data folder as a first start leaves it that is stopped before it makes the first client. */
export async function placeMigratedCluster(to: string): Promise<void> {
  const digest = digestOfSources()
  if (!existsSync(join(shelf, digest))) await keep(digest)
  await copyFolder(join(shelf, digest), to)
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  // The files belong to the account that makes them.
  hash.update(String(process.getuid?.()))
  for (const source of SOURCES) {
    const path = packageFile(source)
    const names = statSync(path).isFile() ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
    const files = names.map((name) => join(path, name)).filter((file) => /\.(sql|ts|json)$/.test(file))
    for (const file of files) hash.update(`${file}\n`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** What earlier sources made goes. Of two runs that make the same at once, the first one's is kept. */
async function keep(digest: string): Promise<void> {
  const made = await makeCluster()
  await mkdir(shelf, { recursive: true })
  const outdated = (await readdir(shelf)).filter((name) => !name.startsWith(digest))
  for (const name of outdated) await removeFolder(join(shelf, name))
  const unfinished = join(shelf, `${digest}-${process.pid}`)
  await copyFolder(made, unfinished)
  await rm(made, { recursive: true })
  await rename(unfinished, join(shelf, digest)).catch(() => rm(unfinished, { recursive: true }))
}

/** A connection takes 11 ms in place of 14. Clusters of a first start have the password as PostgreSQL stores it by default. */
async function hashPasswordOnce(database: SystemDatabase, password: string): Promise<void> {
  await database.rows(
    `do $$ begin set local scram_iterations = 1; alter role current_user password '${password}'; end $$`,
  )
}

async function makeCluster(): Promise<string> {
  const dataDir = await mkdtemp(join(scratchFolder, 'anteroom-test-'))
  // As root PostgreSQL runs as another user, who must be able to walk here.
  await chmod(dataDir, 0o755)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  await migrate(database)
  await hashPasswordOnce(database.systemDatabase, embedded.connection.password)
  await database.close()
  await embedded.stop()
  await makeLean(dataDir)
  return dataDir
}
