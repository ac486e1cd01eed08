import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

/** The whole page on a scripted host, in Chromium. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/page-harness-results',
  timeout: 30_000,
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
