import type { Settings } from '../../../shared/contract/settings'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** The person's settings, which all windows share. */
export function settingsHandlers(window: WindowHost): PageHandlers<'settings.set', 'settings'> {
  const { settingsStore } = window.parts.options
  return {
    calls: {
      'settings.set': (change) => {
        settingsStore.set(definedOnly(change))
        return {}
      },
    },
    topics: {
      settings: (_params, sink) => {
        sink.snapshot(settingsStore.get())
        return settingsStore.onChange((change) => sink.delta(change))
      },
    },
  }
}

function definedOnly(change: { [K in keyof Settings]?: Settings[K] | undefined }): Partial<Settings> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
