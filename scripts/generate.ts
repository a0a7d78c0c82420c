// Writes the generated files, or with `--check` reports which of them are out of date.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SystemDatabase } from '../src/platform/database/database.ts'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { generatedFiles } from './generated-files.ts'

await withMigratedDatabase(async (migrated) => {
  const isCheck = process.argv.includes('--check')
  const drifted: string[] = []
  for (const [name, generate] of Object.entries(generatedFiles)) {
    const path = packageFile(name)
    const wanted = await generate(migrated)
    const present = await readFile(path, 'utf8').catch(() => '')
    if (present === wanted) continue
    if (isCheck) drifted.push(name)
    else await writeFile(path, wanted)
  }
  if (drifted.length === 0) return
  process.stderr.write(`not up to date: ${drifted.join(', ')}. Run npm run generate.\n`)
  process.exitCode = 1
})

async function withMigratedDatabase(work: (migrated: SystemDatabase) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-schema-'))
  await chmod(dataDir, 0o755)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    await migrate(database)
    await work(database.systemDatabase)
  } finally {
    await database.close()
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
