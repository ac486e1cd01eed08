import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { type Failure, type Result, fail, succeed } from '../../../shared/result'
import { fieldsOfLinuxStat, processExists } from './process-tree'

/** Who holds a data directory. The start time distinguishes a process from a later one with the same number. */
const owner = z.object({ pid: z.number().int().positive(), started: z.string() })
type LockOwner = z.infer<typeof owner>

/** Another live process owns the data directory. */
interface InUse extends Failure {
  code: 'in-use'
  pid: number
}

/**
 * Makes this process the only owner of a data directory until disposed. A lock is taken over if its process is dead or
 * its number now belongs to another process. Fails as `in-use` with the owner's number, or as `no-lock` if the
 * directory can't be written.
 */
export function lockDataDirectory(directory: string): Result<Disposable, InUse | Failure> {
  const path = join(directory, 'lock')
  const mine = thisProcess()
  for (let attempt = 0; attempt < 20; attempt++) {
    const created = create(path, mine)
    if (!created.ok) return fail('no-lock', `${created.failure.message} Choose another one with --data-dir.`)
    if (created.value) {
      return succeed(disposable(() => removeIf(path, (text) => text === mine)))
    }
    const holder = readOwner(path)
    if (holder === 'gone') continue
    if (holder === 'unreadable')
      return fail('no-lock', `${path} isn’t a file that Greenlight can read. Move it away and start again.`)
    if (holder !== null && isAlive(holder)) {
      const { pid } = holder
      return { ok: false, failure: { code: 'in-use', pid, message: alreadyRunning(directory, pid) } }
    }
    takeAway(path)
  }
  return fail('no-lock', `The lock of ${directory} keeps changing hands. Start Greenlight again.`)
}

/** What a person reads when another process already uses the data directory. */
export function alreadyRunning(directory: string, pid: number): string {
  return `Greenlight is already running with ${directory} (process ${pid}). Use that one, or choose another --data-dir.`
}

/**
 * Removes a dead owner's lock. A second file serializes this, so that two starts can't remove each other's new lock.
 */
function takeAway(path: string): void {
  const guard = `${path}.takeover`
  const mine = thisProcess()
  const created = create(guard, mine)
  if (!created.ok) return
  if (!created.value) {
    removeIf(guard, isLeftOver)
    return
  }
  removeIf(path, isLeftOver)
  removeIf(guard, (text) => text === mine)
}

/** Creates the file with its text in one step, so that nobody reads it half-written. False if it exists already. */
function create(path: string, text: string): Result<boolean> {
  const draft = `${path}.${process.pid}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    linkSync(draft, path)
    return succeed(true)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return succeed(false)
    return fail('no-lock', `The data directory isn’t writable (${code ?? 'unknown error'}).`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Null if the file names no process. */
function readOwner(path: string): LockOwner | 'gone' | 'unreadable' | null {
  try {
    return parseOwner(readFileSync(path, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unreadable'
  }
}

function parseOwner(text: string): LockOwner | null {
  return owner.safeParse(parseJson(text)).data ?? null
}

function isLeftOver(text: string): boolean {
  const holder = parseOwner(text)
  return holder === null || !isAlive(holder)
}

function thisProcess(): string {
  return JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' } satisfies LockOwner)
}

function removeIf(path: string, isRight: (text: string) => boolean): void {
  try {
    if (isRight(readFileSync(path, 'utf8'))) unlinkSync(path)
  } catch {
    // Somebody else removed it already.
  }
}

/** Whether this very process, and not a later one with its number, is still running. */
export function isAlive(process_: LockOwner): boolean {
  if (!processExists(process_.pid)) return false
  const started = startOf(process_.pid)
  return started === null || process_.started === '' || started === process_.started
}

/** When a process started, as text that differs between processes with the same number; null if it can't be known. */
export function startOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      // Field 22, starttime; a zombie has it too, because it still holds its number.
      return fieldsOfLinuxStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))[19] ?? null
    }
    if (process.platform === 'win32') return null
    const asked = ['-o', 'lstart=', '-p', String(pid)]
    return execFileSync('ps', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null
  } catch {
    return null
  }
}
