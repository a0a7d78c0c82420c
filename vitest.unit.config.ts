// The unit tests: files that start neither a database, nor a server, nor another process. CONTRIBUTING.md says how to run them.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LESS_OPTIMIZATION } from './vitest.config.ts'

const root = dirname(fileURLToPath(import.meta.url))

/** Whoever imports one of these needs the PostgreSQL of the whole run, or starts a server of its own. */
const STARTING = ['service', 'started-server', 'database'].map((name) => join(root, 'test', 'support', `${name}.ts`))
const STARTS = /from 'node:(child_process|worker_threads)'|\b(createServer|startSandbox)\(|\.listen\(/

/** Files that try thousands of inputs, or wait, and take seconds each: they run with `npm test` alone. */
const LONG = new Set([
  'src/clearinghouses/availity/read-coverage.test.ts',
  'src/clearinghouses/core/plain-envelope.test.ts',
  'src/clearinghouses/stedi/plans.test.ts',
  'src/clearinghouses/stedi/read-eligibility.test.ts',
  'src/eligibility/answers/coverage-law.test.ts',
  'src/eligibility/answers/decode-fuzz.test.ts',
  'src/eligibility/answers/decode-round-trip.test.ts',
  'src/eligibility/answers/decode-rules.test.ts',
  'src/eligibility/answers/decode.test.ts',
  'src/eligibility/printing/print-benefits.test.ts',
  'src/eligibility/answers/recommendations.test.ts',
  'src/eligibility/answers/refused-people.test.ts',
  'src/eligibility/answers/social-security.test.ts',
  'src/eligibility/printing/benefit-sheet.test.ts',
  'src/main/measure.test.ts',
  'src/payers/near-terms.test.ts',
  'src/platform/auth/token-limits.test.ts',
  'src/platform/http/health.test.ts',
  'src/platform/http/load-shedding.test.ts',
  'src/tools/sandbox/valid-answers.test.ts',
  'src/x12/bounds.test.ts',
  'src/x12/hostile-input.test.ts',
  'src/x12/interchange-writer.test.ts',
  'src/x12/join-services.test.ts',
  'test/laws/exported-x12.test.ts',
  'test/laws/inquiries.test.ts',
  'test/laws/same-answer.test.ts',
])

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
  test: {
    include: tests
      .filter((file) => startsNothing(file, new Set()))
      .map((file) => relative(root, file))
      .filter((name) => !LONG.has(name)),
    isolate: false,
    // Vitest leaves a core to itself, which is half of a small machine.
    maxWorkers: availableParallelism(),
    execArgv: LESS_OPTIMIZATION,
    // Transformed modules are kept in node_modules, a seventh of a run. Not in vitest.config.ts: with a global setup, Vitest 4.1.12 fails in a second run.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
