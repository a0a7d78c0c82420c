// The unit tests: files that start neither a database, nor a server, nor another process. CONTRIBUTING.md says how to run them.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compiledSources } from './test/support/compiled-sources.ts'
import { LONG } from './test/support/longest-first.ts'

const root = dirname(fileURLToPath(import.meta.url))

/** Whoever imports one of these needs the PostgreSQL of the whole run, or starts a server of its own. */
const STARTING = ['service', 'started-server', 'database'].map((name) => join(root, 'test', 'support', `${name}.ts`))
const STARTS = /from 'node:(child_process|worker_threads)'|\b(createServer|startSandbox)\(|\.listen\(/

function startsNothing(file: string, seen: Set<string>): boolean {
  if (STARTING.includes(file)) return false
  if (seen.has(file)) return true
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (STARTS.test(text)) return false
  const helpers = [...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path = '']) => resolve(dirname(file), path))
  return helpers.filter((path) => path.startsWith(join(root, 'test'))).every((path) => startsNothing(path, seen))
}

const tests = ['src', 'test', 'console/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(root, folder, name)),
)

export default defineConfig({
  plugins: [await compiledSources()],
  test: {
    include: tests
      .filter((file) => startsNothing(file, new Set()))
      .map((file) => relative(root, file))
      .filter((name) => !LONG.has(name)),
    setupFiles: 'test/support/require-assertions.ts',
    isolate: false,
    // Vitest leaves a core to itself, which is half of a small machine.
    maxWorkers: availableParallelism(),
    // The V8 of Node 20 optimizes a function after thirty times as much work as by default: most code of a unit test runs a few times, with other inputs
    // each time, and was optimized only to be discarded. Later ones do not know the flag (decisions/0136-unit-tests-in-less-work.md).
    execArgv: process.version.startsWith('v20.') ? ['--interrupt-budget=2000000'] : [],
    // Transformed modules are kept in node_modules, a seventh of a run.
    experimental: { fsModuleCache: true },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
