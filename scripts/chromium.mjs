import { findOnPath, root, run, runTool, say } from './programs.mjs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

// It has no windows, and takes less time than the browser itself with its windows hidden. Debian's package; what
// Playwright fetches is of the same kind.
const headlessShell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** A Chromium of the system that a person can use; undefined where there is none. */
export function findChromium() {
  for (const name of names) {
    const path = findOnPath(name)
    if (path) return path
  }
  return undefined
}

/** A Chromium of the system that tests can drive; undefined where there is none. */
export function findTestChromium() {
  return findOnPath(headlessShell) ?? findChromium()
}

/**
 * Sees to it that there is a Chromium for tests: the system's; else Debian's by apt-get where we are root; else Playwright's
 * own. Ends the process where none can be had.
 */
export async function ensureChromium() {
  if (findChromium()) return
  if (process.getuid?.() === 0 && findOnPath('apt-get')) {
    say('Installing Chromium with apt-get (about 270 MB).')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3']
    await run('apt-get', [...options, 'update'], { env })
    const install = (...names) =>
      run('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...names], { env })
    // The stand-in for Electron wants the whole browser. Older Debians and Ubuntu have no shell of its own.
    if ((await install('chromium', headlessShell)) !== 0) await install('chromium')
    if (findChromium()) return
    say('apt-get could not install it; trying the one that Playwright offers.')
  }
  if (existsSync(await pathOfPlaywrights())) return
  say('Fetching the Chromium that Playwright offers (about 180 MB).')
  const code = await runTool('@playwright/test/cli.js', ['install', 'chromium'])
  if (code === 0) return
  say(
    'The tests in a browser need Chromium, and it could not be fetched. Install it (Debian: sudo apt-get install chromium) and run again.',
  )
  process.exit(1)
}

async function pathOfPlaywrights() {
  const { chromium } = await import(join(root, 'node_modules', 'playwright-core', 'index.mjs'))
  return chromium.executablePath()
}
