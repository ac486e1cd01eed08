import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { findServer } from './fake-agent'
import { test } from './open-app'

const checks = (page: Page) => page.getByRole('list', { name: 'Checks for Claude Code', exact: true })
const lockFile = (home: string) => join(home, '.claude', 'ide', `${findServer(home).port}.lock`)

async function openConnections(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connections panel' }).click()
  await expect(checks(page).getByText('Listening on 127.0.0.1:')).toBeVisible()
}

test('a lock file that is gone is said, and written again on request', { tag: '@long' }, async ({ app }) => {
  await app.start()
  const { page } = app
  await openConnections(page)
  await expect(checks(page).getByText('Its lock file is in place.')).toBeVisible()
  const file = lockFile(app.place.home)
  rmSync(file)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(checks(page).getByText(/is gone, so new agents/)).toBeVisible()
  await checks(page).getByRole('button', { name: 'Rewrite it' }).click()
  await expect(checks(page).getByText('Its lock file is in place.')).toBeVisible()
  expect(existsSync(file)).toBe(true)

  chmodSync(file, 0o644)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(checks(page).getByText(/can be read by other users/)).toBeVisible()
  await checks(page).getByRole('button', { name: 'Rewrite it' }).click()
  await expect(checks(page).getByText('Its lock file is in place.')).toBeVisible()
  expect(statSync(file).mode & 0o777).toBe(0o600)

  writeFileSync(file, '{"authToken":"of another"}')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(checks(page).getByText(/doesn’t match this server/)).toBeVisible()
})

test('Gemini’s own switch is set only after the person agreed, and the rest of its settings stays', async ({
  app,
}) => {
  const settings = join(app.place.home, '.gemini', 'settings.json')
  mkdirSync(join(app.place.home, '.gemini'))
  writeFileSync(settings, '{\n  // mine\n  "theme": "dark"\n}\n')
  await app.start()
  const { page } = app
  await openConnections(page)
  const list = page.getByRole('list', { name: 'Checks for Gemini CLI' })
  await expect(list.getByText('won’t look for an editor')).toBeVisible()
  await list.getByRole('button', { name: 'Turn it on …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change this setting?' })
  await expect(dialog).toContainText(settings)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(readFileSync(settings, 'utf8')).not.toContain('enabled')
  await list.getByRole('button', { name: 'Turn it on …' }).click()
  await dialog.getByRole('button', { name: 'Change it' }).click()
  await expect(list.getByText('may connect to an editor')).toBeVisible()
  const text = readFileSync(settings, 'utf8')
  expect(text).toContain('// mine')
  expect(text).toContain('"enabled": true')
})

test.describe('command lines', () => {
  test.skip(process.platform !== 'linux', 'only Linux tells another program’s folder')
  let started: ChildProcess | null = null
  test.afterEach(async () => {
    if (!started || started.exitCode !== null) return
    started.kill('SIGKILL')
    await once(started, 'exit')
  })

  test('one outside of the folders is told so, until it connects', { tag: '@long' }, async ({ app }) => {
    const bin = join(app.place.base, 'bin')
    mkdirSync(bin)
    copyFileSync(process.execPath, join(bin, 'claude'))
    started = spawn(join(bin, 'claude'), ['-e', 'console.log(1); setInterval(() => 0, 1e6)'], {
      cwd: bin,
      env: {},
    })
    await once(started.stdout ?? started, 'data')
    await app.start()
    const { page } = app
    await openConnections(page)
    const words = checks(page).getByText(new RegExp(`\\(process ${started.pid}\\) isn’t connected`))
    // It is given some seconds after its start, and the list is looked at again by hand.
    await expect(async () => {
      await page.getByRole('button', { name: 'Check again' }).click()
      await expect(words).toContainText(`it runs in ${bin}, which is outside`, { timeout: 1_000 })
    }).toPass({ timeout: 40_000 })
    await app.agent(started.pid)
    await expect(words).toHaveCount(0)
  })
})
