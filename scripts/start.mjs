#!/usr/bin/env node
// npm start: installs and builds what is missing, then starts the app in Electron, or in a browser where there is none.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './building.mjs'
import { ensureElectron } from './electron-binary.mjs'
import { ensureInstalled } from './installation.mjs'
import { requireNode } from './node-version.mjs'
import { root, say } from './programs.mjs'

const here = fileURLToPath(import.meta.url)
const byNpm = process.env.npm_package_json === join(root, 'package.json')
/** The folder that the person is in: npm changes to the package's own and keeps the other here. */
const cwd = (byNpm && process.env.INIT_CWD) || process.cwd()

/** The person's environment again, for it is what the app's terminals get: without what npm has put in. */
function personsEnvironment() {
  if (!byNpm) return process.env
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== 'INIT_CWD'),
  )
  const added = /[\\/](node_modules[\\/]\.bin|node-gyp-bin)$/
  const folders = (process.env.PATH ?? '').split(delimiter)
  env.PATH = folders.slice(folders.findIndex((folder) => !added.test(folder))).join(delimiter)
  return env
}

/** Runs the app until it ends; signals go through, and so does its exit code. */
function hold(program, args, variables = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...personsEnvironment(), ...variables },
      stdio: 'inherit',
    })
    const pass = (signal) => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    // npm runs us in a shell, and a signal to npm ends that shell only: then we have another parent.
    const parent = process.ppid
    const orphaned = setInterval(() => byNpm && process.ppid !== parent && child.kill('SIGTERM'), 200)
    const end = (code) => {
      for (const signal of signals) process.off(signal, pass)
      clearInterval(orphaned)
      resolve(code)
    }
    child.once('error', () => end(127))
    child.once('close', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

const runInNode = (words) => hold(process.execPath, [join(root, 'out', 'main', 'headless.js'), ...words])

async function start(words) {
  requireNode()
  if (words[0] === 'doctor' && words.length === 1) {
    await import('./doctor.mjs')
    return process.exitCode
  }
  await ensureInstalled()
  await ensureBuilt()
  const { readCommandLine } = await import(pathToFileURL(join(root, 'out', 'main', 'command-line.js')).href)
  const asked = readCommandLine(words, cwd)
  if (asked.kind === 'stop') {
    process.stdout.write(asked.stdout)
    process.stderr.write(asked.stderr)
    return asked.code
  }
  if (asked.kind === 'run' || asked.kind === 'record') return runInNode(words)
  // Asks the app that runs; where none does and there is a display, one is started.
  if (asked.kind !== 'start') {
    const start = hasDisplay() ? { GREENLIGHT_START: JSON.stringify([process.execPath, here]) } : {}
    return hold(process.execPath, [join(root, 'out', 'main', 'errand.js'), ...words], start)
  }
  if (asked.mode !== 'window') return runInNode(words)

  const lacking = await tryElectron(words)
  if (typeof lacking === 'number') return lacking
  say(`${lacking}. Greenlight runs in a browser window instead.`)
  return runInNode(['--browser', ...words])
}

function hasDisplay() {
  const { platform, env } = process
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Runs the app in Electron and gives its exit code, or a reason why it cannot. */
async function tryElectron(words) {
  if (!hasDisplay()) return 'There is no display for Electron'
  const electron = await ensureElectron()
  if (!electron.path) return electron.reason
  // Chromium's sandbox refuses to run as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const code = await hold(electron.path, [...asRoot, root, ...words])
  // 127: the loader found a system library missing, or the program could not be started.
  return code === 127 ? 'Electron does not start on this system' : code
}

start(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    say(`Greenlight could not be started: ${error.message}`)
    process.exitCode = 1
  },
)
