import type { SettingsSources, SettingsTarget } from '../../../shared/contract/settings'
import { type SettingName, type Settings, declarations } from '../../../shared/settings/all-settings'
import { ask } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, readMirror, replaceByDelta, useMirror } from '../host/mirror'
import { inTurn } from './changes-in-turn'
import { readSetting } from './settings-mirror'

/** Where the settings of this window come from: the person's file, the folder's own values. */
export const settingsSources = mirrorTopic(client, 'settings.sources', {}, replaceByDelta)

/** The sources, followed; null until the host has told them. */
export function useSettingsSources(): SettingsSources | null {
  return useMirror(settingsSources, (state) => state)
}

/** A setting as it is set in one place: there or, without a value of its own, as it would be there. */
export function settingIn<K extends SettingName>(
  sources: SettingsSources | null,
  target: SettingsTarget,
  name: K,
  inForce: Settings[K],
): Settings[K] {
  // Where a folder overrides the person's value, what is in force is the folder's.
  if (target === 'folder' || sources === null || !(name in sources.inFolder)) return inForce
  return (sources.person[name] ?? declarations[name].default) as Settings[K]
}

/**
 * Changes one setting in one place. `next` makes the new value of what it is then; null resets it. Resolves once it is
 * answered, and reports a failure.
 */
export async function changeSetting<K extends SettingName>(
  target: SettingsTarget,
  name: K,
  next: (now: Settings[K]) => Settings[K] | null,
): Promise<void> {
  await inTurn(() => {
    const value = next(settingIn(readMirror(settingsSources), target, name, readSetting(name)))
    const change = value === null ? { values: {}, reset: [name] } : { values: { [name]: value }, reset: [] }
    return ask('settings.change', { target, ...change })
  })
}

/** Resets some settings in one place. Reports a failure. */
export function resetSettings(target: SettingsTarget, names: readonly string[]): void {
  void inTurn(() => ask('settings.change', { target, values: {}, reset: [...names] }))
}
