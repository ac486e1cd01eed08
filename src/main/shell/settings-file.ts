import { join } from 'node:path'
import ElectronStore from 'electron-store'
import { setAsideWhenBroken } from '../core/settings/broken-file'
import {
  type SettingsStore,
  createSettingsStore,
  settingsFileName,
  settingsMigrations,
} from '../core/settings/settings-store'
import { keepComments } from '../core/settings/settings-text'

/** The person's settings in Electron: the same file as the headless host's. */
export function openSettings(dataDirectory: string, version: string): SettingsStore {
  // With migrations, even none, conf writes down how far they came.
  const migrations = Object.keys(settingsMigrations).length > 0 ? { migrations: settingsMigrations } : {}
  const problem = setAsideWhenBroken(join(dataDirectory, `${settingsFileName}.json`))
  // electron-store takes the version for migrations from the app, unless its maker is told.
  const options = { projectVersion: version }
  const file = new ElectronStore<Record<string, unknown>>({
    ...options,
    cwd: dataDirectory,
    name: settingsFileName,
    ...migrations,
    ...keepComments(),
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
  })
  return createSettingsStore(file, problem ? [problem] : [])
}
