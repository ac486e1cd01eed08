import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

/** A conversation on a page of its own, in Chromium. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/conversation-harness-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 860 },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: ['--no-sandbox'],
    },
  },
})
