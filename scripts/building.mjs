import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root, runTool, say } from './programs.mjs'

const stamp = join(root, 'out', '.built')
const lock = join(root, '.cache', 'building')

/** A name for all that a build depends on: which files there are, how long they are, when they were written. */
function describeSources() {
  const hash = createHash('sha256')
  const add = (path) => {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  for (const file of ['package.json', 'package-lock.json', 'electron.vite.config.ts']) add(join(root, file))
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (!/\.test\.tsx?$/.test(entry.name)) add(path)
    }
  }
  walk(join(root, 'src'))
  return hash.digest('hex')
}

/** Whether out/ holds what these sources make. */
export function isBuilt() {
  try {
    return readFileSync(stamp, 'utf8') === describeSources()
  } catch {
    return false
  }
}

/** Whether the process that is building still runs; a lock that nobody holds is taken away. */
function isBuilding() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return true
  } catch (error) {
    // Between the making of the folder and of the file in it, the lock is held without a name.
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (error.code === 'ENOENT' && age < 2_000) return true
    rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function take() {
  mkdirSync(join(root, '.cache'), { recursive: true })
  try {
    mkdirSync(lock)
  } catch {
    return false
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return true
}

/** Builds the app into out/, where the sources have changed. One build at a time. Throws where it fails. */
export async function ensureBuilt({ always = false } = {}) {
  if (!always && isBuilt()) return
  while (!take()) {
    if (isBuilding()) await wait(200)
    if (!always && isBuilt()) return
  }
  try {
    say('Building.')
    const sources = describeSources()
    rmSync(stamp, { force: true })
    const code = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'error'])
    if (code !== 0) {
      throw new Error('the build failed; its reason stands above')
    }
    writeFileSync(stamp, sources)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
