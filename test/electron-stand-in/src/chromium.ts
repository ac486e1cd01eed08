import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { CdpConnection } from './cdp'

/** A running Chromium and the pipe to it. */
export interface Chromium {
  connection: CdpConnection
  /** Called once if Chromium ends by itself, with its signal or exit code. */
  onExit(listener: (how: string) => void): void
  /** The line `DevTools listening on ws://…`, if a debugging port was asked for. */
  listening: Promise<string>
  /** Ends every process of Chromium and removes its profile; resolves when both are done. */
  end(): Promise<void>
  /** The same at once, as far as it goes without waiting: for the end of this process. */
  kill: () => void
}

/** Ours, before what the app adds by `app.commandLine`. */
const baseSwitches = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  // Electron treats file: pages as one origin; without this a module script would not load from disk.
  '--allow-file-access-from-files',
  '--disable-background-networking',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-popup-blocking',
  '--disable-renderer-backgrounding',
  '--disable-sync',
  '--password-store=basic',
]

/**
 * Waits for the end of this process, whatever the reason, and then ends Chromium and removes its profile. Where the
 * profile is gone already, it was an orderly end. Else some of Chromium's processes may outlive the group for a moment
 * and write once more: the folder must stay away for a second.
 */
const guard = `
cat >/dev/null
[ -e "$2" ] || exit 0
[ -n "$1" ] && kill -KILL -- "-$1" 2>/dev/null
tries=0
calm=0
while [ $calm -lt 20 ] && [ $tries -lt 400 ]; do
  if [ -e "$2" ]; then rm -rf -- "$2" 2>/dev/null; calm=0; else calm=$((calm + 1)); fi
  tries=$((tries + 1))
  sleep 0.05
done
`

/**
 * Where Chromium is: ELECTRON_STAND_IN_CHROMIUM, else `chromium` on PATH, else the one that Playwright installed.
 * @throws when there is none; the message says what to do
 */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment['ELECTRON_STAND_IN_CHROMIUM']
  if (named !== undefined && named !== '') return named
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, 'chromium')
    if (folder !== '' && isExecutable(candidate)) return candidate
  }
  const { chromium } = await import('playwright-core')
  const own = chromium.executablePath()
  if (isExecutable(own)) return own
  throw new Error('stand-in: no Chromium found; install one or name it in ELECTRON_STAND_IN_CHROMIUM')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts Chromium without a window. `switches` are the app's, by name. */
export async function startChromium(
  switches: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv,
): Promise<Chromium> {
  const executable = await findChromium(environment)
  const profile = mkdtempSync(join(tmpdir(), 'electron-stand-in-'))
  const given = [...switches].map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`))
  const needed = ['--remote-debugging-pipe', `--user-data-dir=${profile}`]
  if (environment['ELECTRON_STAND_IN_HEADED'] !== '1') needed.push('--headless=new')
  if (process.getuid?.() === 0) needed.push('--no-sandbox')
  const child = spawn(executable, [...new Set([...needed, ...baseSwitches, ...given])], {
    // Its own process group, so that all of it can be ended at once.
    detached: true,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  // At once, so that there is no moment without a guard. A Chromium that could not be started has no id.
  const pid = child.pid ?? 0
  const guardian = spawn('/bin/sh', ['-c', guard, 'guard', String(child.pid ?? ''), profile], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guardian.unref()
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`stand-in: cannot start Chromium: ${error.message}`)))
    child.once('spawn', () => resolve())
  })

  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = (): void => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  return {
    connection: new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable),
    onExit: (listener) => void child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`)),
    listening: readListening(child, environment['ELECTRON_STAND_IN_DEBUG'] === '1'),
    kill,
    async end() {
      kill()
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 })
    },
  }
}

/** Reads Chromium's stderr to its end, so that it never blocks, and finds the line about the debugging port. */
function readListening(child: ChildProcess, show: boolean): Promise<string> {
  return new Promise((resolve) => {
    let tail = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (show) process.stderr.write(text)
      const all = tail + text
      // Looked for before anything is cut off: on a busy machine much of what follows it may come in one piece with it.
      const found = /^DevTools listening on ws:\/\/.*$/m.exec(all)
      tail = all.slice(-4000)
      if (found) resolve(found[0])
    })
  })
}
