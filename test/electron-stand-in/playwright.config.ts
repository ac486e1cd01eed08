import { defineConfig } from '@playwright/test'

/** The stand-in's own specs alone: npx playwright test -c test/electron-stand-in */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/electron-stand-in/results',
  globalSetup: './global-set-up.ts',
  workers: 1,
  timeout: 30_000,
  reporter: 'list',
})
