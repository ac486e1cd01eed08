import ElectronStore from 'electron-store'
import { type SettingsStore, openSettingsFile } from '../core/settings/settings-store'

/** The person's settings in Electron: the same file as the headless host's. */
export function openSettings(dataDirectory: string): SettingsStore {
  return openSettingsFile(dataDirectory, (name, options) => new ElectronStore({ ...options, name }))
}
