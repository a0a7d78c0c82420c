import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    reporters: ['default', './test/support/coverage-table.ts', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
