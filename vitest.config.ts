import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/src/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    reporters: ['default', './test/support/coverage-table.ts', './test/support/closing-line.ts'],
    // Two files a core: half of them wait, for processes that start, payers that are slow and the seconds that are promised.
    maxWorkers: 2 * availableParallelism(),
    // Files share the modules of their worker: to load them again for each was a fifth of the run. Tests share no other state.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
