import type { SettingsSources, SettingsTarget } from '../../../shared/contract/settings'
import type { SettingName, Settings } from '../../../shared/settings/all-settings'
import { ask } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, replaceByDelta, useMirror } from '../host/mirror'

/** Where the settings of this window come from: the person's file, the folder's own values. */
export const settingsSources = mirrorTopic(client, 'settings.sources', {}, replaceByDelta)

/** The sources, followed; null until the host has told them. */
export function useSettingsSources(): SettingsSources | null {
  return useMirror(settingsSources, (state) => state)
}

/** Changes one setting in one place. Reports a failure. */
export function changeSetting<K extends SettingName>(
  target: SettingsTarget,
  name: K,
  value: Settings[K],
): void {
  void ask('settings.change', { target, values: { [name]: value }, reset: [] })
}

/** Resets some settings in one place. Reports a failure. */
export function resetSettings(target: SettingsTarget, names: readonly string[]): void {
  void ask('settings.change', { target, values: {}, reset: [...names] })
}
