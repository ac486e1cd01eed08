import ElectronStore from 'electron-store'
import {
  type SettingsStore,
  createSettingsStore,
  settingsFileName,
  settingsFileOptions,
} from '../core/settings/settings-store'

/** The person's settings in Electron: the same file as the headless host's. */
export function openSettings(dataDirectory: string): SettingsStore {
  const { options, problems } = settingsFileOptions(dataDirectory)
  return createSettingsStore(new ElectronStore({ ...options, name: settingsFileName }), problems)
}
