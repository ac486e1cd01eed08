import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from '../../../shared/result'
import { startProgram } from './child-process'
import { findProgram } from './programs'

/** What a person reads if ripgrep is missing or doesn't start. */
export const noRipgrep = fail(
  'no-program',
  'Searching needs ripgrep, which is missing here or does not start. Install it with your system’s package manager, then try again.',
)

/**
 * The ripgrep to use: the one that npm installed for this platform, whose version is known, or one on the PATH of
 * `env`; null if there is neither.
 */
export function findRipgrep(env: Record<string, string | undefined>): string | null {
  return packagedRipgrep() ?? findProgram('rg', { platform: process.platform, env })
}

/**
 * The program in this platform's package, next to or above the app's code. Node's own resolution is not used, because
 * it remembers failures: one moment without file descriptors would hide the program until the end. In a packed app,
 * programs are next to the archive, not in it.
 */
function packagedRipgrep(): string | null {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  const inPackage = join('@vscode', `ripgrep-${process.platform}-${process.arch}`, 'bin', name)
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', inPackage).replace(
      /([\\/])app\.asar([\\/])/,
      '$1app.asar.unpacked$2',
    )
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return null
  }
}

/** One run of ripgrep: where, with which arguments, and what receives its output. */
export interface RipgrepRun {
  program: string
  folder: string
  args: readonly string[]
  input?: string
  /** Receives a chunk of output; returning false ends the run. */
  output(piece: Buffer): boolean
  signal: AbortSignal
}

/** How it ended: its exit code (null if it was ended), or that it couldn't be started; and its complaints. */
export interface RipgrepEnd {
  code: number | null
  isStarted: boolean
  complaints: readonly string[]
}

/** How many bytes of complaints are kept. */
const mostComplaints = 1024 * 1024

/** Runs ripgrep, ignoring the person's own configuration of it. Never throws. */
export function runRipgrep({
  program,
  folder,
  args,
  input,
  output,
  signal,
}: RipgrepRun): Promise<RipgrepEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ code: null, isStarted: true, complaints: [] })
    const child = startProgram(program, ['--no-config', ...args], {
      cwd: folder,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    if (!child) return resolve({ code: null, isStarted: false, complaints: [] })
    const end = () => child.kill()
    signal.addEventListener('abort', end, { once: true })
    let isOver = false
    let complaints = ''
    child.stdout?.on('data', (piece: Buffer) => {
      if (isOver || signal.aborted) return
      isOver = !output(piece)
      if (isOver) end()
    })
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      if (complaints.length < mostComplaints) complaints += piece
    })
    // It may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    child.once('close', (code) => {
      signal.removeEventListener('abort', end)
      resolve({
        code: isOver ? null : code,
        isStarted: true,
        complaints: complaints.split('\n').filter(Boolean),
      })
    })
  })
}
