import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './programs.mjs'

const home = join(root, 'node_modules', 'electron')
const cache = join(root, '.cache')
const failureFile = join(cache, 'electron-failure.json')
const download = join(cache, 'electron-download')
const patience = 20_000
const memory = 24 * 60 * 60 * 1000

/** The installed binary. Never by `require('electron')`: that would start a download. */
export function findElectron() {
  try {
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    if (
      readFileSync(join(home, 'dist', 'version'), 'utf8')
        .trim()
        .replace(/^v/, '') !== version
    )
      return undefined
    const path = join(home, 'dist', readFileSync(join(home, 'path.txt'), 'utf8'))
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/**
 * The binary, fetched once by Electron's own installer where it is missing; else the reason why there is none. A
 * failure is remembered for a day.
 */
export async function ensureElectron() {
  const present = findElectron()
  if (present) return { path: present }
  const before = readFailure()
  if (before) {
    return { reason: `${before}, and is not tried again for a day (to try now: npx install-electron)` }
  }
  const reason = await fetchElectron()
  const path = findElectron()
  if (path) return { path }
  mkdirSync(cache, { recursive: true })
  writeFileSync(failureFile, JSON.stringify({ time: Date.now(), reason }))
  return { reason: `${reason} (to try again: npx install-electron)` }
}

function readFailure() {
  try {
    const { time, reason } = JSON.parse(readFileSync(failureFile, 'utf8'))
    return Date.now() - time < memory && typeof reason === 'string' ? reason : undefined
  } catch {
    return undefined
  }
}

/** Runs the installer and watches what it has fetched, for it tells nothing itself. Gives the reason of a failure. */
function fetchElectron() {
  const installer = join(home, 'install.js')
  if (!existsSync(installer)) return Promise.resolve('Electron is not installed')
  say('Fetching Electron once (about 120 MB).')
  rmSync(download, { recursive: true, force: true })
  mkdirSync(download, { recursive: true })
  return new Promise((resolve) => {
    const proxied = process.env.HTTPS_PROXY || process.env.https_proxy ? { ELECTRON_GET_USE_PROXY: '1' } : {}
    const child = spawn(process.execPath, [installer], {
      env: {
        ...process.env,
        ...proxied,
        TMPDIR: download,
        TEMP: download,
        TMP: download,
        ELECTRON_GET_NO_PROGRESS: '1',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint = (complaint + text).slice(-4_000)
    })
    let bytes = 0
    let moved = Date.now()
    let told = 0
    let stalled = false
    const watch = setInterval(() => {
      const now = sizeOf(download) + sizeOf(join(home, 'dist'))
      if (now !== bytes) moved = Date.now()
      bytes = now
      const megabytes = Math.floor(bytes / 1_000_000)
      if (megabytes >= told + 10) {
        told = megabytes
        say(`  ${megabytes} MB`)
      }
      if (Date.now() - moved > patience) {
        stalled = true
        child.kill('SIGKILL')
      }
    }, 250)
    const end = (reason) => {
      clearInterval(watch)
      rmSync(download, { recursive: true, force: true })
      resolve(reason)
    }
    child.once('error', () => end('Electron could not be fetched'))
    child.once('close', (code) => {
      if (stalled) end('Electron could not be fetched (20 s without a byte)')
      else if (code === 0) end('Electron was fetched, but its program is not there')
      else end(`Electron could not be fetched (${firstReason(complaint)})`)
    })
  })
}

/** The innermost cause that the installer's stack names, without addresses and paths. */
function firstReason(complaint) {
  const known =
    /\b(E[A-Z]{4,}|UND_ERR_[A-Z_]+|SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_[A-Z_]+|Response code \d{3})\b/.exec(
      complaint,
    )
  if (known) return known[1]
  return complaint.includes('fetch failed') ? 'its server cannot be reached' : 'its installer failed'
}

function sizeOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.size
  try {
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
  } catch {
    return 0
  }
}
