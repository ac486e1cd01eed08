import Conf from 'conf'
import { type SettingsStore, openSettingsFile } from '../core/settings/settings-store'

/** The person's settings without Electron: the same file as the shell's electron-store, which is made of conf too. */
export function openSettings(dataDirectory: string): SettingsStore {
  return openSettingsFile(dataDirectory, (configName, options) => new Conf({ ...options, configName }))
}
