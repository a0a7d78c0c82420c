// Writes the generated files, or with `--check` reports which of them are out of date.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeProgram } from '../src/main/interface.ts'
import { openDatabase } from '../src/platform/database/database-pool.ts'
import { openEmbedded } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { packageFile } from '../src/platform/package-root.ts'
import { describeCommands } from './describe-commands.ts'
import { describeConsoleApi } from './describe-console-api.ts'
import { describeSchema } from './describe-schema.ts'
import { describeSettings } from './describe-settings.ts'

const generators: Record<string, () => Promise<string>> = {
  'openapi.json': async () => `${JSON.stringify(describeProgram(), null, 2)}\n`,
  'console/src/api/generated.ts': async () => describeConsoleApi(describeProgram()),
  'schema.sql': generateSchema,
  'docs/settings.md': async () => describeSettings(),
  'docs/command-line.md': async () => describeCommands(),
}

async function main(): Promise<void> {
  const isCheck = process.argv.includes('--check')
  const drifted: string[] = []
  for (const [name, generate] of Object.entries(generators)) {
    const path = packageFile(name)
    const wanted = await generate()
    const present = await readFile(path, 'utf8').catch(() => '')
    if (present === wanted) continue
    if (isCheck) drifted.push(name)
    else await writeFile(path, wanted)
  }
  if (drifted.length === 0) return
  process.stderr.write(`not up to date: ${drifted.join(', ')}. Run npm run generate.\n`)
  process.exitCode = 1
}

async function generateSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-schema-'))
  await chmod(dataDir, 0o755)
  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'server' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    await migrate(database)
    return await describeSchema(database.systemDatabase)
  } finally {
    await database.close()
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
