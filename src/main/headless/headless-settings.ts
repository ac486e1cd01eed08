import Conf from 'conf'
import {
  type SettingsStore,
  createSettingsStore,
  settingsFileName,
  settingsFileOptions,
} from '../core/settings/settings-store'

/** The person's settings without Electron: the same file as the shell's electron-store, which is made of conf too. */
export function openSettings(dataDirectory: string): SettingsStore {
  const { options, problems } = settingsFileOptions(dataDirectory)
  return createSettingsStore(new Conf({ ...options, configName: settingsFileName }), problems)
}
