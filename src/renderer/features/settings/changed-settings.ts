import type { SettingsTarget } from '../../../shared/contract/settings'
import { type SettingName, declarations } from '../../../shared/settings/all-settings'

/**
 * Whether a setting is changed by what is set in one place: for the person that is another value than the default; in a
 * folder whatever is set there is its own, for it stands above the person's.
 */
export function differs(
  name: SettingName,
  set: Readonly<Record<string, unknown>>,
  target: SettingsTarget,
): boolean {
  if (!(name in set)) return false
  return target === 'folder' || JSON.stringify(set[name]) !== JSON.stringify(declarations[name].default)
}
