import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SkippedFiles } from '../../../shared/contract/search'
import { startProgram } from '../platform/child-process'
import type { GlobFilter } from './globs'
import { repositoryOf } from './ignored-files'

/** One run of ripgrep: where, with what, and who hears its output. */
export interface RipgrepRun {
  program: string
  folder: string
  args: readonly string[]
  input?: string
  /** A piece of its output; false ends it. */
  output(piece: Buffer): boolean
  signal: AbortSignal
}

/** How it ended: its exit code (null when it was ended), or that it could not be started; and what it complained. */
export interface RipgrepEnd {
  code: number | null
  isStarted: boolean
  complaints: readonly string[]
}

/** More complaints than this are not kept, in bytes. */
const mostComplaints = 1024 * 1024

/** Runs ripgrep. Never throws; the person's own configuration of it is left aside. */
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

/**
 * Which files ripgrep looks at, as arguments: hidden ones too, never git's own folder, what .gitignore names only if
 * asked for. What stands above a folder counts in its repository; outside of one .gitignore files count all the same.
 * `includes` names a file of rules, see `withIncludes`.
 */
export function scopeArguments(
  folder: string,
  { excludes }: Pick<GlobFilter, 'excludes'>,
  withIgnored: boolean,
  includes: string | null,
): string[] {
  const ignoring = withIgnored
    ? ['--no-ignore']
    : [
        '--no-ignore-dot',
        ...(repositoryOf(folder) === null ? ['--no-require-git', '--no-ignore-parent'] : []),
      ]
  return [
    '--hidden',
    ...ignoring,
    ...excludes.flatMap((glob) => ['--glob', `!${glob}`]),
    ...['--glob', '!.git'],
    ...(includes === null ? [] : ['--ignore-file', includes]),
  ]
}

/**
 * Gives `use` a file of ignore rules that leave nothing but what the globs include; null where they include all. Not
 * as globs of ripgrep's own: those would bring back what .gitignore names.
 */
export async function withIncludes<T>(
  { includes }: Pick<GlobFilter, 'includes'>,
  use: (rules: string | null) => Promise<T>,
): Promise<T> {
  if (includes.length === 0) return use(null)
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-search-'))
  try {
    const path = join(folder, 'include')
    const back = includes.flatMap((glob) => {
      const folderGlob = glob.replace(/\/$/, '')
      // A name alone counts at any depth, and with it what is in it.
      return [`!${glob}`, `!${folderGlob.includes('/') ? '' : '**/'}${folderGlob}/**`]
    })
    await writeFile(path, ['*', '!*/', ...back, ''].join('\n'))
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a complaint about a file means; null where it is about something else. */
export function skippedBy(complaint: string): keyof SkippedFiles | null {
  if (complaint.endsWith('(os error 2)')) return 'vanished'
  return /\(os error \d+\)$/.test(complaint) ? 'unreadable' : null
}
