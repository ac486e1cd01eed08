import { posix } from 'node:path'
import type { RuleList } from './path-rules'

/** Where the anchors of a settings file's rules are; paths with slashes. */
export interface Anchors {
  /** The settings file itself, as it is named to the person. */
  file: string
  /** What `/x` is meant from: the project for its files, the file's own folder for the person's. */
  root: string
  /** What `x` and `./x` are meant from: the folders that an agent is started in. */
  folders: readonly string[]
  home: string
}

/** The `Read` deny rules of a Claude Code settings file, as they are spelled; null where it is no such file. */
export function readDenyRules(text: string): string[] | null {
  let settings: unknown
  try {
    settings = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return null
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return null
  const { permissions } = settings as { permissions?: { deny?: unknown } | null }
  const deny = permissions?.deny
  if (deny === undefined) return []
  if (!Array.isArray(deny)) return null
  return deny.filter((rule): rule is string => typeof rule === 'string' && /^Read(\(|$)/.test(rule.trim()))
}

/**
 * Deny rules as patterns with their folders (Claude Code's documentation, "Permissions", Read and Edit): `//x` from
 * the root of the file system, `~/x` from home, `/x` from where the settings belong to, anything else from the folder
 * that the agent works in. A bare `Read` forbids all.
 */
export function anchorRules(spelled: readonly string[], anchors: Anchors): RuleList[] {
  const byBase = new Map<string, { pattern: string; spelled: string }[]>()
  const add = (base: string, pattern: string, rule: string) =>
    byBase.set(base, [...(byBase.get(base) ?? []), { pattern, spelled: rule }])
  for (const rule of spelled) {
    const inside = /^Read\((.*)\)$/s.exec(rule.trim())?.[1]?.trim()
    // Not closed, or empty: it means nothing that is known, so it forbids as much as it could mean.
    if (inside === undefined || inside === '') add('/', '**', rule)
    else if (inside.startsWith('//')) add('/', inside.slice(1), rule)
    else if (inside === '~' || inside === '~/') add(anchors.home, '**', rule)
    else if (inside.startsWith('~/')) add(anchors.home, inside.slice(1), rule)
    else if (inside.startsWith('/')) add(anchors.root, inside, rule)
    else for (const folder of anchors.folders) add(...relativeTo(folder, inside), rule)
  }
  return [...byBase].map(([base, rules]) => ({ base, rules, file: anchors.file }))
}

/** A pattern as written in a folder, with leading `./` and `../` taken into the folder. */
function relativeTo(folder: string, pattern: string): [base: string, pattern: string] {
  const leading = /^(?:\.{1,2}\/)+/.exec(pattern)?.[0]
  if (leading === undefined) return [folder, pattern]
  return [posix.join(folder, leading).replace(/(?<=.)\/$/, ''), `/${pattern.slice(leading.length)}`]
}
