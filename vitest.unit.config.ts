// The unit tests: files that start neither a database, nor a server, nor another process. CONTRIBUTING.md says how to run them.
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { packageFile } from './src/platform/package-root.ts'
import { compiledSources } from './test/support/compiled-sources.ts'
import { LONG } from './test/support/longest-first.ts'
import { unitTests } from './test/support/unit-tests.ts'

export default defineConfig({
  plugins: [await compiledSources()],
  test: {
    include: unitTests()
      .map((file) => relative(packageFile(), file))
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
    // As in a run of all tests: a minute was too short on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
