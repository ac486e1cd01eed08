import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

/** The whole page on a scripted host, in Chromium. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/page-harness-results',
  timeout: 90_000,
  // Two cores that others use as well: what is slow is not wrong.
  expect: { timeout: 15_000 },
  workers: 1,
  reporter: 'list',
  use: {
    viewport: { width: 1400, height: 900 },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: ['--no-sandbox'],
    },
  },
})
