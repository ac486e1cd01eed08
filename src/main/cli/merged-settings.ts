import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Json, objectOf, parseJson } from '../../shared/json'
import { readText } from '../core/files/regular-file'
import { privateFileMode } from '../core/platform/file-modes'
import { processExists } from '../core/platform/process-tree'

/** Lists that leave hooks out which they don't name: ours are added where the person has such a list. */
const lists = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] as const

/**
 * One settings file for Claude Code, which takes only one. The person's members win, since they gave them for this very
 * start; hooks of both run, theirs named first. Merging ours again changes nothing.
 */
export function mergedSettings(ours: Json, theirs: Json): Json {
  const merged: Record<string, unknown> = { ...ours, ...theirs }
  for (const name of lists) {
    // A list of ours alone would leave the person's hooks out.
    if (Array.isArray(theirs[name])) merged[name] = joined(theirs[name], ours[name])
    else if (!(name in theirs)) delete merged[name]
  }
  const hooks = objectOf(ours['hooks'])
  const theirHooks = objectOf(theirs['hooks'])
  if (hooks && theirHooks) {
    const events = Object.entries(hooks).map(([event, entries]) => [
      event,
      joined(theirHooks[event], entries),
    ])
    merged['hooks'] = { ...theirHooks, ...Object.fromEntries(events) }
  }
  return merged
}

/** All of the first list, then what only the second has; what is no list is left as it is. */
function joined(first: unknown, second: unknown): unknown {
  if (first === undefined) return second
  if (!Array.isArray(first) || !Array.isArray(second)) return first
  const known = new Set(first.map((one) => JSON.stringify(one)))
  const others: unknown[] = second.filter((one) => !known.has(JSON.stringify(one)))
  return [...(first as unknown[]), ...others]
}

/**
 * Merges a settings file of ours into what stands behind the person's --settings, JSON or a path, and writes it beside
 * ours for the process `pid`. Gives the path; null if theirs can't be read, about which Claude Code has its own words.
 * What was written for processes that have ended is removed.
 */
export async function writeMergedSettings(
  { ours, theirs, pid }: { ours: string; theirs: string; pid: number },
  cwd: string,
): Promise<string | null> {
  try {
    const [own, given] = await Promise.all([
      readText(ours),
      theirs.trim().startsWith('{') ? theirs : readText(resolve(cwd, theirs)),
    ])
    const [first, second] = [objectOf(parseJson(own)), objectOf(parseJson(given))]
    if (!first || !second) return null
    const folder = dirname(ours)
    for (const name of readdirSync(folder)) {
      const [, of] = fileName.exec(name) ?? []
      if (of !== undefined && !processExists(Number(of))) rmSync(join(folder, name), { force: true })
    }
    const path = join(folder, `merged-${pid}.json`)
    rmSync(path, { force: true })
    writeFileSync(path, JSON.stringify(mergedSettings(first, second)), { mode: privateFileMode, flag: 'wx' })
    return path
  } catch {
    return null
  }
}

const fileName = /^merged-(\d+)\.json$/
