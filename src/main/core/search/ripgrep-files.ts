import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { SkippedFiles } from '../../../shared/contract/search'
import { runRipgrep } from '../platform/ripgrep'
import type { GlobFilter } from './globs'

/**
 * The arguments that select files: hidden ones too, never git's own folder, and files named in .gitignore only if asked
 * for. Ignore files above a folder count within its repository; outside of one, .gitignore files count anyway.
 * `includes` is a file of ignore rules, see `withIncludes`.
 */
export function scopeArguments(
  folder: string,
  { excludes }: Pick<GlobFilter, 'excludes'>,
  withIgnored: boolean,
  includes: string | null,
): string[] {
  const ignoring = withIgnored
    ? ['--no-ignore']
    : ['--no-ignore-dot', ...(!isInRepository(folder) ? ['--no-require-git', '--no-ignore-parent'] : [])]
  return [
    '--hidden',
    ...ignoring,
    ...excludes.flatMap((glob) => ['--glob', `!${glob}`]),
    ...['--glob', '!.git'],
    ...(includes === null ? [] : ['--ignore-file', includes]),
  ]
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return dirname(folder) !== folder && isInRepository(dirname(folder))
}

/**
 * Calls `use` with a file of ignore rules that leave only what the globs include; null if they include everything.
 * ripgrep's own globs would bring back what .gitignore names.
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
      // A name alone matches at any depth, and with it everything inside.
      return [`!${glob}`, `!${folderGlob.includes('/') ? '' : '**/'}${folderGlob}/**`]
    })
    await writeFile(path, ['*', '!*/', ...back, ''].join('\n'))
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a complaint about a file means; null if it is about something else. */
export function skippedBy(complaint: string): keyof SkippedFiles | null {
  if (complaint.endsWith('(os error 2)')) return 'vanished'
  return /\(os error \d+\)$/.test(complaint) ? 'unreadable' : null
}

/** Files in a folder: their names as ripgrep prints them, relative to it, each followed by a NUL. */
export interface ListedFiles {
  names: Uint8Array<ArrayBuffer>
  count: number
}

/** The files selected by these arguments, or the first `most` of them; null if ripgrep doesn't start. */
export async function listFiles(
  program: string,
  folder: string,
  scope: readonly string[],
  most: number,
  signal: AbortSignal,
): Promise<ListedFiles | null> {
  const pieces: Buffer[] = []
  let count = 0
  const { isStarted } = await runRipgrep({
    program,
    folder,
    args: ['--files', '--null', ...scope],
    output(piece) {
      pieces.push(piece)
      for (let at = piece.indexOf(0); at !== -1; at = piece.indexOf(0, at + 1)) count++
      return count <= most
    },
    signal,
  })
  if (!isStarted) return null
  // A copy in its own memory, which can be transferred to a thread.
  const names = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    names.set(piece, at)
    at += piece.length
  }
  return { names, count }
}
