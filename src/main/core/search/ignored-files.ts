import { statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { readBytesSync } from '../files/regular-file'

/** The rules of one .gitignore and those above it. */
export interface IgnoreRules {
  readonly folder: string
  readonly own: Ignore | null
  /** Rules of the folders above, as far as they hold here. */
  readonly above: IgnoreRules | null
}

/**
 * The rules that hold for a folder that is searched: in a repository all from its root on, outside of one only the
 * folder's own. Reads files at once: for worker threads, and for single folders.
 */
export function rulesOfRoot(folder: string): IgnoreRules {
  const root = repositoryOf(folder)
  if (root === null) return rulesOf(folder, null)
  let rules: IgnoreRules | null = null
  const below = relative(root, folder).split(sep).filter(Boolean)
  for (let depth = 0; depth < below.length; depth++) {
    rules = rulesOf(join(root, ...below.slice(0, depth)), rules)
    // A folder that is opened although its own rules name it is searched all the same.
    if (isIgnored(rules, join(root, ...below.slice(0, depth + 1)), true)) rules = null
  }
  return rulesOf(folder, rules)
}

/** The rules in a folder below. A repository in a repository has its own only. */
export function rulesBelow(above: IgnoreRules, folder: string): IgnoreRules {
  const isNew = isRepository(folder) && repositoryOf(above.folder) !== null
  return rulesOf(folder, isNew ? null : lettingIn(folder, above))
}

/**
 * The rules above a folder that is looked at although some of them name it, because nearer ones take it back: what it
 * holds is not ignored by its folder's name then, only by its own.
 */
function lettingIn(folder: string, rules: IgnoreRules): IgnoreRules {
  const above = rules.above && lettingIn(folder, rules.above)
  const within = relative(rules.folder, folder).split(sep).join('/')
  const isNamed = rules.own?.test(`${within}/`).ignored === true
  if (!isNamed) return above === rules.above ? rules : { ...rules, above }
  const own = ignore()
    .add(rules.own ?? [])
    .add(`!/${within.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}/`)
  return { folder: rules.folder, own, above }
}

/** Whether a path is ignored; the nearest rules that name it decide. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (let one: IgnoreRules | null = rules; one !== null; one = one.above) {
    if (one.own === null) continue
    const within = relative(one.folder, path).split(sep).join('/')
    const { ignored, unignored } = one.own.test(isFolder ? `${within}/` : within)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}

function rulesOf(folder: string, above: IgnoreRules | null): IgnoreRules {
  const texts = [
    isRepository(folder) ? readText(join(folder, '.git', 'info', 'exclude')) : '',
    readText(join(folder, '.gitignore')),
  ]
  const isEmpty = texts.every((text) => text === '')
  return { folder, own: isEmpty ? null : ignore().add(texts.join('\n')), above }
}

/** The root of the repository that a folder lies in. */
export function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (isRepository(at)) return at
    if (dirname(at) === at) return null
  }
}

function isRepository(folder: string): boolean {
  return statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
}

function readText(path: string): string {
  try {
    return readBytesSync(path).toString('utf8')
  } catch {
    return ''
  }
}
