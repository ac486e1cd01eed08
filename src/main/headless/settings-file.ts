import { join } from 'node:path'
import Conf from 'conf'
import { setAsideWhenBroken } from '../core/settings/broken-file'
import {
  type SettingsStore,
  createSettingsStore,
  settingsFileName,
  settingsMigrations,
} from '../core/settings/settings-store'
import { keepComments } from '../core/settings/settings-text'

/** The person's settings without Electron: the same file as the shell's electron-store, which is made of conf too. */
export function openSettings(dataDirectory: string, version: string): SettingsStore {
  // With migrations, even none, conf writes down how far they came.
  const migrations = Object.keys(settingsMigrations).length > 0 ? { migrations: settingsMigrations } : {}
  const problem = setAsideWhenBroken(join(dataDirectory, `${settingsFileName}.json`))
  const file = new Conf<Record<string, unknown>>({
    cwd: dataDirectory,
    configName: settingsFileName,
    projectVersion: version,
    ...migrations,
    ...keepComments(),
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
  })
  return createSettingsStore(file, problem ? [problem] : [])
}
