import type { SettingsSources, SettingsTarget } from '../../../shared/contract/settings'
import type { PathRule } from '../../../shared/gate/path-rule'
import type { Done } from '../../../shared/result'
import { attempt } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, readMirror, replaceByDelta, useMirror } from '../host/mirror'
import { inTurn } from '../settings/changes-in-turn'
import { settingsSources } from '../settings/settings-sources'

/** The rules for files that are kept in one place, which hold together with those of the other. */
export function pathRulesIn(sources: SettingsSources | null, target: SettingsTarget): readonly PathRule[] {
  const set = target === 'folder' ? sources?.inFolder : sources?.person
  return (set?.['reviewPathRules'] ?? []) as PathRule[]
}

/** Puts a rule in place of the one for the same pattern, or adds it. */
export function savePathRule(target: SettingsTarget, rule: PathRule): Promise<Done> {
  return changeRules(target, rule.pattern, [rule])
}

export function removePathRule(target: SettingsTarget, pattern: string): Promise<Done> {
  return changeRules(target, pattern, [])
}

function changeRules(target: SettingsTarget, pattern: string, rules: readonly PathRule[]): Promise<Done> {
  return inTurn(() => {
    const others = pathRulesIn(readMirror(settingsSources), target).filter((one) => one.pattern !== pattern)
    const next = [...others, ...rules].toSorted((a, b) => a.pattern.localeCompare(b.pattern))
    return attempt('settings.change', { target, values: { reviewPathRules: next }, reset: [] })
  })
}

const letThrough = mirrorTopic(client, 'letThrough', {}, replaceByDelta)

/** How many writes a rule has let through in the last 7 days, followed. */
export function useLetThrough(pattern: string): number {
  return useMirror(letThrough, (state) => state?.find((one) => one.pattern === pattern)?.count ?? 0)
}
