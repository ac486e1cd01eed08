import type { SettingsSources } from '../../../shared/contract/settings'
import { fail, succeed } from '../../../shared/result'
import type { Tabs } from '../../core/editing/tabs'
import type { Notices } from '../../core/notices/notices'
import type { SettingsStore } from '../../core/settings/settings-store'
import type { WindowSettings } from '../../core/settings/window-settings'
import { placeProblem, readSettingsText, writeSettingsText } from '../../core/settings/settings-text'
import type { WindowFolders } from '../window-folders'
import { type PageHandlers, definedOnly, sendChanges, sendWhole } from './page-handlers'

/** The settings as a window has them, and settings.json. */
export function settingsHandlers({
  settings,
  settingsStore,
  folders,
  tabs,
  notices,
}: {
  settings: WindowSettings
  settingsStore: SettingsStore
  folders: WindowFolders
  tabs: Tabs
  notices: Notices
}): PageHandlers<'settings', 'settings' | 'settings.sources'> {
  const sources = (): SettingsSources => {
    const [folder] = folders.named
    return {
      file: settingsStore.path,
      folder: folder ?? null,
      ...settings.stored(),
      problem: settingsStore.problem,
    }
  }
  return {
    calls: {
      'settings.set': (change) => {
        const done = settings.set(definedOnly(change))
        if (!done.ok) notices.warn(done.failure.message)
        return {}
      },
      'settings.change': ({ target, values, reset }) => settings.change(target, definedOnly(values), reset),
      'settings.check': ({ text }) => ({ problems: readSettingsText(text).problems }),
      'settings.openFile': () => {
        if (settingsStore.path === null) return fail('not-kept', 'These settings aren’t stored in a file.')
        try {
          settingsStore.ensureFile()
        } catch {
          return fail(
            'unwritable',
            `${settingsStore.path} couldn’t be created. Check the folder’s permissions.`,
          )
        }
        tabs.openFile(settingsStore.path)
        return succeed({ path: settingsStore.path })
      },
      'settings.export': () => ({ text: writeSettingsText('', settingsStore.stored()) }),
      'settings.import': ({ text }) => {
        const { values, problems } = readSettingsText(text)
        const error = problems.find(({ kind }) => kind === 'error')
        if (error) {
          return fail('invalid', `Nothing was imported. ${placeProblem(error)} Fix it, then import again.`)
        }
        const done = settings.change('person', values, [])
        if (!done.ok) return done
        const unknown = problems.map(({ from, to }) => text.slice(from, to))
        return succeed({ changed: Object.keys(values).length, unknown })
      },
    },
    topics: {
      settings: sendChanges(() => settings.get(), settings.onChange),
      'settings.sources': sendWhole(sources, settings.onSources, folders.onChange),
    },
  }
}
