import type { SettingsTarget } from '../../../shared/contract/settings'
import { type SettingName, declarations } from '../../../shared/settings/all-settings'

/**
 * Whether a place changes a setting: the person does by a value other than the default, a folder by any value, which
 * overrides the person's.
 */
export function differs(
  name: SettingName,
  set: Readonly<Record<string, unknown>>,
  target: SettingsTarget,
): boolean {
  if (!(name in set)) return false
  return target === 'folder' || JSON.stringify(set[name]) !== JSON.stringify(declarations[name].default)
}
