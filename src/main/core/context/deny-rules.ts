import { posix } from 'node:path'
import { objectOf, parseJson } from '../../../shared/json'
import type { RuleList } from '../files/path-rules'

/** What the rules in a settings file are relative to; paths with slashes. */
export interface Anchors {
  /** The settings file itself, as the person reads it. */
  file: string
  /**
   * What `/x` is relative to, under all its names: the project for its own files, or the folder of the person's
   * settings.
   */
  roots: readonly string[]
  /** What `x` and `./x` are relative to: the folders that an agent is started in. */
  folders: readonly string[]
  /** All names of the home folder. */
  homes: readonly string[]
}

/** The `Read` deny rules in a Claude Code settings file, as written; null if it is no such file. */
export function readDenyRules(text: string): string[] | null {
  const settings = objectOf(parseJson(text.replace(/^\ufeff/, '')))
  if (!settings) return null
  const { permissions } = settings as { permissions?: { deny?: unknown } | null }
  const deny = permissions?.deny
  if (deny === undefined) return []
  if (!Array.isArray(deny)) return null
  return deny.filter((rule): rule is string => typeof rule === 'string' && /^Read(\(|$)/.test(rule.trim()))
}

/**
 * Deny rules as patterns with their folders (Claude Code's documentation, "Permissions", Read and Edit): `//x` is
 * relative to the root of the file system, `~/x` to home, `/x` to the settings' own folder, anything else to the folder
 * that the agent works in. A bare `Read` forbids everything.
 */
export function anchorRules(spelled: readonly string[], anchors: Anchors): RuleList[] {
  const byBase = new Map<string, { pattern: string; spelled: string }[]>()
  const add = (base: string, pattern: string, rule: string) =>
    byBase.set(base, [...(byBase.get(base) ?? []), { pattern, spelled: rule }])
  for (const rule of spelled) {
    const inside = /^Read\((.*)\)$/s.exec(rule.trim())?.[1]?.trim()
    // Unclosed or empty: its meaning is unknown, so it forbids as much as it could mean.
    if (inside === undefined || inside === '') add('/', '**', rule)
    else if (inside.startsWith('//')) add('/', inside.slice(1), rule)
    else if (inside === '~' || inside === '~/') for (const home of anchors.homes) add(home, '**', rule)
    else if (inside.startsWith('~/')) for (const home of anchors.homes) add(home, inside.slice(1), rule)
    else if (inside.startsWith('/')) for (const root of anchors.roots) add(root, inside, rule)
    else for (const folder of anchors.folders) add(...relativeTo(folder, inside), rule)
  }
  return [...byBase].map(([base, rules]) => ({ base, rules, file: anchors.file }))
}

/**
 * The part of an absolute rule (`//x/y/*`) that is a plain path, in which symbolic links are to be resolved, since
 * files are known by their real paths. Null for other rules.
 */
export function plainStart(rule: string): { start: string; rest: string } | null {
  const inside = /^Read\(\/(\/.*)\)$/s.exec(rule.trim())?.[1]?.trim()
  if (inside === undefined) return null
  const parts = inside.split('/')
  const wild = parts.findIndex((part) => /[*?[\\]/.test(part))
  const plain = wild === -1 ? parts : parts.slice(0, wild)
  const start = plain.join('/')
  return start === '' || start === '/' ? null : { start, rest: inside.slice(start.length) }
}

/** A pattern relative to a folder, with leading `./` and `../` moved into the folder. */
function relativeTo(folder: string, pattern: string): [base: string, pattern: string] {
  const leading = /^(?:\.{1,2}\/)+/.exec(pattern)?.[0]
  if (leading === undefined) return [folder, pattern]
  return [posix.join(folder, leading).replace(/(?<=.)\/$/, ''), `/${pattern.slice(leading.length)}`]
}
