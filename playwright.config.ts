import { defineConfig } from '@playwright/test'
import { findTestChromium } from './scripts/chromium.mjs'

/** Which host a spec runs on. */
export interface HostOption {
  host: 'headless' | 'electron'
}

/**
 * What depends on nothing of the shell is looked at on Electron in the long run only (npm run test:long): all of it runs
 * on the headless host, and a whole run has to end in time. The main job, files, windows, exports and the shell itself run
 * on both.
 */
const sameOnBothHosts = [
  'all-reviews',
  'claude-approvals',
  'comments',
  'connection-checks',
  'context',
  'conversation',
  'driven-conversation',
  'editing',
  'editor',
  'first-run',
  'gate',
  'gemini',
  'keyboard-day',
  'long-lines',
  'look',
  'many-reviews',
  'next-review',
  'protocol-log',
  'record',
  'renders',
  'review-answers',
  'review-texts',
  'sdk-url',
  'search',
  'sessions',
  'settings',
  'survival',
  'terminal',
  'trust',
  'unrecorded',
  'wait',
  'written-changes',
]
const isLong = process.env['GREENLIGHT_LONG'] !== undefined

const executablePath = findTestChromium()
const launchOptions = {
  // Without one of the system's, the one that Playwright fetched.
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
}

/**
 * The app end to end in Chromium, on its headless host and on Electron (the stand-in, where Electron's binary is not
 * asked for by ELECTRON_OVERRIDE_DIST_PATH), and with the real command lines of agents.
 */
export default defineConfig<HostOption>({
  globalSetup: './test/electron-stand-in/global-set-up.ts',
  // Files named *.test.ts are vitest's.
  testMatch: '**/*.spec.ts',
  // One test of a file that is for the long run; a whole file is named so.
  ...(isLong ? {} : { grepInvert: /@long/ }),
  outputDir: 'test-results',
  workers: 2,
  retries: 0,
  timeout: 90_000,
  // The machine may be busy with other tests: what is waited for comes, or never does.
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [
    ['list'],
    ['./test/chaos/figures-reporter.ts'],
    ...(process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['json'] as ['json']] : []),
  ],
  // A trace costs a fifth of the time: it is taken of what has failed and is tried again.
  use: { launchOptions, viewport: { width: 1400, height: 900 }, trace: 'on-first-retry' },
  projects: [
    {
      name: 'headless',
      testDir: 'test/e2e',
      testIgnore: ['electron-*.spec.ts'],
      use: { host: 'headless' },
    },
    {
      name: 'electron',
      testDir: 'test/e2e',
      testIgnore: [
        'headless-*.spec.ts',
        'command-line.spec.ts',
        ...sameOnBothHosts.map((name) => `${name}.spec.ts`),
      ],
      use: { host: 'electron' },
    },
    ...(isLong
      ? [
          {
            name: 'electron-long',
            testDir: 'test/e2e',
            testMatch: sameOnBothHosts.map((name) => `${name}.spec.ts`),
            use: { host: 'electron' as const },
          },
        ]
      : []),
    // The page alone, on scripted hosts.
    {
      name: 'page',
      testDir: 'test/page-harness',
      testMatch: ['page.spec.ts', 'context.spec.ts', 'approvals.spec.ts', 'settings.spec.ts'],
    },
    {
      name: 'review',
      testDir: 'test/review-harness',
      testMatch: ['review.spec.ts', 'all-reviews.spec.ts'],
      use: { viewport: { width: 1280, height: 860 } },
    },
    { name: 'conversation', testDir: 'test/conversation-harness' },
    { name: 'stand-in', testDir: 'test/electron-stand-in' },
    // npm test runs these apart, without a network where the system allows that.
    ...(process.env['GREENLIGHT_APART'] === undefined
      ? [
          { name: 'chaos', testDir: 'test/chaos', use: { host: 'headless' as const } },
          {
            name: 'interop',
            testDir: 'test/interop',
            ...(isLong ? {} : { testIgnore: '*-long.spec.ts' }),
            timeout: 180_000,
            use: { host: 'headless' as const },
          },
        ]
      : []),
  ],
})
