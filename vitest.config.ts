import { availableParallelism } from 'node:os'
import { defineConfig, type Plugin } from 'vitest/config'
import { compiledSources } from './test/support/compiled-sources.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { unitTests } from './test/support/unit-tests.ts'

/**
 * Transformed modules are kept in node_modules, a fifth of what a single file takes; not those of the global setup and the reporters, which Vitest
 * 4.1.12 cannot read again (`code.charCodeAt is not a function`).
 */
const keepModulesOfTests: Plugin = {
  name: 'keep-modules-of-tests',
  configureVitest: ({ experimental_defineCacheKeyGenerator: define }) =>
    define(({ environment }) => (environment.name === '__vitest__' ? false : undefined)),
}

export default defineConfig({
  plugins: [await compiledSources(), keepModulesOfTests],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/src/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/optimize-later.ts',
    provide: { computing: unitTests() },
    reporters: ['default', './test/support/coverage-table.ts', './test/support/closing-line.ts'],
    // Two files a core: half of them wait, for processes that start, payers that are slow and the seconds that are promised.
    maxWorkers: 2 * availableParallelism(),
    // Files share the modules of their worker: to load them again for each was a fifth of the run. Tests share no other state.
    isolate: false,
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // For what hangs: no test takes a minute of processor time, and a busy machine may be ten times slower. Longer than a program may take to
    // start (START_LIMIT_MS), so that what fails says why.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Not a second: what is awaited comes later on a busy machine.
    expect: { poll: { timeout: 120_000 } },
  },
})
