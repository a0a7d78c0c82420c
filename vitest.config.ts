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
    // Longer than a program may take to start on a busy machine (START_LIMIT_MS), so that what fails says why.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Not a second: what is awaited comes later on a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
})
