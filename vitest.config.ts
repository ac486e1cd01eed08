import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { modulePath } from './test/module-path'
import { SkipReporter } from './test/skip-reporter'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** Where the scripts read the results, without an ending. */
const results = process.env['GREENLIGHT_RESULTS']

function resultsIn(file: string): [['json', { outputFile: string }], SkipReporter] {
  return [['json', { outputFile: `${file}.json` }], new SkipReporter(`${file}-skips.json`)]
}

const shared = {
  plugins: [modulePath()],
  define: { GREENLIGHT_VERSION: JSON.stringify(version) },
}

const unit = {
  setupFiles: ['test/property-runs.ts', 'test/patience.ts'],
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 30_000,
  hookTimeout: 30_000,
  sequence: { shuffle: true },
}

/** Unit tests stand beside the code, with the checks of the whole tree; `built-app` looks at what is in out/. */
export default defineConfig({
  test: {
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    reporters: ['default', ...(results ? resultsIn(results) : [])],
    projects: [
      {
        ...shared,
        test: {
          ...unit,
          name: 'unit',
          include: ['src/{main,preload}/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['test/built-app.test.ts', 'test/packaging/**', 'test/interop/**'],
        },
      },
      // What writes no file and starts no process shares its modules: that takes less than half the time.
      {
        ...shared,
        test: {
          ...unit,
          name: 'unit-page',
          include: ['src/{renderer,shared}/**/*.test.{ts,tsx}'],
          isolate: false,
        },
      },
      // These fetch the real command line, so they are no part of the quick gate.
      {
        ...shared,
        test: {
          name: 'interop',
          include: ['test/interop/**/*.test.ts'],
          exclude: process.env['GREENLIGHT_LONG'] === undefined ? ['test/interop/*-long.test.ts'] : [],
          testTimeout: 300_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'built-app',
          include: ['test/built-app.test.ts', 'test/packaging/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
