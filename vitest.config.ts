import { defineConfig } from 'vitest/config'

/** Unit tests stand beside the code; the checks of the whole tree and of the built bundles are tests too. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 15_000,
    hookTimeout: 15_000,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    sequence: { shuffle: true },
  },
})
