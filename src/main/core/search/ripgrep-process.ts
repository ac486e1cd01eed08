import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SkippedFiles } from '../../../shared/contract/search'
import type { GlobFilter } from './globs'
import { repositoryOf } from './ignored-files'

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
