import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'

/** A running sample app with a data folder of its own. */
export interface Sample {
  app: ElectronApplication
  page: Page
  /** The app's user data. */
  data: string
  /** What the app has written down so far. */
  journal(): string[]
  /** Closes the app, if it still runs, and removes its folders. */
  dispose(): Promise<void>
}

/** Starts the built sample app in `folder`, as any Electron app is started by Playwright. */
export async function launchSample(
  folder: string,
  environment: Record<string, string> = {},
): Promise<Sample> {
  const scratch = mkdtempSync(join(tmpdir(), 'stand-in-spec-'))
  const data = join(scratch, 'data')
  const file = join(scratch, 'journal')
  const app = await _electron.launch({
    args: [folder],
    env: { ...inherited(), SAMPLE_DATA: data, SAMPLE_JOURNAL: file, ...environment },
  })
  const page = await app.firstWindow()
  await page.waitForSelector('h1')
  return {
    app,
    page,
    data,
    journal: () => readFileSync(file, 'utf8').trimEnd().split('\n'),
    async dispose() {
      await app.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** This process's environment, as Playwright wants it. */
export function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Whether `_electron.launch` starts the stand-in. */
export function isStandIn(): boolean {
  return process.env['ELECTRON_OVERRIDE_DIST_PATH'] === process.env['ELECTRON_STAND_IN']
}
